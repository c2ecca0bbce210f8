import Foundation
import MediaLibrary
import Posts
import Storage
import Synchronization
import Testing
import Web
import Wording

@testable import Gallery

struct StatisticsTests {
  @Test func `the page and its tables have the counts of the store`() async throws {
    try await InsightServer.run { server in
      let posts = (0..<60).map { number in
        shot(
          number, at: servedAt - Double(number) * 86_400, by: number % 3 == 0 ? "Bob" : "Ada",
          source: number % 4 == 0 ? SourceName(rawValue: "feed") : .usual)
      }
      try server.library.save(posts, of: kittens)
      try server.library.add(caption: "a file", attaching: [Array(repeating: 7, count: 5000)])
      let page = try await server.page("/statistics")
      let statistics = try server.library.store.statistics(StatisticsQuery(zone: .autoupdatingCurrent))
      #expect(page.contains("61 posts from"))
      #expect(page.all(from: "<g><title>", to: ":").count == statistics.posts.count + statistics.growth.count)
      for tag in statistics.tags {
        #expect(
          page.contains(
            "#\(tag.name)</bdi></a></span> <span class=\"number\" title=\"\(tag.count) posts\">\(tag.count)<"))
      }
      #expect(page.contains("(mastodon 1, feed 1)") == false)
      #expect(page.contains("5.0 kB"))
      // One day alone.
      let day = MomentText().day(servedAt - 86_400)
      let one = try await server.page("/statistics?from=\(day)&to=\(day)")
      #expect(one.contains("1 post from \(day) to \(day)."))
    }
  }

  @Test func `a cell of a CSV file that a spreadsheet would compute is guarded`() {
    let cells = ["=1+1", "+1", "-1", "@cmd", "\t=1", "plain", "a,b", "say \"hi\"", "＝1", "=\u{301}1", "a\r\nb"]
    #expect(
      cells.map(StatisticsCSV.cell) == [
        "\"'=1+1\"", "\"'+1\"", "\"'-1\"", "\"'@cmd\"", "\"'\t=1\"", "plain", "\"a,b\"", "\"say \"\"hi\"\"\"",
        "\"'＝1\"",
        "\"'=\u{301}1\"", "\"a\r\nb\"",
      ])
  }

  @Test func `the CSV files have the rows of the tables`() async throws {
    try await InsightServer.run { server in
      var post = shot(2, at: servedAt - 60, tags: ["=evil()"])
      post.author?.name = "@SUM(A1)"
      try server.library.save([post, shot(1, at: servedAt - 120)], of: kittens)
      let posts = try await server.get("/statistics.csv?part=posts")
      #expect(posts.headers["content-type"]?.hasPrefix("text/csv") == true)
      #expect(posts.headers["content-disposition"] == "attachment; filename=\"media-posts.csv\"")
      #expect(posts.text == "day,source,posts\r\n\(MomentText().day(servedAt)),mastodon,2\r\n")
      #expect(try await server.get("/statistics.csv?part=tags").text.contains("\"'=evil()\",1\r\n"))
      #expect(try await server.get("/statistics.csv?part=authors").text.contains("\"'@SUM(A1)\""))
    }
  }

  @Test func `a value is computed once for those who ask at the same time, and again after a change`() async throws {
    let position = Mutex(1)
    let values = ComputedValues<Int, Int> { ChangePosition(number: Int64(position.withLock { $0 }), mark: 1) }
    let count = Mutex(0)
    let (open, opens) = AsyncStream.makeStream(of: Void.self)
    let compute: @Sendable () async throws -> Int = {
      for await _ in open { break }
      return count.withLock { count in
        count += 1
        return count
      }
    }
    let all = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await values.value(for: 7, compute) } }
      opens.yield()
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(all == Array(repeating: 1, count: 8))
    position.withLock { $0 = 2 }
    opens.yield()
    #expect(try await values.value(for: 7, compute) == 2)
    #expect(try await values.value(for: 7, compute) == 2)
  }

  @Test func `a computation that fails is tried again`() async throws {
    struct Fault: Error {}
    let values = ComputedValues<Int, Int> { ChangePosition(number: 1, mark: 1) }
    await #expect(throws: Fault.self) { try await values.value(for: 7) { throw Fault() } }
    #expect(try await values.value(for: 7) { 3 } == 3)
  }

  @Test(arguments: [1.0 / 24, 1, 7, 200, 7300])
  func `an axis has a few round marks, whatever its length`(days: Double) {
    let zone = TimeZone(identifier: "Europe/Berlin")!
    let axis = TimeAxis(DateInterval(start: servedAt - days * 86_400, end: servedAt), zone)
    let marks = axis.marks(atMost: 5)
    #expect((1...6).contains(marks.count))
    #expect(marks.map(\.position) == marks.map(\.position).sorted())
    #expect(marks.allSatisfy { (0...1).contains($0.position) })
  }
}
