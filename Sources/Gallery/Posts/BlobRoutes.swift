import Blobs
import HTTPTypes
import Hummingbird
import MediaLibrary
import NIOCore
import Storage

/// The stored bytes of pictures and files. A name is the hash of its bytes, so an answer never changes.
struct BlobRoutes: Sendable {
  let parts: GalleryParts
  /// Where browsers read large files; nil if the gallery sends them.
  var direct: DirectReading?

  func add(to router: Router<GalleryContext>) {
    add(at: "/blob/:name", to: router, direct)
    // For programs that read feeds: a read token counts only below `/feed/`. An address would outlive a token.
    add(at: "\(FeedRoutes.blobPath):name", to: router, nil)
  }

  private func add(at path: RouterPath, to router: Router<GalleryContext>, _ direct: DirectReading?) {
    router.get(path) { request, context in
      guard let id = BlobID(try context.parameters.require("name")) else { throw RequestError.noBlob }
      return try await Self.response(
        to: request, id, parts, direct: direct, caching: "private, max-age=31536000, immutable")
    }
  }

  /// The answer to a request for a blob.
  ///
  /// - Parameter caching: The `Cache-Control` of the bytes.
  /// - Throws: `RequestError`, or why the library cannot be read.
  static func response(
    to request: Request, _ id: BlobID, _ parts: GalleryParts, direct: DirectReading?, caching: String
  ) async throws -> Response {
    let stored = try await parts.read { library -> StoredBlob? in
      guard let blob = try library.store.blob(id) else { return nil }
      guard let info = try library.blobs.stat(id) else { return nil }
      guard info.byteCount == blob.byteCount else { throw RequestError.damagedBlob }
      return blob
    }
    guard let stored else { throw RequestError.noBlob }
    return try await BlobAnswer(blob: stored, parts: parts, direct: direct, caching: caching).response(to: request)
  }
}

/// The answer to a request for a blob.
private struct BlobAnswer: Sendable {
  let blob: StoredBlob
  let parts: GalleryParts
  let direct: DirectReading?
  let caching: String

  /// How many bytes are read at a time. The next ones are read once the client took these.
  private static let chunk = 256 << 10

  private var tag: String { "\"\(blob.id.hex)\"" }

  func response(to request: Request) async throws -> Response {
    let fields = request.headers
    if EntityTags.list(fields[.ifNoneMatch], contains: tag) { return Response(status: .notModified, headers: cached) }
    let (type, name) = (ServedType(mediaType: blob.mediaType), request.fields["name"])
    if let direct, DirectReading.suits(request.method, type, byteCount: blob.byteCount) {
      let disposition = name.map { DownloadName($0, type).disposition }
      return try await parts.read { [id = blob.id] _ in try direct.response(to: id, type, disposition) }
    }
    // Only GET has ranges (RFC 9110, 14.2).
    let isRangeAllowed = request.method == .get && EntityTags.allowRange(fields[.ifRange], tag)
    let range = RequestedRange(isRangeAllowed ? fields[.range] : nil, of: blob.byteCount)
    var headers = headers(type, named: name)
    switch range {
    case .whole: return try await response(.ok, headers, 0..<blob.byteCount, isHead: request.method == .head)
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(blob.byteCount)"
      return try await response(.partialContent, headers, range, isHead: false)
    case .unsatisfiable:
      return Response(
        status: .rangeNotSatisfiable,
        headers: [.contentRange: "bytes */\(blob.byteCount)", .acceptRanges: "bytes", .cacheControl: "no-store"])
    }
  }

  private var cached: HTTPFields {
    [.eTag: tag, .cacheControl: caching, .acceptRanges: "bytes"]
  }

  private func headers(_ type: ServedType, named name: String?) -> HTTPFields {
    var headers = cached
    headers[.contentType] = type.contentType
    headers[.contentSecurityPolicy] = "sandbox; default-src 'none'"
    if let name {
      headers[.contentDisposition] = DownloadName(name, type).disposition
    } else if !type.isInline {
      headers[.contentDisposition] = "attachment"
    }
    return headers
  }

  /// The first bytes are read before the answer begins, so that a missing file is still answered with a sentence.
  private func response(
    _ status: HTTPResponse.Status, _ headers: HTTPFields, _ range: Range<Int>, isHead: Bool
  ) async throws -> Response {
    let first = isHead ? [] : try await bytes(from: range.lowerBound, before: range.upperBound)
    return Response(
      status: status, headers: headers,
      body: ResponseBody(contentLength: range.count) { writer in
        var offset = range.lowerBound + first.count
        if !first.isEmpty { try await writer.write(ByteBuffer(bytes: first)) }
        while offset < range.upperBound {
          let next = try await bytes(from: offset, before: range.upperBound)
          try await writer.write(ByteBuffer(bytes: next))
          offset += next.count
        }
        try await writer.finish(nil)
      })
  }

  /// The next bytes. Throws if the file ends before, which ends the connection: what was sent is then not taken for all.
  private func bytes(from start: Int, before end: Int) async throws -> [UInt8] {
    let range = start..<min(start + Self.chunk, end)
    let bytes: [UInt8]
    do {
      bytes = try await parts.read { [id = blob.id] in try $0.blobs.fetch(id, range) }
    } catch BlobError.missing {
      throw RequestError.noBlob
    }
    guard bytes.count == range.count else { throw RequestError.damagedBlob }
    return bytes
  }
}
