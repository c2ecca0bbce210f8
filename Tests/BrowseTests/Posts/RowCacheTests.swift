import Foundation
import MediaLibrary
import Testing

@testable import Browse

/// Rows are made once per version of their posts.
struct MadeRowsTests {
  private let cats = Feed(source: .usual, kind: .tag, value: "cats", server: Server("social.example")!)

  @Test func `rows that are sorted stand below no days, and between them is no gap`() throws {
    let folder = "\(NSTemporaryDirectory())/rows.\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let now = Date(timeIntervalSince1970: 1_763_640_000)
    let library = try Library(in: folder) { now }
    defer { library.close() }
    _ = try library.save([Page(items: [item(3, "c"), item(2, "b"), item(1, "a")], next: .end)], of: cats)
    var made = RowCache()
    func reading(_ order: String?) throws -> ListReading {
      var list = PostListQuery(grouping: .day(.gmt))
      list.filter = try order.map { PostFilter(try Filter(parsing: "sort:\($0)"), now: now) }
      var reading = ListReading(try library.snapshot(of: list), made: &made)
      let middle = Date(timeIntervalSince1970: 1_700_000_000 + 90)
      reading.put([ListGap(id: ListGap.ID(upper: 1, lower: 0), to: middle, from: middle - 1)])
      return reading
    }
    #expect(try reading(nil).sections.count == 1 && reading(nil).breaks.count == 1)
    let oldest = try reading("oldest")
    #expect(oldest.sections.isEmpty && oldest.breaks.isEmpty)
    #expect(oldest.rows.map(\.id) == (try reading(nil)).rows.map(\.id).reversed())
  }

  private func item(_ number: Int, _ caption: String) -> PageItem {
    let post = Post(
      source: .usual, uri: "https://social.example/\(number)", server: cats.server, remoteID: "\(number)",
      createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60), caption: caption)
    return PageItem(id: post.remoteID, content: .post(post), raw: Array("{}".utf8))
  }

  @Test func `rows that were made before read as rows made anew, whatever became of their posts`() throws {
    let folder = "\(NSTemporaryDirectory())/rows.\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let library = try Library(in: folder) { Date(timeIntervalSince1970: 1_763_640_000) }
    defer { library.close() }
    var made = RowCache()
    func reading() throws -> (kept: ListReading, fresh: ListReading) {
      let snapshot = try library.snapshot(of: PostListQuery())
      var none = RowCache()
      return (
        ListReading(snapshot, made: &made), ListReading(snapshot, made: &none)
      )
    }
    _ = try library.save([Page(items: [item(3, "c"), item(2, "b"), item(1, "a")], next: .end)], of: cats)
    let first = try reading()
    #expect(first.kept == first.fresh && first.kept.rows.count == 3)
    _ = try library.save([Page(items: [item(4, "d"), item(2, "edited")], next: .end)], of: cats)
    _ = try library.delete([first.kept.rows[2].id])
    let second = try reading()
    #expect(second.kept == second.fresh)
    #expect(second.kept.rows.map(\.id).suffix(2) == first.kept.rows.map(\.id).prefix(2))
    #expect(second.kept.rows.last != first.kept.rows[1], "the edit is seen")
    _ = try library.store.restore([first.kept.rows[2].id], now: Date(timeIntervalSince1970: 1_763_640_000))
    let third = try reading()
    #expect(third.kept == third.fresh && third.kept.rows.count == 4)
  }
}
