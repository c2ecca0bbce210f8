import FoundationEssentials
import HTTP
import Machine
import Posts
import Services
import Storage

/// A library's hashtag budget: how many hashtags an account has requested, and their ids. Each counted hashtag is recorded
/// before it is requested.
public struct LibraryHashtags: HashtagBudgetStore {
  private let store: Store
  private let limit: SourceBounds.HashtagLimit
  private let time: TimeSource
  private let onCount: @Sendable (_ name: String, _ number: Int) -> Void
  private let queue = BlockingExecutor("hashtags")

  /// Creates the budget of a library.
  ///
  /// - Parameters:
  ///   - store: The library's store.
  ///   - limit: What the source allows.
  ///   - time: The clock.
  ///   - onCount: Is called for each hashtag that counts, with its name and its number within the window.
  public init(
    _ store: Store, _ limit: SourceBounds.HashtagLimit, time: TimeSource,
    onCount: @escaping @Sendable (_ name: String, _ number: Int) -> Void = { _, _ in }
  ) {
    (self.store, self.limit, self.time, self.onCount) = (store, limit, time, onCount)
  }

  /// Records that an account is about to request a hashtag from a server.
  ///
  /// - Returns: The hashtag's id, or nil if it is not known yet.
  /// - Throws: `.tagsSpent` if the account may request no other hashtag, `.unkept` if the library fails.
  public func ask(for name: String, as account: String, at server: Server) async throws(SourceError) -> String? {
    let now = time.now()
    let budget = HashtagBudget(tags: limit.most, window: limit.window / .seconds(1))
    let (grant, id) = try await stored { [store] in
      (
        try store.askHashtag(name, by: account, at: server, budget, now: now),
        try store.hashtagID(name, at: server)
      )
    }
    switch grant {
    case .again: break
    case .new(let number): onCount(name, number)
    case .refused(let until, let others):
      throw .tagsSpent(server, tag: "#\(name)", until: until, asked: now, others: others.map { "#\($0)" })
    }
    return id
  }

  /// Stores the id of a hashtag at a server.
  ///
  /// - Throws: `.unkept` if the library cannot be written.
  public func keep(_ id: String, of name: String, at server: Server) async throws(SourceError) {
    try await stored { [store] in try store.keepHashtag(name, id: id, at: server) }
  }

  private func stored<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws(SourceError) -> Value {
    do { return try await queue.run(body) } catch {
      throw .unkept(reason: (error as? any ExplainedError)?.summary ?? "\(error)")
    }
  }
}
