import Foundation
import Posts
import ScriptedOrigin
import Storage
import Testing

@testable import Harvest

@Suite(.timeLimit(.minutes(10))) struct PageTests {
  @Test func `three pages are stored with their pictures, and the report counts them`() async throws {
    let script = Script(posts: 130)
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let witness = Witness()
      let report = try await library.pull(origin, PullPlan(pages: 3), witness: witness)
      #expect(report.failure == nil)
      let summary = report.summary
      #expect(summary.feed == "tag:cats@\(origin.url)")
      #expect((summary.pages, summary.requests) == (3, 3))
      #expect(summary.posts == PullSummary.PostCounts(new: 120))
      #expect(summary.complete)
      #expect(summary.next == Cursor(script.posts[119].id))
      #expect(try library.posts.map(\.uri) == script.posts.prefix(120).map(\.uri))
      #expect(summary.media.downloaded == script.hashes(ofNewest: 120).count)
      #expect(summary.media.downloaded + summary.media.deduplicated == script.pictures(ofNewest: 120))
      #expect(witness.pages == 3)
      #expect(witness.pictures ?? (0, 0) == (script.pictures(ofNewest: 120), script.pictures(ofNewest: 120)))
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `the same pull again finds everything unchanged and fetches no picture`() async throws {
    try await withOrigin(Script(posts: 50)) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pages: 2))
      let before = origin.requests(to: "/media").count + origin.requests(to: "/avatars").count
      let report = try await library.pull(origin, PullPlan(pages: 2))
      #expect(report.summary.posts == PullSummary.PostCounts(unchanged: 50))
      #expect(report.summary.media == PullSummary.MediaCounts())
      #expect(origin.requests(to: "/media").count + origin.requests(to: "/avatars").count == before)
    }
  }

  @Test func `each page is asked for once`() async throws {
    try await withOrigin(Script(posts: 200)) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pages: 4, pageSize: 30, pictures: false, avatars: false))
      let asked = origin.requests(to: "/api/v1/timelines").map { $0.parameter("max_id") ?? "newest" }
      let ids = origin.script.posts.map(\.id)
      #expect(asked == ["newest", ids[29], ids[59], ids[89]])
    }
  }

  @Test func `a pull that comes to the feed's end is complete and says that nothing follows`() async throws {
    try await withOrigin(Script(posts: 45)) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pages: 9, pictures: false))
      #expect(report.summary.posts.new == 45)
      #expect(report.summary.complete)
      #expect(report.summary.next == nil)
    }
  }

  @Test func `a tag nobody used is an empty feed`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, tag: "nobody")
      #expect(report.failure == nil)
      #expect((report.summary.pages, report.summary.posts.new, report.summary.complete) == (1, 0, true))
    }
  }

  @Test func `a date ends the walk at the first page whose every post is older`() async throws {
    let script = Script(posts: 200)
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      // The 25th newest post is on the second page of twenty: the third is the first with only older posts.
      let since = Date(timeIntervalSince1970: TimeInterval(script.posts[24].createdAt))
      let report = try await library.pull(origin, PullPlan(pages: 9, pageSize: 20, since: since, pictures: false))
      #expect((report.summary.pages, report.summary.complete) == (3, true))
      #expect(try library.posts.count == 60)
      #expect(origin.requests(to: "/api/v1/timelines").count == 3)
    }
  }

  @Test func `edited, deleted, unreadable and known posts are distinguished`() async throws {
    try await withOrigin(Script(posts: 10)) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pictures: false))
      let ids = try library.posts.map(\.id)
      try library.store.delete(Array(ids.prefix(2)), now: noon)
      origin.change { script in
        script.posts[2].html = "<p>edited</p>"
        script.posts[3].overrides = ["favourites_count": 99]
        script.troubles = [.every("/api/v1/timelines", .badItem(at: 4))]
        var writer = PostWriter(tag: "cats", seed: 2)
        script.posts.insert(writer.post(500), at: 0)
      }
      let report = try await library.pull(origin, PullPlan(pictures: false))
      // The unreadable item is the fifth of the page, after the new post: the fourth known one.
      let expected = PullSummary.PostCounts(new: 1, updated: 1, unchanged: 6, deleted: 2, unreadable: 1)
      #expect(report.summary.posts == expected)
      #expect(try library.posts.count == 9)
    }
  }

  @Test func `the report is the contract's JSON object`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pictures: false, avatars: false))
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let text = String(decoding: try encoder.encode(report.summary), as: UTF8.self)
      #expect(
        text == """
          {"complete":true,"feed":"tag:cats@\(origin.url)",\
          "media":{"bytes":0,"deduplicated":0,"downloaded":0,"failed":0,"put_off":0,"skipped":0,"waiting":0},\
          "next":"\(origin.script.posts[2].id)","pages":1,\
          "posts":{"deleted":0,"misdated":0,"new":3,"unchanged":0,"unreadable":0,"updated":0},"requests":1}
          """)
    }
  }
}
