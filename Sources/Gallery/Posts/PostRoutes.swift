import HTTPTypes
import Hummingbird
import MediaLibrary
import NIOCore
import Storage
import Web

/// A post: as a page, as JSON, and as its server answered it.
struct PostRoutes: Sendable {
  let parts: GalleryParts

  func add(to router: Router<GalleryContext>) {
    router.get("/post/:id") { request, context in
      let id = try context.number("id")
      let address = ListAddress(request.fields)
      let page = try await parts.read { [isReadOnly = parts.isReadOnly] library in
        let reading = try PostReading(id, in: library)
        let neighbours = try Neighbours(of: reading.post, on: address, in: library, isOwners: !isReadOnly)
        let hidden = isReadOnly ? [] : try library.store.hiddenNames().map(\.name)
        return WholePostPage(
          reading: reading, address: address, neighbours: neighbours, isReadOnly: isReadOnly, hiddenNames: Set(hidden)
        ).html
      }
      return parts.page(page).withForm
    }
    router.get("/api/post/:id") { [isReadOnly = parts.isReadOnly] _, context in
      let id = try context.number("id")
      return Response(
        json: try await parts.read { try PostReading(id, in: $0).json(showsMarks: !isReadOnly) })
    }
    router.get("/post/:id/raw") { _, context in
      let id = try context.number("id")
      let text = try await parts.read { library in
        guard let whole = try library.store.post(id) else { throw RequestError.noPost(id) }
        guard let raw = whole.raw else { throw RequestError.noRawAnswer }
        return IndentedJSON.text(raw)
      }
      return Response(
        status: .ok,
        headers: [
          .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
          .contentSecurityPolicy: "sandbox; default-src 'none'",
        ],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }
}

/// The posts before and after a post on its list.
struct Neighbours: Sendable, Equatable {
  let previous: Int64?
  let next: Int64?

  /// Reads them. A post that has left the list still has its position.
  init(of post: StoredPost, on address: ListAddress, in library: Library, isOwners: Bool = false) throws {
    if let album = address.album,
      let window = try library.store.window(ofAlbum: album, around: .post(post.id), before: 1, after: 2),
      let index = window.reading.rows.firstIndex(where: { $0.post.id == post.id })
    {
      let ids = window.reading.rows.map(\.post.id)
      (previous, next) = (index > 0 ? ids[index - 1] : nil, index + 1 < ids.count ? ids[index + 1] : nil)
      return
    }
    let list = try address.list(in: library, isOwners: isOwners).listed(at: library.now())
    let key = try library.store.key(ofPost: post.id, on: list)
    let rows = try library.snapshot(of: list, window: Window(anchor: key, before: 1, after: 2)).rows
    previous = rows.first { row in key.map { row.key < $0 } ?? false }?.post.id
    next = rows.first { row in key.map { row.key > $0 } ?? false }?.post.id
  }
}

extension GalleryContext {
  /// A number in the path.
  func number(_ name: String) throws -> Int64 {
    guard let number = Int64(try parameters.require(name)) else { throw RequestError.nothingHere }
    return number
  }
}
