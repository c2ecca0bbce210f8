import FoundationEssentials
import HTTPTypes
import Hummingbird
import Synchronization
import Web

/// The sign-in page and its form.
struct SignInRoutes: Sendable {
  /// The page's path.
  static let path = "/sign-in"

  let signIns: SignIns
  let cookies: SessionCookie
  let takesPassword: Bool
  let guesses: Guesses

  /// The attempts that were made.
  final class Guesses: Sendable {
    fileprivate let limits = Mutex(GuessLimits())
    fileprivate let now: @Sendable () -> Date
    init(now: @escaping @Sendable () -> Date) { self.now = now }
  }

  func add(to router: Router<GalleryContext>) {
    router.get("/sign-in") { request, _ in
      SignInPage(to: request.fields["to"] ?? "/", takesPassword: takesPassword).response(status: .ok)
    }
    guard takesPassword else { return }
    router.post("/sign-in") { request, context in try await signIn(request, context) }
  }

  private func signIn(_ request: Request, _ context: GalleryContext) async throws -> Response {
    let body = try await request.body.collect(upTo: 16 << 10)
    let fields = Fields(form: String(buffer: body))
    let target = fields["to"].flatMap { RequestTarget.isOwn($0) ? $0 : nil } ?? "/"
    let address = Caller(request, context, isBehindProxy: cookies.isBehindProxy).address
    if let wait = guesses.limits.withLock({ $0.admit(address, at: guesses.now()) }) {
      return page(target, .tooManyGuesses(seconds: Int(wait.rounded(.up))), .tooManyRequests)
    }
    guard let session = try await signIns.signIn(password: fields["password"] ?? "", port: cookies.port(context)) else {
      return page(target, .wrongPassword, .unauthorized)
    }
    guesses.limits.withLock { $0.succeeded(address) }
    return Response(
      status: .seeOther,
      headers: [.location: target, .cacheControl: "no-store", .setCookie: cookies.header(session, request, context)])
  }

  private func page(_ target: String, _ note: SignInPage.Note, _ status: HTTPResponse.Status) -> Response {
    SignInPage(to: target, takesPassword: true, note: note).response(status: status)
  }
}
