import Blobs
import Foundation
import HTTP
import Machine
import Posts
import ScriptedOrigin
import Services
import Storage
import Testing

@testable import Harvest

/// Pulls of feeds that are documents: one page, and a horizon below it.
@Suite(.timeLimit(.minutes(10))) struct DocumentFeedTests {
  private func pull(_ origin: Origin, into library: TestLibrary, _ plan: PullPlan) async throws -> PullReport {
    let server = try #require(Server(origin.url))
    let feed = Feed(source: .feed, kind: .url, value: "\(origin.url)/feed", server: server)
    // After the scripted items: a future date counts as none.
    let time = TimeSource(now: { noon.addingTimeInterval(400 * 86_400) }, sleep: { _ in }, chance: { 0 })
    let source = FeedSource(server: server, token: nil, transport: library.transport, time: time)
    return await library.pull(feed, from: source, plan)
  }

  private func serve(_ numbers: some Sequence<Int>, _ origin: Origin, tag: String? = nil) {
    let items = numbers.map { ScriptedItem($0, at: origin.url) }
    origin.change { $0.documents["/feed"] = .rss(items, entityTag: tag) }
  }

  @Test(arguments: [PullPlan(), PullPlan(.new, pages: nil), PullPlan(.all, pages: nil)])
  func `a feed that ran away from its pulls leaves a gap, whatever was asked for`(plan: PullPlan) async throws {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      serve((1...20).reversed(), origin)
      let first = try await pull(origin, into: library, plan)
      #expect((first.failure == nil, first.summary.complete, first.summary.posts.new) == (true, true, 20))
      #expect(first.summary.next == nil)
      serve((20...39).reversed(), origin)
      let second = try await pull(origin, into: library, plan)
      #expect((second.summary.complete, second.summary.posts.new, second.gaps) == (true, 19, 0))
      serve((50...69).reversed(), origin)
      let third = try await pull(origin, into: library, plan)
      #expect((third.summary.complete, third.summary.posts.new, third.gaps) == (false, 20, 1))
      #expect(try library.store.gaps().map(\.kind) == [.gap])
    }
  }

  @Test func `a pull to a date that the feed does not reach is not complete, and nothing is left unfinished`()
    async throws
  {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      serve((30...40).reversed(), origin)
      let old = try #require(UTC.date("2026-11-01T00:00:00Z"))
      let short = try await pull(origin, into: library, PullPlan(pages: nil, since: old))
      #expect((short.failure == nil, short.summary.complete) == (true, false))
      #expect(try library.store.gaps().isEmpty)
      let near = try #require(UTC.date("2026-11-30T00:00:00Z"))
      #expect(try await pull(origin, into: library, PullPlan(pages: nil, since: near)).summary.complete)
    }
  }

  @Test func `to go on below a feed and to fill its gaps asks for nothing, and says what is missing`() async throws {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      serve((1...5).reversed(), origin)
      _ = try await pull(origin, into: library, PullPlan())
      serve((11...15).reversed(), origin)
      _ = try await pull(origin, into: library, PullPlan())
      let before = origin.requests.count
      for scope in [PullPlan.Scope.rest, .gaps] {
        let report = try await pull(origin, into: library, PullPlan(scope))
        #expect((report.failure == nil, report.summary.complete, report.gaps) == (true, false, 1))
      }
      #expect(origin.requests.count == before)
    }
  }

  @Test func `a feed that did not change is not sent again, unless something of it is wanted anew`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let library = try TestLibrary()
      let picture = try #require(origin.script.posts.flatMap(\.attachments).first)
      let items = [ScriptedItem(1, at: origin.url, picture: "\(origin.url)/media/\(picture.id).png")]
      origin.change { $0.documents["/feed"] = .rss(items, entityTag: "\"1\"") }
      let flags = { origin.requests(to: "/feed").map { $0.headers["if-none-match"] } }
      _ = try await pull(origin, into: library, PullPlan(pictures: false))
      #expect(try await pull(origin, into: library, PullPlan(pictures: false)).summary.posts.unchanged == 0)
      let pictured = try await pull(origin, into: library, PullPlan())
      #expect(pictured.summary.posts.unchanged == 1)
      #expect(pictured.summary.media.downloaded == 1)
      for plan in [PullPlan(), PullPlan(.new, pages: nil), PullPlan(.all, pages: nil), PullPlan(retryFailed: true)] {
        let report = try await pull(origin, into: library, plan)
        #expect((report.failure == nil, report.summary.complete) == (true, true))
      }
      #expect(flags() == [nil, "\"1\"", nil, "\"1\"", "\"1\"", nil, nil])
    }
  }

  @Test func `older documents that a feed names are read to their end, and the end is one`() async throws {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      let pages = [[6, 5], [4, 3], [2, 1]].enumerated().map { index, numbers in
        let next = index < 2 ? "<link rel=\"next\" href=\"/feed\(index + 1)?k=v&amp;p=1\"/>" : ""
        var document = ScriptedDocument.rss(numbers.map { ScriptedItem($0, at: origin.url) })
        document.text = document.text.replacing("<channel>", with: "<channel>\(next)")
        return document
      }
      origin.change {
        ($0.documents["/feed"], $0.documents["/feed1"], $0.documents["/feed2"]) = (pages[0], pages[1], pages[2])
      }
      let first = try await pull(origin, into: library, PullPlan())
      #expect(first.summary.next == Cursor("/feed1?k=v&p=1"))
      let all = try await pull(origin, into: library, PullPlan(.all, pages: nil))
      #expect((all.summary.posts.new, all.summary.complete, all.failure == nil) == (4, true, true))
      #expect(try library.posts.count == 6)
    }
  }

  @Test(arguments: [PullPlan(.new, pages: nil), PullPlan(.all, pages: nil), PullPlan(pages: 1000)])
  func `a feed that always names one more document comes to an end, and is not complete`(plan: PullPlan) async throws {
    try await withOrigin(Script()) { origin in
      let documents = (0...PullRun.mostDocuments + 1).map { index in
        var document = ScriptedDocument.rss([ScriptedItem(PullRun.mostDocuments + 2 - index, at: origin.url)])
        let next = "<link rel=\"next\" href=\"/feed\(index + 1)\"/>"
        document.text = document.text.replacing("<channel>", with: "<channel>\(next)")
        return document
      }
      origin.change { script in
        for (index, document) in documents.enumerated() {
          script.documents[index == 0 ? "/feed" : "/feed\(index)"] = document
        }
      }
      let report = try await pull(origin, into: try TestLibrary(), plan)
      #expect((report.failure == nil, report.summary.complete) == (true, false))
      #expect(report.summary.pages == PullRun.mostDocuments)
      #expect(report.summary.next == Cursor("/feed\(PullRun.mostDocuments)"))
    }
  }

  @Test(arguments: [Trouble.Kind.cut(after: 300), .html, .garbage(Array("<rss><channel><item>".utf8)), .status(410)])
  func `an answer that is not whole changes nothing`(trouble: Trouble.Kind) async throws {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      serve((1...5).reversed(), origin, tag: "\"1\"")
      _ = try await pull(origin, into: library, PullPlan())
      let server = try #require(Server(origin.url))
      let feed = Feed(source: .feed, kind: .url, value: "\(origin.url)/feed", server: server)
      let (posts, visit) = (try library.posts, try library.store.visit(of: feed))
      serve((3...9).reversed(), origin, tag: "\"2\"")
      origin.change { $0.troubles = [.every("/feed", trouble)] }
      #expect(try await pull(origin, into: library, PullPlan()).failure != nil)
      #expect(try library.posts == posts)
      #expect(try library.store.visit(of: feed) == visit)
      origin.change { $0.troubles = [] }
      #expect(try await pull(origin, into: library, PullPlan()).summary.posts.new == 4)
    }
  }

  @Test(arguments: ["%/ep/#.mp3?modified=$", "%/build-$/#.mp3", "http://cdn$.example/#.mp3"])
  func `a podcast that is built anew each time, with other advertisements, is fetched once`(address: String)
    async throws
  {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      for build in 1...4 {
        let items = (1...20).reversed().map { number in
          // Only what the first build names is there.
          let form = build == 1 && address.contains("cdn") ? "%/#.mp3" : address
          let file = form.replacing("%", with: origin.url).replacing("#", with: "\(number)")
            .replacing("$", with: "\(build)")
          let path = URL(string: file)?.path ?? ""
          origin.change { script in
            script.documents[path] = ScriptedDocument("ID3 \(number) and \(build) spots", type: "audio/mpeg")
          }
          return """
            <item><guid>\(number)</guid><link>\(origin.url)/\(number)?build=\(build)</link><title>\(number)</title>
            <pubDate>\(number) Nov 2026 09:00:00 GMT</pubDate><description>An episode</description>
            <enclosure url="\(file)" length="1000" type="audio/mpeg"/></item>
            """
        }
        origin.change {
          $0.documents["/feed"] = ScriptedDocument(
            "<rss><channel>\(items.joined())</channel></rss>")
        }
        let before = origin.requests.count
        let report = try await pull(origin, into: library, PullPlan(.harvest, pages: nil))
        #expect(report.failure == nil)
        #expect(report.summary.posts.new == (build == 1 ? 20 : 0) && report.summary.posts.updated == 0)
        #expect(
          origin.requests.count - before == (build == 1 ? 21 : 1), "\(origin.requests.dropFirst(before).map(\.path))")
      }
      #expect(try library.states == [.stored: 20])
      #expect(try library.posts.count == 20)
    }
  }

  @Test func `a picture that stands in a text is stored, and nothing is asked for it`() async throws {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      let bytes = Picture(7, padding: 1000).bytes
      let text = "<img src=\"data:image/png;base64,\(Data(bytes).base64EncodedString())\"> and words"
      let items = [ScriptedItem(1, at: origin.url, text: "<![CDATA[\(text)]]>")]
      origin.change { $0.documents["/feed"] = .rss(items) }
      for _ in 1...2 { #expect(try await pull(origin, into: library, PullPlan()).failure == nil) }
      #expect(try library.states == [.stored: 1])
      #expect(library.blobNames == [BlobID(hashing: bytes).hex])
      #expect(Set(origin.requests.map(\.path)) == ["/feed"])
      #expect(try library.posts.map(\.caption) == ["and words"])
    }
  }

  /// A feed whose items all have one id and one link.
  private func serveNamesakes(_ days: [Int], _ origin: Origin) {
    let items = days.map {
      "<item><guid>x</guid><link>\(origin.url)/show</link><title>Day \($0)</title><description>Bird \($0)</description>"
        + "<pubDate>\($0) Nov 2026 09:00:00 GMT</pubDate></item>"
    }
    origin.change { $0.documents["/feed"] = ScriptedDocument("<rss><channel>\(items.joined())</channel></rss>") }
  }

  @Test func `items that share a name are each stored once, whichever stand there together`() async throws {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      for (days, new) in [([1], 1), ([2, 1], 1), ([3, 2], 1), ([3], 0), ([3, 2, 1], 0), ([4, 3], 1)] {
        serveNamesakes(days, origin)
        let report = try await pull(origin, into: library, PullPlan())
        let posts = report.summary.posts
        #expect((posts.new, posts.updated, posts.unchanged) == (new, 0, days.count - new), "\(days)")
      }
      #expect(try Set(library.posts.map(\.caption)) == Set((1...4).map { "Bird \($0)" }))
    }
  }
}
