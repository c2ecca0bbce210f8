import Foundation
import MediaLibrary
import Posts
import Testing
import Web

@testable import Gallery

/// Lists that a filter sorts, and what their words find.
struct SortedWindowTests {
  private static let marker = Marker(machine: "other", program: .command)

  private struct Found: Decodable { let id: [Int64] }

  /// Seven posts, the newest first, rated 0 to 3. The oldest has a note.
  private func fill(_ library: Library) throws -> [Int64] {
    try library.save(
      (0..<7).map { TestLibrary.post($0, at: TestLibrary.noon.addingTimeInterval(Double(-60 * $0))) },
      of: Feed(source: .usual, kind: .tag, value: "cats", server: Server("https://photos.example")!))
    let posts = try library.snapshot(of: PostListQuery()).rows.map(\.post.id)
    for (index, id) in posts.enumerated() {
      try library.store.mark([id], [.rating(index % 4)], by: Self.marker, now: TestLibrary.noon)
    }
    try library.store.mark([posts[6]], [.note("zanzibar")], by: Self.marker, now: TestLibrary.noon)
    return posts
  }

  @Test(arguments: [
    ("oldest", [6, 5, 4, 3, 2, 1, 0]), ("rating", [3, 2, 6, 1, 5, 0, 4]), ("size", [0, 1, 2, 3, 4, 5, 6]),
  ])
  func `a sorted list is read in parts by positions that sort as texts`(order: String, wanted: [Int]) throws {
    let library = try TestLibrary()
    let posts = try fill(library.library)
    let ids = wanted.map { posts[$0] }
    let whole = try library.answer("q=sort:\(order)")
    #expect(whole.id == ids && whole.album == nil)
    let positions = try #require(whole.positions)
    #expect(positions == positions.sorted())
    for (index, position) in positions.enumerated() {
      let part = try library.answer("q=sort:\(order)&around=\(position.queryEncoded)&before=1&after=2")
      #expect(part.id == Array(ids[max(index - 1, 0)..<min(index + 2, 7)]))
      #expect(try library.answer("q=sort:\(order)&at=\(ids[index])&before=1&after=2").id == part.id)
    }
    let end = try library.answer("q=sort:\(order)&date=-62135596800&before=2&after=1")
    #expect(end.id == Array(ids.suffix(3)) && end.before && !end.after)
    var address = ListAddress()
    address.search = "sort:\(order)"
    let post = try #require(try library.library.store.post(ids[3])?.post)
    let neighbours = try Neighbours(of: post, on: address, in: library.library)
    #expect(neighbours.previous == ids[2] && neighbours.next == ids[4])
    #expect(try address.position(of: ids[3], in: library.library) == nil)
  }

  @Test(arguments: [
    "/x/0/0/0", "/x/0/0/0/0/0", "/x/0/-1/0", "/x/0/0/-1", "/x/y/0/0", "/x/0/9223372036854775807/9223372036854775807",
    "//////", "x/0/0/0/0",
  ])
  func `what is no position of a row is refused or leads somewhere`(text: String) throws {
    let library = try TestLibrary()
    _ = try fill(library.library)
    for order in ["oldest", "rating"] {
      do { _ = try library.answer("q=sort:\(order)&around=\(text.queryEncoded)") } catch let error as RequestError {
        #expect(error.status == .badRequest)
      }
    }
  }

  @Test func `notes and ratings are told to the owner alone`() async throws {
    for isReadOnly in [false, true] {
      try await withGallery(.init(isReadOnly: isReadOnly), isEmpty: true) { gallery in
        let posts = try fill(gallery.library)
        let cookie = try await gallery.cookie()
        for path in ["/api/list?q=zanzibar", "/api/list?q=zanzibar%20OR%20nothing"] {
          let answer = try await gallery.get(path, cookie)
          let found = try JSONDecoder().decode(Found.self, from: Data(answer.body.utf8)).id
          #expect(found == (isReadOnly ? [] : [posts[6]]), "\(path)")
        }
        #expect(try await gallery.get("/api/list?q=sort:rating", cookie).status == (isReadOnly ? 403 : 200))
        #expect(try await gallery.get("/api/list?q=sort:oldest", cookie).status == 200)
        #expect(try await gallery.get("/feed/all.atom", cookie).body.contains("<entry>"))
        let feed = try await gallery.get("/feed/all.atom?q=zanzibar", cookie)
        #expect(feed.status == 200 && !feed.body.contains("<entry>"))
      }
    }
  }
}
