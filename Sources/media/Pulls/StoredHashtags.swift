import Blocking
import Foundation
import HTTP
import Posts
import Services
import Storage
import Terminal

/// The library's hashtag budget. Each counted hashtag is recorded before it is requested.
struct StoredHashtags: HashtagBudgetStore {
  let store: Store
  let time: TimeSource
  let say: @Sendable (SafeText) -> Void
  private let limit: SourceBounds.HashtagLimit
  private let work = BlockingExecutor("hashtags")

  init(
    _ store: Store, _ limit: SourceBounds.HashtagLimit, time: TimeSource, say: @escaping @Sendable (SafeText) -> Void
  ) {
    (self.store, self.limit, self.time, self.say) = (store, limit, time, say)
  }

  private var allowance: HashtagBudget { HashtagBudget(tags: limit.most, window: limit.window / .seconds(1)) }

  func ask(for name: String, as account: String, at server: Server) async throws(SourceError) -> String? {
    let now = time.now()
    let (asking, id) = try await kept { [store, allowance] in
      (
        try store.askHashtag(name, by: account, at: server, allowance, now: now),
        try store.hashtagID(name, at: server)
      )
    }
    switch asking {
    case .again: break
    case .new(let number):
      say("#\(name) is number \(number) of the \(limit.most) tags of \(Int(limit.window / .seconds(86_400))) days")
    case .refused(let until, let others):
      throw .tagsSpent(server, tag: "#\(name)", until: until, asked: now, others: others.map { "#\($0)" })
    }
    return id
  }

  func keep(_ id: String, of name: String, at server: Server) async throws(SourceError) {
    try await kept { [store] in try store.keepHashtag(name, id: id, at: server) }
  }

  private func kept<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws(SourceError) -> Value
  {
    do {
      return try await work.run(body)
    } catch {
      throw .unkept(reason: (error as? any ExplainedError)?.summary ?? "\(error)")
    }
  }
}
