import Blobs
import Derivatives
import HTTPTypes
import Hummingbird
import MediaLibrary
import NIOCore
import Storage

/// The stored bytes of pictures and files. A name is the hash of its bytes, so an answer never changes.
struct BlobRoutes: Sendable {
  let parts: GalleryParts
  let derivatives: Derivatives
  /// Where browsers read large files; nil if the gallery sends them.
  var direct: DirectReading?

  func add(to router: Router<GalleryContext>) {
    let caching = "private, max-age=31536000, immutable"
    router.get("/blob/:name") { request, context in
      guard let id = BlobID(try context.parameters.require("name")) else { throw RequestError.noBlob }
      // Whoever may only look learns no place.
      if parts.isReadOnly {
        return try await Self.published(to: request, id, parts, derivatives.cleanCopies, caching: caching)
      }
      return try await Self.response(to: request, id, parts, direct: direct, caching: caching)
    }
    // For programs that read feeds: a read token counts only below `/feed/`. What they fetch may go anywhere.
    router.get("\(FeedRoutes.blobPath):name") { request, context in
      guard let id = BlobID(try context.parameters.require("name")),
        try await parts.read({ try $0.store.isPublished(id) })
      else { throw RequestError.noBlob }
      return try await Self.published(to: request, id, parts, derivatives.cleanCopies, caching: caching)
    }
  }

  /// The answer to a request for a blob.
  ///
  /// - Parameter caching: The `Cache-Control` of the bytes.
  /// - Throws: `RequestError`, or why the library cannot be read.
  static func response(
    to request: Request, _ id: BlobID, _ parts: GalleryParts, direct: DirectReading?, caching: String
  ) async throws -> Response {
    let blob = try await stored(id, parts)
    return try await BlobAnswer(blob, parts, direct: direct, caching: caching).response(to: request)
  }

  /// The answer to a request for a blob by somebody else: it does not say where a picture was taken. An address of a service
  /// would lead to the stored bytes, and outlive what lets somebody in.
  ///
  /// - Parameter caching: The `Cache-Control` of the bytes.
  /// - Throws: `RequestError`, or why the library cannot be read.
  static func published(
    to request: Request, _ id: BlobID, _ parts: GalleryParts, _ copies: CleanCopies, caching: String
  ) async throws -> Response {
    let blob = try await stored(id, parts)
    let copy: CleanCopy?
    do throws(StrippingError) { copy = try await copies.copy(of: id, blob.mediaType) } catch {
      throw RequestError(error)
    }
    let answer =
      copy.map { BlobAnswer(blob, $0, parts, caching: caching) }
      ?? BlobAnswer(blob, parts, direct: nil, caching: caching)
    return try await answer.response(to: request)
  }

  private static func stored(_ id: BlobID, _ parts: GalleryParts) async throws -> StoredBlob {
    let stored = try await parts.read { library -> StoredBlob? in
      guard let blob = try library.store.blob(id) else { return nil }
      guard let info = try library.blobs.stat(id) else { return nil }
      guard info.byteCount == blob.byteCount else { throw RequestError.damagedBlob }
      return blob
    }
    guard let stored else { throw RequestError.noBlob }
    return stored
  }
}

extension RequestError {
  /// Why a file is not published.
  fileprivate init(_ error: StrippingError) {
    switch error {
    case .refused: self = .notDrawable("This file is left out. \(error.message)")
    case .unavailable: self = .notDrawnNow(error.message)
    }
  }
}

/// The answer to a request for a blob, or for its clean copy.
private struct BlobAnswer: Sendable {
  let tag: String
  let mediaType: String?
  let byteCount: Int
  let caching: String
  /// The answer that leads to a service, where the request suits that.
  let elsewhere: @Sendable (Request, ServedType) async throws -> Response?
  let fetch: @Sendable (Range<Int>) async throws -> [UInt8]

  /// How many bytes are read at a time. The next ones are read once the client took these.
  private static let chunk = 256 << 10

  /// The stored bytes.
  init(_ blob: StoredBlob, _ parts: GalleryParts, direct: DirectReading?, caching: String) {
    (tag, mediaType, byteCount) = ("\"\(blob.id.hex)\"", blob.mediaType, blob.byteCount)
    self.caching = caching
    elsewhere = { request, type in
      guard let direct, DirectReading.suits(request.method, type, byteCount: blob.byteCount) else { return nil }
      let disposition = request.fields["name"].map { DownloadName($0, type).disposition }
      return try await parts.read { [id = blob.id] _ in try direct.response(to: id, type, disposition) }
    }
    fetch = { range in
      do {
        return try await parts.read { [id = blob.id] in try $0.blobs.fetch(id, range) }
      } catch BlobError.missing {
        throw RequestError.noBlob
      }
    }
  }

  /// A clean copy.
  init(_ blob: StoredBlob, _ copy: CleanCopy, _ parts: GalleryParts, caching: String) {
    (tag, mediaType, byteCount) = ("\"\(blob.id.hex)-clean\"", blob.mediaType, copy.byteCount)
    self.caching = caching
    elsewhere = { _, _ in nil }
    fetch = { range in await parts.readers.next().run { copy.bytes(range) } }
  }

  func response(to request: Request) async throws -> Response {
    let fields = request.headers
    if EntityTags.list(fields[.ifNoneMatch], contains: tag) { return Response(status: .notModified, headers: cached) }
    let (type, name) = (ServedType(mediaType: mediaType), request.fields["name"])
    if let answer = try await elsewhere(request, type) { return answer }
    // Only GET has ranges (RFC 9110, 14.2).
    let isRangeAllowed = request.method == .get && EntityTags.allowRange(fields[.ifRange], tag)
    let range = RequestedRange(isRangeAllowed ? fields[.range] : nil, of: byteCount)
    var headers = headers(type, named: name)
    switch range {
    case .whole: return try await response(.ok, headers, 0..<byteCount, isHead: request.method == .head)
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"
      return try await response(.partialContent, headers, range, isHead: false)
    case .unsatisfiable:
      return Response(
        status: .rangeNotSatisfiable,
        headers: [.contentRange: "bytes */\(byteCount)", .acceptRanges: "bytes", .cacheControl: "no-store"])
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
    let bytes = try await fetch(range)
    guard bytes.count == range.count else { throw RequestError.damagedBlob }
    return bytes
  }
}
