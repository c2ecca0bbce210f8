import Copies
import Foundation
import Machine
import MediaLibrary
import Posts
import Storage
import Testing
import Wording

@testable import Gallery

struct StatusTests {
  private struct Status: Decodable {
    struct Failure: Decodable { let feed, state: String, failure, cure: String?, due: Int? }
    let now: Int, next: Int?, nextFeed: String?, follows: Int, due: Int, failing: [Failure]
  }

  private func follow(_ name: String, due: Date?, _ state: Follow.State = .well, _ failure: String? = nil) -> Follow {
    Follow(
      feed: Feed(source: .usual, kind: .tag, value: name, server: photos), every: nil,
      schedule: .init(
        interval: .seconds(900), dueAt: due, pulledAt: servedAt - 600, state: state,
        failingSince: failure == nil ? nil : servedAt - 7200, failures: failure == nil ? 0 : 3, failure: failure))
  }

  @Test func `the status as JSON tells which refresh is due next, and what helps a feed that fails`() async throws {
    try await InsightServer.run { server in
      let store = server.library.store
      for one in [
        follow("cats", due: servedAt + 720), follow("dogs", due: servedAt + 60),
        follow("owls", due: nil, .gone, "it is gone"), follow("bats", due: servedAt - 5, .login, "log in"),
      ] { try store.follow(one, now: servedAt) }
      let status = try JSONDecoder().decode(Status.self, from: try await server.get("/api/status").body)
      #expect(status.now == Int(servedAt.timeIntervalSince1970))
      #expect(status.next == status.now - 5)
      #expect(status.nextFeed == "tag:bats@photos.example")
      #expect(status.follows == 4)
      #expect(status.due == 1)
      #expect(status.failing.map(\.feed) == ["tag:bats@photos.example", "tag:owls@photos.example"])
      #expect(status.failing.map(\.cure) == ["media login photos.example", "media follow tag:owls@photos.example"])
      #expect(status.failing.map(\.due) == [status.now - 5, nil])
      let page = try await server.page("/status")
      #expect(page.contains("due in 12 m"))
      // What is due is not late yet.
      #expect(page.contains("data-overdue=\"\(status.now + 115)\" hidden>"))
      #expect(page.contains("<code>media login photos.example</code>"))
      #expect(page.contains("it is gone"))
    }
  }

  @Test(arguments: [false, true])
  func `what nothing has pulled since it was due says so, with what pulls it`(isReadOnly: Bool) async throws {
    var options = GalleryServer.Options()
    options.isReadOnly = isReadOnly
    try await withGallery(options) { gallery in
      let due = gallery.clock.now - 300
      try gallery.library.store.follow(follow("cats", due: due), now: due)
      let page = try await gallery.get("/status", try await gallery.cookie()).body
      #expect(page.contains("was due 5 m ago"))
      #expect(!page.contains("\">now</span>"))
      let note = try #require(page.all(from: "<p class=\"overdue\"", to: "</p>").first)
      #expect(!note.contains(" hidden"))
      #expect(note.contains("Nothing has pulled what is due since <time datetime=\"\(UTC.text(due))\" "))
      #expect(note.contains("<code>media schedule install</code>"))
      #expect(note.contains("<kbd>r</kbd>") != isReadOnly)
    }
  }

  @Test(arguments: [(nil, "1 of 1 picture"), ("deu", "0 of 1 picture"), ("", "off")] as [(String?, String)])
  func `text is counted in the languages that it is read in, and not where it is not read`(
    languages: String?, shown: String
  ) async throws {
    try await withGallery(isEmpty: true, reading: languages) { gallery in
      let store = gallery.library.store
      try gallery.library.save(shot(1), with: Array("GIF89a".utf8))
      let file = try #require(try store.filesToInspect(for: [.text], atMost: 1).first)
      var inspection = FileInspection(of: file.number)
      (inspection.text, inspection.languages) = (.nothing, "eng")
      try store.keep([inspection], now: servedAt)
      let page = try await gallery.get("/status", try await gallery.cookie()).body
      #expect(page.contains("<dt>Text read</dt><dd>\(shown)</dd>"))
    }
  }

