import HTTP
import JSONReading
import Posts

/// What a server says is wrong: `{"error": "ExpiredToken", "message": …}` (https://atproto.com/specs/xrpc).
struct BlueskyAPIError {
  /// The error's name.
  let name: String?
  /// What is said of it.
  let message: String?

  /// Reads an answer's body. Longer bodies are web pages.
  init(in body: [UInt8]) {
    let fields = body.count <= 64 << 10 ? JSONObject(body) : nil
    name = fields?.string("error").flatMap { $0.isEmpty ? nil : $0 }
    message = fields?.string("message").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// What says more.
  var reason: String? { message ?? name }

  /// Whether the token is not, or no longer, accepted. Servers say so with 400, too.
  var isOfToken: Bool { name.map(Self.ofTokens.contains) == true }

  /// Whether the account or the post does not exist, or no longer.
  var isOfMissing: Bool {
    guard let name else { return false }
    if Self.ofMissing.contains(name) { return true }
    // An account that was never there is an invalid request.
    guard name == "InvalidRequest", let said = message?.lowercased() else { return false }
    return ["not found", "actor must be", "could not find", "unable to resolve"].contains { said.contains($0) }
  }

  private static let ofTokens: Set = [
    "ExpiredToken", "InvalidToken", "BadJwt", "AuthMissing", "AuthenticationRequired", "InvalidAuth", "invalid_token",
  ]
  private static let ofMissing: Set = [
    "AccountDeactivated", "AccountTakedown", "ActorNotFound", "NotFound", "RepoDeactivated", "RepoNotFound",
    "RepoTakendown",
  ]
}

/// Interprets a server's answer before its posts are read.
enum BlueskyAnswer {
  /// The error in the answer; nil if it may hold posts. Text that repeats the token is dropped.
  static func error(
    in response: Response, from server: Server, token: Secret?, isSearch: Bool, what: String, time: TimeSource
  ) -> SourceError? {
    let said = BlueskyAPIError(in: response.body)
    let hasToken = token != nil
    if hasToken, response.asksForNonce {
      return .unreadable(server, reason: "it asks for another nonce each time")
    }
    if (400..<500).contains(response.status), response.status != 429 {
      if said.isOfToken { return hasToken ? .tokenRefused(server) : .needsLogin(server) }
      if said.isOfMissing { return .notFound(server, what: what) }
    }
    // Searches without a login are refused before the service, with a page (https://github.com/bluesky-social/atproto/issues/2838).
    if isSearch, !hasToken, response.status == 403, response.protection != .challenge { return .needsLogin(server) }
    let reason = shown(said.reason, hiding: token)
    return SourceError(response, from: server, hasToken: hasToken, what: what, reason: reason, time: time)
  }

  /// Why a body is not a list of posts, as a message. `asked` posts were requested by the owner of `token`.
  static func message(for fault: JSONSlices.Fault, _ body: [UInt8], asked: Int, token: Secret?) -> String {
    guard fault == .object, let reason = shown(BlueskyAPIError(in: body).reason, hiding: token) else {
      return fault.message(asked: asked)
    }
    return "\(SourceError.quoting)\(Bounds.reason(reason))"
  }

  private static func shown(_ reason: String?, hiding token: Secret?) -> String? {
    reason.flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }
}
