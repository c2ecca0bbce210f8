import Blobs
import Derivatives
import HTTPTypes
import Hummingbird
import MediaLibrary
import NIOCore

/// Small pictures of stored pictures and videos, made when they are asked for: `/thumb/320/` and a blob's name.
struct ThumbRoutes: Sendable {
  let parts: GalleryParts
  let derivatives: Derivatives

  func add(to router: Router<GalleryContext>) {
    router.get("/thumb/:size/:name") { request, context in
      let size = Int(try context.parameters.require("size")).flatMap(Derivatives.Size.init(rawValue:))
      guard let size, let id = BlobID(try context.parameters.require("name")),
        try await parts.read({ try $0.store.blob(id) }) != nil
      else { throw RequestError.noBlob }
      return try await Self.response(
        to: request, id, size, derivatives, caching: "private, max-age=31536000, immutable")
    }
  }

  /// The answer to a request for a small picture.
  ///
  /// - Parameter caching: Its `Cache-Control`.
  /// - Throws: `RequestError` if there is none.
  static func response(
    to request: Request, _ id: BlobID, _ size: Derivatives.Size, _ derivatives: Derivatives, caching: String
  ) async throws -> Response {
    let headers: HTTPFields = [
      .contentType: "image/webp", .eTag: "\"\(size.rawValue)-\(id.hex)\"", .cacheControl: caching,
      .contentSecurityPolicy: "sandbox; default-src 'none'",
    ]
    if EntityTags.list(request.headers[.ifNoneMatch], contains: headers[.eTag] ?? "") {
      return Response(status: .notModified, headers: headers)
    }
    let bytes: [UInt8]
    do throws(DerivativeError) {
      bytes = try await derivatives.file(for: id, size: size).bytes
    } catch {
      throw RequestError(error)
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

extension RequestError {
  /// Why there is no small picture. Errors are never cached: the next request may find a picture.
  fileprivate init(_ error: DerivativeError) {
    switch error {
    case .missing: self = .noBlob
    case .sound, .undecodable: self = .notDrawable(error.message)
    case .unavailable, .superseded, .cancelled: self = .notDrawnNow(error.message)
    }
  }
}
