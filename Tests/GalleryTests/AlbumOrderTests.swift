import Filters
import Foundation
import MediaLibrary
import Posts
import Testing
import Web

@testable import Gallery

/// Lists that have the order of an album.
struct AlbumOrderTests {
  private static let marker = Marker(machine: "other", program: .command)

  private struct Answer: Decodable { let changed: [Int64], changes: [Int64] }

  /// Seven posts, the newest first, four of which an album has in an order of its own.
  private func fill(_ library: Library) throws -> (posts: [Int64], order: [Int64]) {
    try library.save(
      (0..<7).map { TestLibrary.post($0, at: TestLibrary.noon.addingTimeInterval(Double(-60 * $0))) },
      of: Feed(source: .usual, kind: .tag, value: "cats", server: Server("https://photos.example")!))
    let posts = try library.snapshot(of: PostListQuery()).rows.map(\.post.id)
    let order = [4, 1, 6, 0].map { posts[$0] }
    try library.store.createAlbum("Win ter", by: Self.marker, now: TestLibrary.noon)
    try library.store.add(order, toAlbum: "Win ter", by: Self.marker, now: TestLibrary.noon)
    return (posts, order)
  }

  @Test func `a filter that names an album and nothing else lists it in its order`() throws {
    let library = try TestLibrary()
    let (posts, order) = try fill(library.library)
    let album = try library.answer("q=in:%22win%20ter%22")
    #expect(album.id == order && album.album == "Win ter" && album.total == 4 && album.unknown == nil)
    #expect(try library.answer("q=in:nowhere").unknown?.hasPrefix("there is no album \"nowhere\"") == true)
    let positions = try #require(album.positions)
    #expect(positions == positions.sorted())
    let rest = try library.answer("q=in:%22win%20ter%22&around=\(positions[2].queryEncoded)&before=1&after=1")
    #expect(rest.id == [order[1], order[2]] && rest.before && rest.after)
    // Far in the past is the end.
    let end = try library.answer("q=in:%22win%20ter%22&date=-62135596800&before=2&after=1")
    #expect(end.id == Array(order.suffix(2)) && end.before && !end.after)
    for filter in ["in:%22win%20ter%22%20cat", "-in:other", "in:%22win%20ter%22,other", "in:nowhere"] {
      let other = try library.answer("q=\(filter)")
      #expect(
        other.album == nil && other.positions == nil
          && other.id == other.id.sorted(by: { posts.firstIndex(of: $0)! < posts.firstIndex(of: $1)! }), "\(filter)")
    }
    #expect(try library.answer("q=in:%22win%20ter%22&tag=cats").album == nil)
  }

  @Test func `an order of no meaning has all posts of a list, whatever order the list has`() throws {
    let library = try TestLibrary()
    let (posts, order) = try fill(library.library)
    for (filter, all) in [
      ("in:%22win%20ter%22", order), ("sort:oldest", posts), ("cat%20OR%20dog", posts), ("", posts),
    ] {
      let mixes = try (0..<20).map { try library.answer("q=\(filter)&random=\($0)").id }
      #expect(mixes.allSatisfy { $0.sorted() == all.sorted() } && Set(mixes).count > 5, "\(filter)")
      let rest = try library.answer("q=\(filter)&random=7&at=\(mixes[7][1])&before=0")
      #expect(rest.id == Array(mixes[7][1...]), "\(filter)")
    }
  }

  @Test func `the posts beside one, and its position, are those of the album`() throws {
    let library = try TestLibrary()
    let (posts, order) = try fill(library.library)
    let post = try #require(try library.library.store.post(order[1])?.post)
    var album = ListAddress()
    album.search = "in:\"Win ter\""
    let neighbours = try Neighbours(of: post, on: album, in: library.library)
    #expect(neighbours.previous == order[0] && neighbours.next == order[2])
    #expect(try album.position(of: order[2], in: library.library) == 3)
    for (index, id) in posts.enumerated() {
      #expect(try ListAddress().position(of: id, in: library.library) == index + 1)
    }
    // A saved search has an order of its own, too.
    try library.library.store.save(
      Filter(parsing: "sort:oldest"), as: "old", by: Self.marker, now: library.library.now())
    var saved = ListAddress()
    saved.search = "saved:old"
    #expect(try saved.position(of: posts[0], in: library.library) == nil)
    #expect(throws: RequestError.noPost(404)) { try ListAddress().position(of: 404, in: library.library) }
  }

  @Test func `posts are moved within an album, and a move is undone`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      let (_, order) = try fill(gallery.library)
      let cookie = try await gallery.cookie()
      func move(_ body: String) async throws -> (status: Int, answer: Answer?) {
        let answer = try await gallery.post("/api/album/move", body, cookie)
        return (answer.status, try? JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8)))
      }
      func now() throws -> [Int64] { try gallery.library.store.posts(ofAlbum: "Win ter") }

      let both = try await move(#"{"ids":[\#(order[3]),\#(order[2])],"album":"win ter","before":\#(order[0])}"#)
      #expect(try now() == [3, 2, 0, 1].map { order[$0] })
      let changes = try #require(both.answer?.changes)
      #expect(changes.count == 2 && both.answer?.changed == [order[2], order[3]].sorted())
      #expect(try await gallery.post("/api/undo", #"{"changes":\#(changes)}"#, cookie).status == 200)
      #expect(try now() == order)
      _ = try await move(#"{"ids":[\#(order[2])],"album":"Win ter","toStart":true}"#)
      #expect(try now() == [2, 0, 1, 3].map { order[$0] })
      _ = try await move(#"{"ids":[\#(order[2])],"album":"Win ter","before":null}"#)
      #expect(try now() == [0, 1, 3, 2].map { order[$0] })
      #expect(try await move(#"{"ids":[\#(order[2])],"album":"Summer"}"#).status == 404)
      #expect(try await move(#"{"ids":[404],"album":"Win ter"}"#).status == 400)
      let many = Array(repeating: order[0], count: 501)
      #expect(try await move(#"{"ids":\#(many),"album":"Win ter"}"#).status == 400)
    }
  }

  @Test func `all posts of a list are named, for whoever selects them`() async throws {
    struct Numbers: Decodable { let ids: [Int64] }
    try await withGallery(isEmpty: true) { gallery in
      let (posts, order) = try fill(gallery.library)
      let cookie = try await gallery.cookie()
      for (query, wanted) in [("", posts), ("?q=in:%22Win%20ter%22", order), ("?deleted=1", [])] {
        let answer = try await gallery.get("/api/ids\(query)", cookie)
        let ids = try JSONDecoder().decode(Numbers.self, from: Data(answer.body.utf8)).ids
        #expect(ids.sorted() == wanted.sorted(), "\(query)")
      }
    }
  }

  @Test func `the posts of a list between two are named in its order, whichever comes first`() async throws {
    struct Numbers: Decodable { let ids: [Int64] }
    try await withGallery(isEmpty: true) { gallery in
      let (posts, order) = try fill(gallery.library)
      let cookie = try await gallery.cookie()
      for (query, list) in [("", posts), ("&q=in:%22Win%20ter%22", order)] {
        for (one, other) in [(0, 2), (2, 0), (1, 1), (3, 1)] {
          let answer = try await gallery.get("/api/ids?from=\(list[one])&to=\(list[other])\(query)", cookie)
          let ids = try JSONDecoder().decode(Numbers.self, from: Data(answer.body.utf8)).ids
          #expect(ids == Array(list[min(one, other)...max(one, other)]), "\(query) \(one) \(other)")
        }
        #expect(try await gallery.get("/api/ids?from=\(list[0])&to=404\(query)", cookie).status == 404)
        for bad in ["from=1", "to=1", "from=x&to=1"] {
          #expect(try await gallery.get("/api/ids?\(bad)\(query)", cookie).status == 400)
        }
      }
    }
  }

  @Test func `the side list counts albums and searches, and only for whoever may mark`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      let cookie = try await gallery.cookie()
      #expect(try await gallery.get("/", cookie).body.contains("<details class=\"places side\" hidden>"))
      let (_, order) = try fill(gallery.library)
      try gallery.library.store.save(try Filter(parsing: "tag3"), as: "good", by: Self.marker, now: TestLibrary.noon)
      func places() async throws -> [[String: String]] {
        let answer = try await gallery.get("/api/places", cookie).object
        return ["albums", "searches"].flatMap { answer[$0] as? [[String: String]] ?? [] }
      }
      let good = ["name": "good", "filter": "saved:good", "count": "1"]
      #expect(try await places() == [["name": "Win ter", "filter": "in:\"Win ter\"", "count": "4"], good])
      try gallery.library.store.delete([order[0]], now: TestLibrary.noon)
      #expect(try await places().map(\.["count"]) == ["3", "1"])
      let page = try await gallery.get("/?q=in:%22Win%20ter%22", cookie).body
      #expect(page.contains("aria-current=\"page\" data-place=\"in:&quot;Win ter&quot;\" data-album=\"Win ter\""))
    }
    try await withGallery(.init(isReadOnly: true), isEmpty: true) { gallery in
      let cookie = try await gallery.cookie()
      #expect(try await gallery.get("/api/places", cookie).status == 403)
      #expect(try await !gallery.get("/", cookie).body.contains("places side"))
    }
  }
}
