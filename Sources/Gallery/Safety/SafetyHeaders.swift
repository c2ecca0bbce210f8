import HTTPTypes
import Hummingbird

/// Adds the headers that keep a page to its own scripts, styles and pictures.
struct SafetyHeaders: RouterMiddleware {
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "media-src 'self'",
    "connect-src 'self'", "worker-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
  ].joined(separator: "; ")

  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    var answer = try await next(request, context)
    // What is stricter stays: blobs have a policy of their own.
    if answer.headers[.contentSecurityPolicy] == nil { answer.headers[.contentSecurityPolicy] = Self.policy }
    answer.headers[.xContentTypeOptions] = "nosniff"
    answer.headers[.referrerPolicy] = "no-referrer"
    answer.headers[.crossOriginResourcePolicy] = "same-origin"
    answer.headers[.crossOriginOpenerPolicy] = "same-origin"
    return answer
  }
}

extension HTTPField.Name {
  static let referrerPolicy = Self("Referrer-Policy")!
  static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
}
