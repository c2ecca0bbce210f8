import HTTPTypes
import Hummingbird

/// The cookie of a session. Browsers send a host's cookies to all of its ports, so its name has the port.
struct SessionCookie: Sendable {
  /// Whether the gallery itself speaks TLS.
  let isSecure: Bool
  let isBehindProxy: Bool

  /// The port that the request came to.
  func port(_ context: GalleryContext) -> Int { context.here.port ?? 0 }

  /// The tokens in a request. There may be several: another port's server can set a cookie of the same name.
  func tokens(of request: Request, _ context: GalleryContext) -> [String] {
    let name = "media-\(port(context))="
    let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
    let values = pairs.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(name) }.map {
      String($0.dropFirst(name.count))
    }
    return Array(values.filter { $0.utf8.count <= 64 }.prefix(4))
  }

  /// The field that makes a browser forget the cookie.
  func removal(_ request: Request, _ context: GalleryContext) -> String { header("", request, context, age: 0) }

  /// The field that sets the cookie.
  func header(
    _ token: String, _ request: Request, _ context: GalleryContext, age: Int = Int(SignInRecords.sessionLength)
  ) -> String {
    let scheme = Caller(request, context, isBehindProxy: isBehindProxy).scheme
    let end = isSecure || scheme == "https" ? "; Secure" : ""
    return "media-\(port(context))=\(token); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict\(end)"
  }
}
