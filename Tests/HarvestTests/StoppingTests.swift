import Blobs
import Foundation
import Posts
import ScriptedOrigin
import Services
import Storage
import Synchronization
import Testing

@testable import Harvest

@Suite(.timeLimit(.minutes(10))) struct StoppingTests {
  /// Returns when the condition holds; the test's time limit ends a wait in vain.
  private func until(_ condition: @Sendable () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func `a cancelled pull keeps whole pages and is not complete`() async throws {
    let script = Script(posts: 130, troubles: [.nth(3, "/api/v1/timelines", .slow(.seconds(50)))])
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let witness = Witness()
      let pull = Task { try await library.pull(origin, PullPlan(pages: 3, pictures: false), witness: witness) }
      try await until { witness.pages == 2 && origin.requests(to: "/api/v1/timelines").count == 3 }
      pull.cancel()
      let report = try await pull.value
      #expect(report.failure as? SourceError == .cancelled)
      #expect((report.summary.pages, report.summary.posts.new, report.summary.complete) == (2, 80, false))
      #expect(report.summary.next == Cursor(script.posts[79].id))
      #expect(try library.posts.map(\.uri) == script.posts.prefix(80).map(\.uri))
    }
  }

  @Test func `a pull cancelled amid its pictures ends at once, and the next one fetches the rest`() async throws {
    let script = Script(posts: 20, troubles: [.every("/media", .slow(.seconds(50)))])
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let pull = Task { try await library.pull(origin) }
      try await until { origin.requests(to: "/media").count >= 4 }
      pull.cancel()
      let report = try await pull.value
      #expect(report.summary.media == PullSummary.MediaCounts(waiting: script.pictures(ofNewest: 20)))
      #expect(try library.states == [.pending: script.pictures(ofNewest: 20)])
      origin.change { $0.troubles = [] }
      _ = try await library.pull(origin)
      #expect(try library.states == [.stored: script.pictures(ofNewest: 20)])
    }
  }

  @Test func `a server that fails in the middle leaves the pages before it`() async throws {
    let script = Script(posts: 130, troubles: [.nth(2, "/api/v1/timelines", .html)])
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pages: 3))
      let server = try #require(Server(origin.url))
      #expect(report.failure as? SourceError == .unreadable(server, reason: "it is a web page"))
      #expect((report.summary.pages, report.summary.complete) == (1, false))
      #expect(try library.posts.count == 40)
      #expect(try library.states == [.stored: script.pictures(ofNewest: 40)])
    }
  }

  @Test func `a next page on another host ends the pull after the page that names it`() async throws {
    let script = Script(posts: 130, troubles: [.nth(1, "/api/v1/timelines", .foreignLink("https://evil.example"))])
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pages: 3, pictures: false))
      let server = try #require(Server(origin.url))
      let reason = "its next page lies on another server"
      #expect(report.failure as? SourceError == .unreadable(server, reason: reason))
      #expect(try library.posts.count == 40)
      #expect(origin.requests(to: "/api/v1/timelines").count == 1)
    }
  }

  @Test func `a last page may name another host: nobody goes there`() async throws {
    let script = Script(posts: 130, troubles: [.every("/api/v1/timelines", .foreignLink("https://evil.example"))])
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pages: 1, pictures: false))
      #expect(report.failure == nil)
      #expect((report.summary.complete, report.summary.next) == (true, nil))
    }
  }

  @Test func `a server that takes no notice of the cursor is found out at the second page`() async throws {
    let script = Script(posts: 130, troubles: [.every("/api/v1/timelines", .cursorLoop)])
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pages: 30, pictures: false))
      let server = try #require(Server(origin.url))
      #expect(report.failure as? SourceError == .unreadable(server, reason: "its pages do not move on"))
      #expect(try library.posts.count == 40)
      #expect(origin.requests(to: "/api/v1/timelines").count == 2)
    }
  }

  @Test func `what such a server shows in place of the next page is stored, and claims nothing`() async throws {
    try await withOrigin(Script(posts: 50)) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pages: 1, pageSize: 20, pictures: false))
      origin.change { script in
        script.posts[5].html = "<p>edited</p>"
        script.troubles = [.every("/api/v1/timelines", .cursorLoop)]
      }
      let report = try await library.pull(origin, PullPlan(.rest, pages: 1, pageSize: 20, pictures: false))
      #expect(report.failure != nil && report.summary.pages == 0)
      #expect(report.summary.posts == PullSummary.PostCounts(updated: 1))
      #expect(try library.posts[5].caption == "edited")
    }
  }

  /// A source with endless cursors over repeated posts.
  private struct Carousel: Source {
    let asked = Counter()

    func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
      let number = asked.next()
      let post = Post(
        source: .mastodon, uri: "https://a.example/\(number % 2)", createdAt: noon, caption: "round \(number % 2)")
      let item = PageItem(id: "\(number % 2)", content: .post(post), raw: [])
      return Page(items: [item], next: .after(Cursor("\(number)")))
    }
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func next() -> Int {
      value.withLock { value in
        defer { value += 1 }
        return value
      }
    }
  }

  @Test func `posts that come round again and again end the walk with an error`() async throws {
    let library = try TestLibrary()
    let server = try #require(Server("a.example"))
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: server)
    let carousel = Carousel()
    let report = await library.pull(feed, from: carousel, PullPlan(pages: 100, pictures: false))
    #expect(report.failure as? PullError == .circles(Cursor("4")))
    #expect(PullError.circles(Cursor("4")).exitCode == .unreadable)
    #expect(!report.summary.complete)
    #expect(try library.posts.count == 2)
    #expect(carousel.asked.count == 5)
  }
}
