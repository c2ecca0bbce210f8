import HTTP
import JSONReading
import Posts

/// Interprets a server's answer before its posts are read.
enum MastodonAnswer {
  /// The error in the answer; nil if it may hold posts. The status decides, or the text if servers use one status for
  /// different errors. Text that repeats the token is dropped.
  static func error(
    in response: Response,
    from server: Server,
    token: Secret?,
    what: String,
    time: TimeSource
  ) -> SourceError? {
    let said = StatedError(in: response.body)
    let reason = said.reason
    let hasToken = token != nil
    switch response.status {
    // The old answer to requests without a login.
    case 422 where !hasToken: return .needsLogin(server)
    case 400, 403, 422:
      // Also a missing scope: a new login requests what is needed.
      if hasToken, TokenRefusal(response, code: said.code, description: said.description) != nil {
        return .tokenRefused(server)
      }
    default: break
    }
    let shown = shown(reason, hiding: token)
    return SourceError(response, from: server, hasToken: hasToken, what: what, reason: shown, time: time)
  }

  /// Why a body is not a list of posts, as a message. `asked` posts were requested by the owner of `token`.
  static func message(for fault: JSONSlices.Fault, _ body: [UInt8], asked: Int, token: Secret?) -> String {
    guard fault == .object, let reason = shown(StatedError(in: body).reason, hiding: token) else {
      return fault.message(asked: asked)
    }
    return "it says: \(Bounds.reason(reason))"
  }

  private static func shown(_ reason: String?, hiding token: Secret?) -> String? {
    reason.flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }
}
