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
    let reason = reason(in: response.body)
    let hasToken = token != nil
    switch response.status {
    // Of old the answer to people without a login.
    case 422 where !hasToken: return .needsLogin(server)
    case 400, 403, 422:
      if hasToken, reason.map(speaksOfToken) == true { return .tokenRefused(server) }
    default: break
    }
    let shown = shown(reason, hiding: token)
    return SourceError(response, from: server, hasToken: hasToken, what: what, reason: shown, time: time)
  }

  /// Why a body is no list of posts, for people; `asked` were asked for, as the owner of `token`.
  static func words(for fault: JSONSlices.Fault, _ body: [UInt8], asked: Int, token: Secret?) -> String {
    guard fault == .object, let reason = shown(reason(in: body), hiding: token) else {
      return fault.words(asked: asked)
    }
    return "it says: \(Bounds.reason(reason))"
  }

  private static func shown(_ reason: String?, hiding token: Secret?) -> String? {
    reason.flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }

  /// "The access token is invalid", "This method requires an authenticated user", "This action is outside the authorized
  /// scopes", "Insufficient permissions: read:statuses.": a new login helps.
  private static func speaksOfToken(_ reason: String) -> Bool {
    let reason = reason.lowercased()
    return ["token", "authenticated", "scope", "insufficient permission"].contains { reason.contains($0) }
  }

  /// What the server says is wrong, `{"error": …}`, https://docs.joinmastodon.org/entities/Error/; some add a
  /// description, which says more. Takahē says "Invalid Bearer token" as text. Longer bodies are web pages and dumps.
  private static func reason(in body: [UInt8]) -> String? {
    guard body.count <= 64 << 10 else { return nil }
    guard let complaint = JSONObject(body) else { return sentence(body) }
    return complaint.string("error_description") ?? complaint.string("error")
  }

  /// A body that is one line of words.
  private static func sentence(_ body: [UInt8]) -> String? {
    guard body.count <= 200, let text = String(validating: body, as: UTF8.self) else { return nil }
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard line.first?.isLetter == true, !line.contains(where: { $0.isNewline || "<>{}".contains($0) }) else {
      return nil
    }
    return line
  }
}
