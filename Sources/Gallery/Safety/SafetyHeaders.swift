import HTTPTypes
import Hummingbird

/// Adds the headers that keep a page to its own scripts, styles and pictures. It is the outermost middleware, so that
/// errors have them too.
struct SafetyHeaders: RouterMiddleware {
  /// Where large pictures and videos may come from, too.
  var direct: DirectReading?

  private static func policy(_ origin: String?) -> String {
    let more = origin.map { " \($0)" } ?? ""
    return [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:\(more)",
      "media-src 'self'\(more)", "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'",
      "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")
  }

  private static let ownPolicy = policy(nil)

  /// What stays if a route says something stricter of its own.
  private static let unlessSet: HTTPFields = [.referrerPolicy: "no-referrer", .cacheControl: "no-store"]

  private static let always: HTTPFields = [
    .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin", .crossOriginOpenerPolicy: "same-origin",
    .permissionsPolicy: "camera=(), geolocation=(), microphone=(), payment=(), usb=()", .robots: "noindex, nofollow",
  ]

  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    var answer = try await next(request, context)
    if answer.headers[.contentSecurityPolicy] == nil {
      answer.headers[.contentSecurityPolicy] = direct.map { Self.policy($0.origin()) } ?? Self.ownPolicy
    }
    for field in Self.unlessSet where answer.headers[field.name] == nil { answer.headers[field.name] = field.value }
    for field in Self.always { answer.headers[field.name] = field.value }
    return answer
  }
}

extension HTTPField.Name {
  static let referrerPolicy = Self("Referrer-Policy")!
  static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
  static let permissionsPolicy = Self("Permissions-Policy")!
  static let robots = Self("X-Robots-Tag")!
}
