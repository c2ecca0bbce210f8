import CZstd
import HTTPTypes
import Hummingbird
import NIOCore

/// The gallery's own scripts, stylesheets and icons, without comments; compressed for browsers that take Zstandard (RFC 8878).
struct AssetRoutes: Sendable {
  private struct Asset: Sendable {
    let type: String
    let bytes: [UInt8]
    let compressed: [UInt8]
    let entityTag: String

    init(type: String, bytes written: [UInt8]) {
      let bytes = type.hasPrefix("text/") ? SentText.bytes(of: written) : written
      (self.type, self.bytes) = (type, bytes)
      compressed = Self.compress(bytes)
      // FNV-1a: tells a version of the file from another.
      let hash = bytes.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
      entityTag = "\"\(String(hash, radix: 36))\""
    }

    /// The highest level without more memory for the browser. 171 kB take 0.1 s, once.
    private static let level: Int32 = 19

    /// Empty if it cannot be compressed.
    private static func compress(_ bytes: [UInt8]) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
        let written = ZSTD_compress(buffer.baseAddress, buffer.count, bytes, bytes.count, level)
        count = ZSTD_isError(written) == 0 ? written : 0
      }
    }

    /// The answer to a browser with these headers.
    func response(to headers: HTTPFields) -> Response {
      var fields: HTTPFields = [
        .contentType: type, .cacheControl: "no-cache", .eTag: entityTag, .vary: "Accept-Encoding",
      ]
      if headers[.ifNoneMatch] == entityTag { return Response(status: .notModified, headers: fields) }
      let takesZstandard = headers[.acceptEncoding]?.split(separator: ",").contains { $0.contains("zstd") } ?? false
      guard takesZstandard, !compressed.isEmpty else {
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
      }
      fields[.contentEncoding] = "zstd"
      return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: compressed)))
    }
  }

  private static let script = "text/javascript; charset=utf-8"
  private static let style = "text/css; charset=utf-8"

  private static let assets: [String: Asset] = [
    "gallery.js": Asset(type: script, bytes: PackageResources.gallery_js),
    "arrange.js": Asset(type: script, bytes: PackageResources.arrange_js),
    "picture.js": Asset(type: script, bytes: PackageResources.picture_js),
    "overlay.js": Asset(type: script, bytes: PackageResources.overlay_js),
    "actions.js": Asset(type: script, bytes: PackageResources.actions_js),
    "blurhash.js": Asset(type: script, bytes: PackageResources.blurhash_js),
    "cells.js": Asset(type: script, bytes: PackageResources.cells_js),
    "due.js": Asset(type: script, bytes: PackageResources.due_js),
    "dialogs.js": Asset(type: script, bytes: PackageResources.dialogs_js),
    "filter.js": Asset(type: script, bytes: PackageResources.filter_js),
    "grid.js": Asset(type: script, bytes: PackageResources.grid_js),
    "keys.js": Asset(type: script, bytes: PackageResources.keys_js),
    "layout.js": Asset(type: script, bytes: PackageResources.layout_js),
    "live.js": Asset(type: script, bytes: PackageResources.live_js),
    "marks.js": Asset(type: script, bytes: PackageResources.marks_js),
    "parts.js": Asset(type: script, bytes: PackageResources.parts_js),
    "rows.js": Asset(type: script, bytes: PackageResources.rows_js),
    "scrubber.js": Asset(type: script, bytes: PackageResources.scrubber_js),
    "select.js": Asset(type: script, bytes: PackageResources.select_js),
    "touch.js": Asset(type: script, bytes: PackageResources.touch_js),
    "viewport.js": Asset(type: script, bytes: PackageResources.viewport_js),
    "post.js": Asset(type: script, bytes: PackageResources.post_js),
    "pages.js": Asset(type: script, bytes: PackageResources.pages_js),
    "jobs.js": Asset(type: script, bytes: PackageResources.jobs_js),
    "pull.js": Asset(type: script, bytes: PackageResources.pull_js),
    "login.js": Asset(type: script, bytes: PackageResources.login_js),
    "map.js": Asset(type: script, bytes: PackageResources.map_js),
    "add.js": Asset(type: script, bytes: PackageResources.add_js),
    "theme.js": Asset(type: script, bytes: PackageResources.theme_js),
    "gallery.css": Asset(type: style, bytes: PackageResources.gallery_css),
    "insights.css": Asset(type: style, bytes: PackageResources.insights_css),
    "media.webmanifest": Asset(type: "application/manifest+json", bytes: PackageResources.media_webmanifest),
    "icon.svg": Asset(type: "image/svg+xml", bytes: PackageResources.icon_svg),
    "icon-192.png": Asset(type: "image/png", bytes: PackageResources.icon_192_png),
    "icon-512.png": Asset(type: "image/png", bytes: PackageResources.icon_512_png),
  ]

  /// What browsers ask for where no page names an icon, such as for a picture in a tab of its own.
  static let iconPath = "/favicon.ico"

  /// Whether a path is one of these files. They hold no secrets, and nothing of the library.
  static func have(_ path: String) -> Bool { path.hasPrefix("/assets/") || path == iconPath }

  static var names: [String] { Array(assets.keys) }

  /// Compresses the files, so that the first request need not wait for it.
  static func prepare() async { _ = assets }

  func add(to router: Router<GalleryContext>) {
    router.get("/assets/:name") { request, context in
      try Self.response(to: request, try context.parameters.require("name"))
    }
    router.get(RouterPath(Self.iconPath)) { request, _ in try Self.response(to: request, "icon-192.png") }
  }

  private static func response(to request: Request, _ name: String) throws -> Response {
    guard let asset = assets[name] else { throw RequestError.nothingHere }
    return asset.response(to: request.headers)
  }
}