  @Test func `what changed since a copy into another library is said as in the terminal`() async throws {
    try await InsightServer.run { server in
      let library = server.library
      let id = try library.add(caption: "a heron")
      let marks = CopyMarks(in: library.folder)
      for name in ["postgresql://ann@db.example/lab", "/mnt/<b>&"] {
        marks.note(try CopyMarks.Mark(library.store, now: servedAt), of: name)
      }
      #expect(try await !server.page("/status").contains("to be sent"))
      _ = try library.delete([id])
      #expect(
        try await server.page("/status").contains("1 change waits to be sent to postgresql://ann@db.example/lab<"))
      try library.add(caption: "an owl")
      let page = try await server.page("/status")
      #expect(page.contains("2 changes wait to be sent to postgresql://ann@db.example/lab<"))
      #expect(page.contains("2 changes wait to be sent to /mnt/&lt;b&gt;&amp;<"))
      // What somebody else wrote there counts for nothing.
      try Data("{\"copies\":[]}".utf8).write(to: URL(filePath: "\(library.folder)/copies.json"))
      #expect(try await !server.page("/status").contains("to be sent"))
    }
  }

  /// A feed with two complete parts, a gap between them, and its end: from 40 to 30 and from 10 to 1 days ago.
  private func pullWithGap(_ library: Library) throws {
    func days(_ numbers: [Int]) -> [Post] { numbers.map { shot(1000 - $0, at: servedAt - Double($0) * 86_400) } }
    try library.save([sheet(days([30, 35, 40]), isLast: true)], of: kittens)
    try library.save([sheet(days([1, 5, 10]))], of: kittens)
  }

  @Test func `a gap is drawn where it is, between the complete parts, with what fills it`() async throws {
    try await InsightServer.run { server in
      try pullWithGap(server.library)
      // 50 days: a day is 2 %.
      let page = try await server.page("/status?days=50")
      let picture = try #require(page.all(from: "<svg class=\"stretch\"", to: "</details>").first)
      #expect(
        picture.all(from: "<rect class=\"complete\" x=\"", to: "\" y") == ["80%\" width=\"18%", "20%\" width=\"20%"])
      #expect(picture.all(from: "<rect class=\"gap\" x=\"", to: "\" y").first == "40%\" width=\"40%")
      #expect(picture.contains("fill=\"url(#hatch)\""))
      #expect(picture.contains("<line class=\"cap\" x1=\"20%\""))
      #expect(page.contains("id=\"hatch\""))
      // The gap in the picture leads to the line that fills it.
      #expect(picture.contains("<a href=\"#gap-0-0\" data-fill=\"tag:kittens@photos.example\""))
      let line = try #require(page.all(from: "<li id=\"gap-0-0\">", to: "</div>").first)
      #expect(line.contains("data-fill=\"tag:kittens@photos.example\""))
      #expect(line.contains("<code>media gaps tag:kittens@photos.example --fill</code>"))
      #expect(line.contains("(20 d)"))
      // And the same in words.
      #expect(page.contains("2 complete parts, 1 gap, not followed"))
      let coverage = try server.library.store.coverage(of: kittens)
      for part in coverage.intervals {
        #expect(page.contains("<td>complete</td><td><time datetime=\"\(UTC.text(part.from))\" "))
      }
    }
  }

  @Test func `a gap runs from the older date to the newer one, although the server's order is another`() async throws {
    try await InsightServer.run { server in
      // The post above the gap came late, with an old date.
      try server.library.save(
        [sheet([shot(3, at: servedAt - 5 * 86_400), shot(1, at: servedAt - 6 * 86_400)], isLast: true)], of: kittens)
      try server.library.save(
        [sheet([shot(9, at: servedAt - 86_400), shot(8, at: servedAt - 9 * 86_400)])], of: kittens)
      let gap = try #require(try server.library.store.coverage(of: kittens).gaps.first)
      let (from, to) = (try #require(gap.from), try #require(gap.to))
      #expect(from > to)
      let times = MomentText()
      let page = try await server.page("/status")
      let line = try #require(page.all(from: "<li id=\"gap-0-0\">", to: "</li>").first)
      #expect(line.contains("Gap: \(times.minute(to)) – \(times.minute(from)) (4 d)"))
      #expect(page.contains("gap from \(times.minute(to)) to \(times.minute(from))"))
      #expect(page.contains("<td>gap</td><td>\(times.minute(to))</td><td>\(times.minute(from))</td>"))
    }
  }

  @Test func `an unfinished pull is drawn with another pattern than a gap`() async throws {
    try await InsightServer.run { server in
      let pull = try server.library.store.beginPull(of: kittens, goal: PullGoal(pages: 4), now: servedAt)
      _ = try server.library.store.save(
        sheet([shot(1, at: servedAt - 86_400), shot(0, at: servedAt - 2 * 86_400)]), in: pull, pictures: true,
        now: servedAt)
      let page = try await server.page("/status?days=4")
      #expect(page.contains("<rect class=\"unfinished\" x=\"0%\" width=\"50%\""))
      #expect(page.contains("fill=\"url(#dots)\""))
      #expect(page.contains("</svg> Unfinished: "))
    }
  }

  @Test func `a feed that is followed is open above, one that is not has its end marked`() async throws {
    try await InsightServer.run { server in
      try pullWithGap(server.library)
      #expect(try await server.page("/status").contains("Nothing pulls it any more"))
      try server.library.store.follow(
        Follow(feed: kittens, every: nil, schedule: .init(interval: .seconds(60), dueAt: servedAt)), now: servedAt)
      let page = try await server.page("/status?days=50")
      #expect(!page.contains("Nothing pulls it any more"))
      #expect(page.contains("<line class=\"open\" x1=\"98%\" x2=\"100%\""))
    }
  }

  @Test func `harvests are drawn in the row of their outcome, and listed`() async throws {
    try await InsightServer.run { server in
      let store = server.library.store
      let good = try store.beginRun(of: 1, process: 1, now: servedAt - 7200)
      try store.note(.init(feed: kittens, outcome: .well), in: good)
      try store.finishRun(good, as: .done, code: 0, requests: 3, bytes: 4200, waited: .zero, now: servedAt - 7140)
      let bad = try store.beginRun(of: 1, process: 1, now: servedAt - 3600)
      try store.note(.init(feed: kittens, outcome: .failed, failure: "no <answer>"), in: bad)
      try store.keep([HarvestNotice(.disk, about: "disk", message: "The disk is nearly full.")], of: bad, toldAt: nil)
      try store.finishRun(bad, as: .done, code: 1, requests: 1, bytes: 0, waited: .zero, now: servedAt - 3590)
      let cut = try store.beginRun(of: 1, process: 1, now: servedAt - 1800)
      try store.finishRun(cut, as: .interrupted, code: 130, requests: 1, bytes: 0, waited: .zero, now: servedAt - 1790)
      let page = try await server.page("/status?days=1")
      #expect(page.contains("1 in order, 1 with failures, 1 ended early."))
      #expect(page.contains("class=\"run good\" x=\"91.67%\""))
      #expect(page.contains("class=\"run bad\" x=\"95.83%\""))
      #expect(page.contains("class=\"run warn\" x=\"97.92%\""))
      #expect(page.contains("kittens@photos.example: no &lt;answer&gt;"))
      #expect(page.contains("The disk is nearly full."))
      #expect(page.contains("4.2 kB"))
    }
  }

  @Test func `the space used is what lies on the disk`() async throws {
    try await InsightServer.run { server in
      try server.library.add(caption: "a file", attaching: [Array(repeating: 7, count: 123_456)])
      let thumbs = "\(server.library.folder)/cache/thumb/320/ab"
      try FileManager.default.createDirectory(atPath: thumbs, withIntermediateDirectories: true)
      try Data(count: 7_700).write(to: URL(fileURLWithPath: "\(thumbs)/c.webp"))
      let page = try await server.page("/status")
      #expect(page.contains("123.4 kB"))
      #expect(page.contains("7.7 kB"))
      #expect(page.contains("Free on the disk"))
    }
  }
}
