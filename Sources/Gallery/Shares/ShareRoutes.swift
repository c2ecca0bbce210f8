import Blobs
import Derivatives
import HTTPTypes
import Hummingbird
import MediaLibrary
import NIOCore
import Storage

/// The pages of shares, for whoever has the address: `/share/TOKEN/`. No cookie is set, needed or read.
///
/// Each request asks the store whether the share is open, and whether it shows what is asked for. Revoked, ended and unknown
/// shares, and files that a share does not show, have the same answer.
struct ShareRoutes: Sendable {
  let parts: GalleryParts
  let derivatives: Derivatives
  let gate: ShareGate

  /// What all paths of shares begin with.
  static let prefix = "/share/"
  static let stylePath = "/share/style.css"
  private static let perPage = 30

  func add(to router: Router<GalleryContext>) {
    router.get(RouterPath(Self.stylePath)) { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/css; charset=utf-8", .cacheControl: "private, max-age=3600"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: SharePage.style)))
    }
    router.get("/share/:token") { request, context in
      // What pictures are called leads from a path that ends with a slash.
      guard request.uri.path.hasSuffix("/") else {
        return Response(status: .permanentRedirect, headers: [.location: "\(request.uri.path)/"])
      }
      let share = try await gate.share(request, context)
      let wanted = request.fields.count("page", atMost: .max) ?? 1
      return Response(html: try await parts.read { try Self.page(wanted, of: share, in: $0) }.html)
    }
    router.get("/share/:token/thumb/:size/:name") { request, context in
      let share = try await gate.share(request, context)
      let size = Int(try context.parameters.require("size")).flatMap(Derivatives.Size.init(rawValue:))
      guard let size, let id = try await blob(of: share, context) else { throw RequestError.nothingHere }
      return try await ThumbRoutes.response(to: request, id, size, derivatives, caching: Self.caching)
    }
    router.get("/share/:token/blob/:name") { request, context in
      let share = try await gate.share(request, context)
      guard share.hasOriginals, let id = try await blob(of: share, context) else { throw RequestError.nothingHere }
      return try await BlobRoutes.published(to: request, id, parts, derivatives.cleanCopies, caching: Self.caching)
    }
  }

  /// The browser asks each time, so that a revocation counts.
  private static let caching = "private, no-cache"

  /// The file that is asked for, if the share shows a post with it.
  private func blob(of share: StoredShare, _ context: GalleryContext) async throws -> BlobID? {
    guard let id = BlobID(try context.parameters.require("name")) else { return nil }
    return try await parts.read { try $0.store.does(share, show: id, now: $0.now()) } ? id : nil
  }

  private static func page(_ wanted: Int, of share: StoredShare, in library: Library) throws -> SharePage {
    let all = try library.store.posts(of: share, now: library.now())
    let pages = max(1, (all.count + perPage - 1) / perPage)
    guard (1...pages).contains(wanted) else { throw RequestError.nothingHere }
    let part = Array(all.dropFirst((wanted - 1) * perPage).prefix(perPage))
    let known = Dictionary(try library.store.posts(numbered: part).map { ($0.id, $0) }) { one, _ in one }
    return SharePage(
      title: share.title, hasOriginals: share.hasOriginals, posts: part.compactMap { known[$0] }, page: wanted,
      pages: pages)
  }
}
