import Blobs
import Hummingbird
import MediaLibrary
import Storage
import Web

/// The newest picture of a list, which stands for it beside its name.
struct CoverRoutes: Sendable {
  let parts: GalleryParts

  private static let path = "/cover"
  /// How many of the newest posts are looked at.
  private static let candidates = 12

  /// The cover of the list with these parameters. Without one there is an empty place.
  static func html(_ query: String) -> HTML {
    "<img class=\"face\" src=\"\(path)?\(query)\" alt=\"\" loading=\"lazy\" width=\"56\" height=\"56\">"
  }

  func add(to router: Router<GalleryContext>) {
    router.get(RouterPath(Self.path)) { [candidates = Self.candidates] request, _ in
      let address = ListAddress(request.fields)
      let cover = try await parts.read { library -> BlobID? in
        let list = try address.list(in: library).listed(at: library.now())
        return try library.snapshot(of: list, window: Window(after: candidates)).rows.lazy.compactMap { $0.post.cover }
          .first
      }
      guard let cover else { throw RequestError.noBlob }
      return Response(
        status: .found, headers: [.location: "/thumb/320/\(cover.hex)", .cacheControl: "private, max-age=300"])
    }
  }
}

extension StoredPost {
  /// The first picture that anybody may see at once.
  fileprivate var cover: BlobID? {
    guard shownWarning == nil else { return nil }
    return attachments.lazy.filter { $0.kind != .audio && $0.kind != .file }.compactMap(\.blob).first
  }
}
