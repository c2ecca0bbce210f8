import HTTPTypes
import Hummingbird

/// Refuses what no page of the gallery sends, before any route sees it: other methods and malformed targets, other hosts'
/// names, and writes that come from elsewhere.
///
/// A write is a POST. It needs the origin of the gallery and a field that forms and links cannot send. GET and HEAD change
/// nothing.
struct RequestChecks: RouterMiddleware {
  let hosts: AllowedHosts
  /// Whether every write is refused.
  let isReadOnly: Bool

  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    guard [.get, .head, .post].contains(request.method) else { throw RequestError.otherMethod }
    try RequestTarget.check(request.head.path ?? "")
    let caller = Caller(request, context, isBehindProxy: hosts.isBehindProxy)
    guard let authority = caller.authority, !authority.isEmpty else { throw RequestError.noHost }
    guard hosts.allows(authority, at: context.here) else { throw RequestError.foreignHost }
    if request.method == .post { try checkWrite(request, to: authority, caller.scheme) }
    return try await next(request, context)
  }

  private func checkWrite(_ request: Request, to authority: String, _ scheme: String?) throws(RequestError) {
    // Browsers that do not say where a request comes from still send its origin.
    guard (request.headers[.secFetchSite] ?? "same-origin") == "same-origin", let origin = request.headers[.origin],
      hosts.allows(origin: origin, to: authority, scheme: scheme)
    else { throw .foreignOrigin }
    let path = request.uri.path
    // They change nothing of the library.
    guard ![SignInRoutes.path, DownloadRoutes.path].contains(path) else { return }
    // A form without scripts cannot send the field.
    guard
      request.headers[.media] == "1" || [SharesRoutes.path, SharesRoutes.revokePath, HidingRoutes.path].contains(path)
    else {
      throw .noMediaField
    }
    guard !isReadOnly || path == ChangeRoutes.signOutPath else { throw .readOnly }
  }
}
