import HTTP
import JSONReading
import Posts

/// What an answer of Misskey says is wrong: `{"error": {"code": "NO_SUCH_NOTE", "message": …}}`. The code decides, because
/// servers use 400 for most of them.
struct MisskeyAPIError {
  let response: Response
  /// Its word for the error; nil if the body has none.
  let code: String?
  /// Its reason, unless that repeats the token.
  private let reason: String?

  init(_ response: Response, hiding token: Secret?) {
    self.response = response
    let fields = Self.fields(in: response.body)
    code = fields?.string("code")
    reason = Self.reason(fields, hiding: token)
  }

  /// The error; nil if the answer may hold notes.
  func error(from server: Server, hasToken: Bool, what: String, time: TimeSource) -> SourceError? {
    let refused: SourceError = hasToken ? .forbidden(server, reason: Bounds.reason(reason ?? "")) : .needsLogin(server)
    switch (response.status, code) {
    case (200..<300, _), (429, _): break
    case (_, "AUTHENTICATION_FAILED") where hasToken: return .tokenRefused(server)
    case (_, "CREDENTIAL_REQUIRED"), (_, "SIGNIN_REQUIRED"), (_, "PERMISSION_DENIED"), (_, "ROLE_PERMISSION_DENIED"),
      (_, "ACCESS_DENIED"), (_, "YOUR_ACCOUNT_SUSPENDED"):
      return refused
    case (_, "NO_SUCH_NOTE"), (_, "NO_SUCH_USER"), (_, "FAILED_TO_RESOLVE_REMOTE_USER"):
      return .notFound(server, what: what)
    case (_, "UNAVAILABLE"): return .searchIsOff(server)
    default: break
    }
    return SourceError(response, from: server, hasToken: hasToken, what: what, reason: reason, time: time)
  }

  /// Why a body is not a list of notes, as a message; this number was requested.
  static func message(for fault: JSONSlices.Fault, _ body: [UInt8], asked: Int, hiding token: Secret?) -> String {
    guard fault == .object, let reason = reason(fields(in: body), hiding: token) else {
      return fault.message(asked: asked)
    }
    return "\(SourceError.quoting)\(Bounds.reason(reason))"
  }

  /// The members of the error. Longer bodies are web pages and dumps.
  private static func fields(in body: [UInt8]) -> JSONObject? {
    body.count <= 64 << 10 ? JSONObject(body)?.object("error") : nil
  }

  private static func reason(_ fields: JSONObject?, hiding token: Secret?) -> String? {
    let said = fields?.string("message") ?? fields?.string("code")
    return said.flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }
}
