import FoundationEssentials
import JSONReading
import Posts
import Synchronization

/// Where a page begins. Tumblr pages by seconds, of which several posts share one: the next page begins one second above
/// the last post, and leaves out the posts of that second that the page before had.
struct TumblrPosition: Equatable {
  /// Only posts before this second are asked for.
  let before: Int
  /// The posts below it that were read.
  var known: [String] = []

  /// The second and the id of a post, as far as it has them.
  struct Mark {
    let second: Int?
    let id: String?

    init(_ item: PageItem, featured: FeaturedTimes) {
      id = item.id
      second = item.id.flatMap { featured[$0] } ?? item.post.map { Int($0.createdAt.timeIntervalSince1970) }
    }
  }

  init(before: Int, known: [String] = []) { (self.before, self.known) = (before, known) }

  /// Reads `1795165201`, or `34,12?1795165201` with the known posts before the question mark; nil for anything else.
  init?(_ cursor: Cursor) {
    let halves = cursor.value.split(separator: "?", maxSplits: 1)
    guard let last = halves.last, let before = Int(last), before > 0 else { return nil }
    self.before = before
    known = halves.count > 1 ? halves[0].split(separator: ",").map(String.init) : []
  }

  var cursor: Cursor { Cursor(known.isEmpty ? "\(before)" : "\(known.joined(separator: ","))?\(before)") }

  /// What follows a page of posts with these marks, those read before among them.
  static func next(after position: TumblrPosition?, _ marks: [Mark]) -> Next {
    guard !marks.isEmpty else { return .end }
    let seconds = marks.compactMap(\.second)
    guard let last = seconds.last else { return .refused(reason: "its next page cannot be named") }
    if let position {
      if seconds.contains(where: { $0 >= position.before }) { return .astray(reason: "its pages do not move on") }
      // The whole page is of the second below the position: the rest of it cannot be asked for.
      if seconds.allSatisfy({ $0 == position.before - 1 }) {
        return .after(TumblrPosition(before: position.before - 1).cursor)
      }
    }
    let known = marks.filter { $0.second == last }.compactMap(\.id)
    return .after(TumblrPosition(before: last + 1, known: known).cursor)
  }
}

/// The times at which the posts of a page were featured, by their ids. Featured tags are paged by them.
final class FeaturedTimes: Sendable {
  private let times = Mutex<[String: Int]>([:])

  subscript(id: String) -> Int? { times.withLock { $0[id] } }

  func note(_ post: JSONObject, of id: String?) {
    guard let id, let time = post.integer("featured_timestamp"), time > 0 else { return }
    times.withLock { $0[id] = time }
  }
}
