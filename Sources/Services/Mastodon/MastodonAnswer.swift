import Foundation
import HTTP
import JSONReading
import Posts

/// What a server's answer means before its posts are looked at.
enum MastodonAnswer {
  /// What is wrong with the answer, nil where posts may be in it: judged by its status, and by its words where servers
  /// use one status for different things. Words that repeat the token are not passed on.
  static func error(
    in response: Response,
    from server: Server,
    token: Secret?,
    what: String,
    time: Timekeeper
  ) -> SourceError? {
    let said = StatedError(in: response.body)
    let reason = said.reason
    let hasToken = token != nil
    switch response.status {
    // Of old the answer to people without a login.
    case 422 where !hasToken: return .needsLogin(server)
    case 400, 403, 422:
      // Also for want of scope: a new login asks for what is wanted.
      if hasToken, TokenRefusal(response, code: said.code, words: said.description) != nil {
        return .tokenRefused(server)
      }
    default: break
    }
    let shown = shown(reason, hiding: token)
    return SourceError(response, from: server, hasToken: hasToken, what: what, reason: shown, time: time)
  }

  /// Why a body is no list of posts, for people; `asked` were asked for, as the owner of `token`.
  static func words(for fault: JSONSlices.Fault, _ body: [UInt8], asked: Int, token: Secret?) -> String {
    guard fault == .object, let reason = shown(StatedError(in: body).reason, hiding: token) else {
      return fault.words(asked: asked)
    }
    return "it says: \(Bounds.reason(reason))"
  }

  private static func shown(_ reason: String?, hiding token: Secret?) -> String? {
    reason.flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }
}
