import Blobs
import Hummingbird
import MediaLibrary
import NIOCore

/// The stored bytes of pictures and files. A name is the hash of its bytes, so an answer never changes.
struct BlobRoutes: Sendable {
  let parts: GalleryParts

  /// How many bytes are read at a time.
  private static let chunk = 256 << 10

  func add(to router: Router<GalleryContext>) {
    router.get("/blob/:name") { _, context in
      guard let id = BlobID(try context.parameters.require("name")) else { throw RequestError.noBlob }
      let blobs = parts.library.blobs
      guard let info = try await parts.read({ _ in try blobs.stat(id) }) else { throw RequestError.noBlob }
      return Response(
        status: .ok,
        headers: [
          .contentType: "application/octet-stream", .eTag: "\"\(id.hex)\"",
          .cacheControl: "private, max-age=31536000, immutable",
          .contentSecurityPolicy: "sandbox; default-src 'none'",
        ],
        body: ResponseBody(contentLength: info.byteCount) { writer in
          var offset = 0
          while offset < info.byteCount {
            let range = offset..<min(offset + Self.chunk, info.byteCount)
            let bytes = try await parts.read { _ in try blobs.fetch(id, range) }
            try await writer.write(ByteBuffer(bytes: bytes))
            offset = range.upperBound
          }
          try await writer.finish(nil)
        })
    }
  }
}
