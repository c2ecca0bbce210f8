import HTTPTypes
import Hummingbird
import Web

/// Lets only signed-in browsers through, and programs that read feeds with a read token.
///
/// The stylesheet, the scripts, the icons and the sign-in page are for everybody: they hold no secrets, and the sign-in page
/// needs them. Shares let in whoever has their address, by rules of their own.
struct SignInGate: RouterMiddleware {
  let signIns: SignIns
  let cookies: SessionCookie
  /// Whether browsers may sign in by password.
  let takesPassword: Bool
  let pause: @Sendable (Duration) async throws -> Void

  /// How long a wrong token waits for its answer. Tokens cannot be guessed; this makes trying pointless.
  static let delay = Duration.seconds(1)

  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    let isOpen = AssetRoutes.have(path) || path == SignInRoutes.path || path.hasPrefix(ShareRoutes.prefix)
    guard !isOpen else { return try await next(request, context) }
    let isSignedIn = try await signIns.isSignedIn(cookies.tokens(of: request, context), port: cookies.port(context))
    let token = request.fields["token"]
    if path.hasPrefix("/feed/"), let token, !isSignedIn {
      guard try await signIns.isReadToken(token) else { throw try await wrong() }
      return try await next(request, context)
    }
    if let token, request.method == .get, !path.hasPrefix("/feed/"), !path.hasPrefix("/api/") {
      return try await open(request, context, token, isSignedIn: isSignedIn)
    }
    guard !isSignedIn else { return try await next(request, context) }
    guard request.method != .post, !path.hasPrefix("/api/") else { throw RequestError.notSignedIn }
    return SignInPage(to: request.head.path ?? "/", takesPassword: takesPassword).response(status: .unauthorized)
  }

  /// A one-time address. The token does not stay in the address bar, where it would get into the history.
  private func open(
    _ request: Request, _ context: GalleryContext, _ token: String, isSignedIn: Bool
  ) async throws -> Response {
    let target = Self.bare(request)
    var answer = Response.leading(to: target, from: request)
    // A browser that is signed in already leaves the address to another one.
    guard !isSignedIn else { return answer }
    guard let session = try await signIns.redeem(token, port: cookies.port(context)) else {
      _ = try await wrong()
      return SignInPage(to: target, takesPassword: takesPassword, note: .usedAddress).response(status: .unauthorized)
    }
    answer.headers[.setCookie] = cookies.header(session, request, context)
    return answer
  }

  private func wrong() async throws -> RequestError {
    try await pause(Self.delay)
    return .wrongToken
  }

  /// The target without its token.
  private static func bare(_ request: Request) -> String {
    let pairs = (request.uri.query ?? "").split(separator: "&").filter { Fields(form: String($0))["token"] == nil }
    return request.uri.path + (pairs.isEmpty ? "" : "?\(pairs.joined(separator: "&"))")
  }
}

extension Response {
  /// Leads the browser to a target of this gallery.
  ///
  /// If a page elsewhere, a file or another program led here, a redirect would still count as theirs, and the browser would
  /// not send the new cookie (SameSite=Strict). A page of our own that goes on by itself is where the next request begins.
  static func leading(to target: String, from request: Request) -> Response {
    let site = request.headers[.secFetchSite] ?? "none"
    guard site != "none", site != "same-origin" else {
      return Response(status: .seeOther, headers: [.location: target, .cacheControl: "no-store"])
    }
    var answer = Response(
      html: PageFrame.html(
        "Signed in", nil, "<main class=\"message\"><h1>Signed in</h1><p><a href=\"\(target)\">Go on</a></p></main>"))
    answer.headers[.refresh] = "0; url=\(target)"
    return answer
  }
}

extension HTTPField.Name {
  static let refresh = Self("Refresh")!
}
