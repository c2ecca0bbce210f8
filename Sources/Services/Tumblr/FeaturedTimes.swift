import JSONReading
import Synchronization

/// The times at which the posts of a page were featured, by their ids. Featured tags are paged by them.
final class FeaturedTimes: Sendable {
  private let times = Mutex<[String: Int]>([:])

  subscript(id: String) -> Int? { times.withLock { $0[id] } }

  func note(_ post: JSONObject, of id: String?) {
    guard let id, let time = post.integer("featured_timestamp"), time > 0 else { return }
    times.withLock { $0[id] = time }
  }
}
