import HTTPTypes
import Hummingbird

/// Adds the headers that keep a page to its own scripts, styles and pictures. It is the outermost middleware, so that
/// errors have them too.
struct SafetyHeaders: RouterMiddleware {
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "media-src 'self'",
    "connect-src 'self'", "worker-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
  ].joined(separator: "; ")

  /// What stays if a route says something stricter of its own.
  private static let unlessSet: HTTPFields = [
    .contentSecurityPolicy: policy, .referrerPolicy: "no-referrer", .cacheControl: "no-store",
  ]

  private static let always: HTTPFields = [
    .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin", .crossOriginOpenerPolicy: "same-origin",
    .permissionsPolicy: "camera=(), geolocation=(), microphone=(), payment=(), usb=()", .robots: "noindex, nofollow",
  ]

  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    var answer = try await next(request, context)
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
