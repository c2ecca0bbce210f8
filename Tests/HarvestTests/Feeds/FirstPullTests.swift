import Foundation
import Posts
import Services
import Storage
import Testing

@testable import Harvest

/// What a first pull leaves behind if the server does not answer.
@Suite(.timeLimit(.minutes(10))) struct FirstPullTests {
  private struct Failing: Source {
    let error: SourceError
    func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page { throw error }
  }

  private struct Answering: Source {
    func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
      let post = Post(source: .mastodon, uri: "https://a.example/1", createdAt: noon, caption: "one")
      return Page(items: [PageItem(id: "1", content: .post(post), raw: [])], next: .end)
    }
  }

  private static let server = Server("a.example")!
  private let feed = Feed(source: .mastodon, kind: .tag, value: "dmeo", server: FirstPullTests.server)

  private static let silent: [SourceError] = [
    .unreachable(server, reason: "refused"), .noTLS(server), .blocked(server), .needsLogin(server),
    .tokenRefused(server),
    .forbidden(server, reason: "no"), .notFound(server, what: "tag"), .unreadable(server, reason: "it is a web page"),
  ]

  @Test(arguments: silent, [PullPlan.Scope.newest, .all, .harvest])
  func `a feed whose server did not show it leaves nothing behind`(error: SourceError, scope: PullPlan.Scope)
    async throws
  {
    let library = try TestLibrary()
    let report = await library.pull(feed, from: Failing(error: error), PullPlan(scope))
    #expect(report.failure as? SourceError == error)
    #expect(try library.store.feeds().isEmpty)
    #expect(try library.store.gaps().isEmpty)
  }

  @Test func `a followed feed stays followed, and nothing of it is missing`() async throws {
    let library = try TestLibrary()
    let follow = FollowPlan(now: noon).follow(feed, every: nil, before: nil)
    try library.store.follow(follow, now: noon)
    _ = await library.pull(feed, from: Failing(error: Self.silent[0]), PullPlan(.harvest))
    #expect(try library.store.follows().map(\.feed) == [feed])
    #expect(try library.store.gaps().isEmpty)
  }

  @Test(arguments: [
    SourceError.rateLimited(server, until: nil, asked: noon), .serverFailed(server, status: 503), .cancelled,
  ])
  func `what waiting alone ends is an unfinished pull`(error: SourceError) async throws {
    let library = try TestLibrary()
    _ = await library.pull(feed, from: Failing(error: error), PullPlan(.all))
    #expect(try library.store.gaps().map(\.kind) == [.unfinished])
  }

  @Test func `a feed that brought something keeps what a later pull was to read`() async throws {
    let library = try TestLibrary()
    _ = await library.pull(feed, from: Answering(), PullPlan(pictures: false))
    _ = await library.pull(feed, from: Failing(error: Self.silent[0]), PullPlan(.newest, pages: 3, pictures: false))
    #expect(try library.store.gaps().map(\.kind) == [.unfinished])
  }
}
