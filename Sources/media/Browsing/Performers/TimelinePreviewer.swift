import Browse
import FoundationEssentials
import Machine
import MediaLibrary
import Posts
import Services
import Terminal

/// Previews remote users' timelines, one at a time, the latest request only. Nothing is stored.
struct TimelinePreviewer: Sendable {
  private let library: Library
  private let parser: FeedParser
  private let logins: AccountChooser
  private let pulls: PullFactory
  private let discovery: FeedDiscovery
  private let state: BrowsingState
  private let eventQueue: ScreenEventQueue
  private let work = BlockingExecutor("previews")
  private let requests: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  /// No screen shows more.
  private static let most = 20

  init(
    library: Library, parser: FeedParser, logins: AccountChooser, pulls: PullFactory, discovery: FeedDiscovery,
    state: BrowsingState, eventQueue: ScreenEventQueue
  ) {
    (self.library, self.parser, self.logins, self.pulls) = (library, parser, logins, pulls)
    (self.discovery, self.state, self.eventQueue) = (discovery, state, eventQueue)
    (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Requests a preview in place of the one under way. Empty text only cancels.
  func ask(_ text: String) { continuation.yield(text) }

  /// Answers until the task is cancelled.
  func answer() async { await Self.follow(requests) { await preview($0) } }

  /// Performs one preview at a time: a new request cancels the one under way and begins after it has ended.
  static func follow(_ requests: AsyncStream<String>, _ preview: @escaping @Sendable (String) async -> Void) async {
    var current: Task<Void, Never>?
    for await text in requests {
      current?.cancel()
      await current?.value
      // It is cancelled by the next request, or below.
      current = text.isEmpty ? nil : Task { await preview(text) }
    }
    current?.cancel()
    await current?.value
  }

  private func preview(_ text: String) async {
    let answer: TimelinePreviewResult
    do {
      let (parser, library, near) = (parser, library, state.shown.feeds)
      let feed = try await work.run {
        try parser.feeds(of: text, near: near, among: try library.store.feeds()).first { $0.kind == .user }
      }
      guard let feed else {
        return eventQueue.post(.previewed(TimelinePreviewResult(text: text, content: .none("This is not a user."))))
      }
      let (found, rows) = try await find(feed)
      answer = TimelinePreviewResult(
        text: text, title: SafeText(found.written), elsewhere: found == feed ? nil : found.written,
        content: .posts(rows))
    } catch {
      answer = TimelinePreviewResult(text: text, content: .none(ListMessage.of(error)))
    }
    if !Task.isCancelled { eventQueue.post(.previewed(answer)) }
  }

  /// The feed's posts, or those of the same at the server that speaks for the accounts of its own.
  private func find(_ feed: Feed) async throws -> (Feed, [ListRow]) {
    do { return (feed, try await rows(of: feed)) } catch let failure as SourceError {
      guard
        let other = try await discovery.feed(insteadOf: feed, after: failure, in: library.store, say: { _ in })
      else { throw failure }
      return (other, try await rows(of: other))
    }
  }

  private func rows(of feed: Feed) async throws -> [ListRow] {
    let account = try await logins.login(for: feed)
    let (source, rates) = try await work.run { [pulls, library] in
      try pulls.preview(of: feed, as: account, in: library.store)
    }
    let page: Page
    do { page = try await source.page(of: feed, after: nil, size: Self.most) } catch {
      await rates.giveBack()
      throw error
    }
    await rates.giveBack()
    let posts = page.items.compactMap { if case .post(let post) = $0.content { post } else { nil } }
    return posts.prefix(Self.most).enumerated().map { ListRow($1, number: -Int64($0) - 1) }
  }
}

extension ListRow {
  /// The row of a post that is not stored.
  fileprivate init(_ post: Post, number: Int64) {
    self.init(
      id: number, name: post.author?.name ?? "Somebody", handle: post.author?.handle ?? "", createdAt: post.createdAt,
      caption: post.caption, tags: post.tags)
    title = SafeText(post.title ?? "")
    warning = SafeText(post.warning)
    pictures = post.attachments.map {
      Picture(kind: SafeText($0.kind.rawValue), alt: SafeText($0.alt ?? ""), state: "comes with Enter")
    }
  }
}
