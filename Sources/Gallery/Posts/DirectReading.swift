import Blobs
import HTTPTypes
import Hummingbird

/// Leads browsers to a service that has the bytes of large pictures, videos and sounds, in place of sending them.
///
/// It is for a service that the browsers can reach. Only what may be shown in a page is read so, as the type that the library
/// detected: the service's answers have none of the gallery's headers, which keep other files from doing harm.
package struct DirectReading: Sendable {
  /// The origin of the addresses, for the content security policy; nil while the service cannot be used.
  let origin: @Sendable () -> String?
  /// The address of a blob that anybody can read for so many seconds, with this `Content-Type` and `Content-Disposition`.
  let address: @Sendable (_ blob: BlobID, _ type: String, _ disposition: String, _ seconds: Int) throws -> String

  /// - Parameters:
  ///   - origin: The origin of the addresses; nil while the service cannot be used.
  ///   - address: Makes an address that expires.
  package init(
    origin: @escaping @Sendable () -> String?,
    address:
      @escaping @Sendable (_ blob: BlobID, _ type: String, _ disposition: String, _ seconds: Int) throws -> String
  ) {
    (self.origin, self.address) = (origin, address)
  }

  /// For how many seconds an address is good. A video is sought in under the address that it began with.
  static let lifetime = 3600
  /// For how many seconds a browser uses the address again. What it begins last still has half of the time.
  static let reused = lifetime / 2
  /// What has fewer bytes is sent sooner than the browser would find the service.
  static let least = 256 << 10

  /// Whether a request is answered by an address.
  static func suits(_ method: HTTPRequest.Method, _ type: ServedType, byteCount: Int) -> Bool {
    method == .get && type.isInline && byteCount >= least
  }

  /// An answer that leads to a blob.
  func response(to blob: BlobID, _ type: ServedType, _ disposition: String?) throws -> Response {
    Response(
      status: .temporaryRedirect,
      headers: [
        .location: try address(blob, type.contentType, disposition ?? "inline", Self.lifetime),
        .cacheControl: "private, max-age=\(Self.reused)",
      ])
  }
}
