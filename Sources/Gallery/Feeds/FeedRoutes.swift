import Blobs
import HTTPTypes
import Hummingbird
import MediaLibrary
import NIOCore

/// Any list as a feed, for programs that read feeds.
///
/// Such a program cannot sign in: a read token in the address lets it through, and only below `/feed/`. So the addresses of
/// pictures carry the token too, and lie there.
struct FeedRoutes: Sendable {
  let parts: GalleryParts
  let origin: FeedOrigin

  /// The path of a picture in a feed, before its name.
  static let blobPath = "/feed/blob/"

  func add(to router: Router<GalleryContext>) {
    for format in FeedFormat.allCases {
      router.get("/feed/all.\(format.rawValue)") { request, context in
        let wanted = try FeedRequest(request.fields, format, origin: origin.text(request, context))
        let page = try await parts.read { try FeedPage(wanted, in: $0) }
        return Self.response(to: request, format, page)
      }
    }
  }

  private static func response(to request: Request, _ format: FeedFormat, _ page: FeedPage) -> Response {
    let bytes = Array(page.text(format).utf8)
    let tag = "\"\(BlobID(hashing: bytes).hex)\""
    // The tag decides alone whether the document is new: a post that is deleted makes the newest date older.
    var headers: HTTPFields = [.eTag: tag, .cacheControl: "private, no-cache", .contentType: format.contentType]
    if let date = page.updatedAt { headers[.lastModified] = FieldDate.text(date) }
    guard !EntityTags.list(request.headers[.ifNoneMatch], contains: tag) else {
      return Response(status: .notModified, headers: headers)
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// The gallery's own address, as the one who asks knows it. Addresses in a feed are whole: its reader keeps them.
struct FeedOrigin: Sendable {
  let isSecure: Bool
  let isBehindProxy: Bool

  /// `http://127.0.0.1:8787`.
  func text(_ request: Request, _ context: GalleryContext) -> String {
    // Its host was checked before any route saw the request.
    let caller = Caller(request, context, isBehindProxy: isBehindProxy)
    let scheme = caller.scheme ?? (isSecure || isBehindProxy ? "https" : "http")
    return "\(scheme == "https" ? "https" : "http")://\(caller.authority ?? "127.0.0.1")"
  }
}

/// The formats of feeds.
enum FeedFormat: String, CaseIterable, Sendable {
  case atom, json

  var contentType: String {
    switch self {
    case .atom: "application/atom+xml; charset=utf-8"
    case .json: "application/feed+json; charset=utf-8"
    }
  }
}
