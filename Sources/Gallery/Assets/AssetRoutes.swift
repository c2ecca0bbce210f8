import HTTPTypes
import Hummingbird
import NIOCore

/// The gallery's own scripts and stylesheet, as they are written.
struct AssetRoutes: Sendable {
  private struct Asset: Sendable {
    let type: String
    let bytes: [UInt8]
  }

  private static let script = "text/javascript; charset=utf-8"

  private static let assets: [String: Asset] = [
    "gallery.js": Asset(type: script, bytes: PackageResources.gallery_js),
    "gallery.css": Asset(type: "text/css; charset=utf-8", bytes: PackageResources.gallery_css),
  ]

  func add(to router: Router<GalleryContext>) {
    router.get("/assets/:name") { _, context in
      guard let asset = Self.assets[try context.parameters.require("name")] else { throw RequestError.nothingHere }
      return Response(
        status: .ok, headers: [.contentType: asset.type, .cacheControl: "no-cache"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }
  }
}
