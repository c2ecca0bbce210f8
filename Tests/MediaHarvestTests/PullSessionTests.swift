import Foundation
import MediaHarvest
import Synchronization
import Testing

@testable import ScriptedOrigin

@Suite(.timeLimit(.minutes(10))) struct PullSessionTests {
  @Test func `a pulled tag is read through the library, with its pictures`() async throws {
    try await withOrigin(Script(posts: 50)) { origin in
      let home = try Home()
      let pages = Mutex(0)
      let report = try await home.session.pull(origin.cats, PullPlan(.new, pages: 2)) { event in
        if case .page = event { pages.withLock { $0 += 1 } }
      }
      #expect(report.failure == nil)
      #expect((report.summary.posts.new, report.summary.pages, pages.withLock { $0 }) == (50, 2, 2))
      #expect(try home.captions == origin.script.posts.map(\.caption))
      let rows = try home.session.library.snapshot(of: PostListQuery(), window: Window(after: 50)).rows
      let attachments = rows.flatMap(\.post.attachments)
      #expect(attachments.count == origin.script.posts.map(\.attachments.count).reduce(0, +))
      let blob = try #require(attachments.first?.blob)
      #expect(try home.session.library.blobs.read(blob) == origin.script.posts.flatMap(\.attachments)[0].picture.bytes)
      #expect(origin.requests.allSatisfy { $0.headers["user-agent"] == "test/1.0" })
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `pages before a failure are stored, and the report says what failed`() async throws {
    var script = Script.plain(60)
    script.troubles = [.every("/api/v1/timelines", .gone)]
    try await withOrigin(script) { origin in
      let home = try Home()
      let report = try await home.session.pull(origin.cats)
      #expect(report.failure != nil && report.summary.posts.new == 0)
      origin.change { $0.troubles = [] }
      #expect(try await home.session.pull(origin.cats).summary.posts.new == 60)
    }
  }

  @Test func `a server that charges for each post is not pulled, and nothing is sent`() async throws {
    let home = try Home()
    let server = try #require(Server("http://127.0.0.1:9"))
    let feed = Feed(source: .x, kind: .tag, value: "cats", server: server)
    let error = await #expect(throws: PullSessionError.self) { try await home.session.pull(feed) }
    #expect(error?.localizedDescription.contains("charges for each post") == true)
    let manual = Feed(source: .manual, kind: .tag, value: "cats", server: server)
    await #expect(throws: PullSessionError.noSource(manual)) { try await home.session.pull(manual) }
  }
}
