import HTTP
import JSONReading
import Posts

/// What a server says is wrong: `{"error": "couldnt_find_post"}` at Lemmy, `{"message": "post not found"}` at PieFed. The
/// word decides, because servers use 400 for most of them.
struct LemmyAPIError {
  /// The word for the error; nil if the body has none.
  let name: String?

  /// Reads an answer's body. Longer bodies are web pages and posts.
  init(in body: [UInt8]) {
    let fields = body.count <= 64 << 10 ? JSONObject(body) : nil
    name = [fields?.string("error"), fields?.string("message")].lazy.compactMap(\.self).first { !$0.isEmpty }
  }

  /// What an error means to whoever asked.
  enum Kind { case wantsLogin, missing, limit, forbidden }

  /// What the error means; nil if its status says it.
  var kind: Kind? {
    guard let name = name?.lowercased() else { return nil }
    if let known = Self.kinds[name] { return known }
    if name.hasPrefix("private community") { return .wantsLogin }
    let isOfMissing =
      name.hasPrefix("couldnt_find_") || name.hasSuffix(" not found") || name.hasPrefix("no row was found")
    return isOfMissing ? .missing : nil
  }

  /// Whether it may speak of the caller's account as well as of what was asked for.
  var isAmbiguous: Bool { name?.lowercased().hasPrefix("no row was found") == true }

  private static let kinds: [String: Kind] = [
    "incorrect_login": .wantsLogin, "instance_is_private": .wantsLogin, "not_logged_in": .wantsLogin,
    "not_found": .missing,
    "rate_limit_error": .limit, "too_many_requests": .limit,
    "banned": .forbidden, "deleted": .forbidden, "person_is_banned_from_community": .forbidden,
    "registration_application_is_pending": .forbidden, "site_ban": .forbidden,
  ]

  /// The error in an answer; nil if it may hold posts. Text that repeats the token is dropped.
  func error(
    in response: Response, from server: Server, token: Secret?, what: String, time: TimeSource
  ) -> SourceError? {
    let hasToken = token != nil
    let shown = name.flatMap { token?.occurs(in: $0) == true ? nil : $0 }
    var response = response
    if response.status >= 400 {
      switch kind {
      case .wantsLogin: return hasToken ? .tokenRefused(server) : .needsLogin(server)
      case .forbidden: return hasToken ? .forbidden(server, reason: Bounds.reason(shown ?? "")) : .needsLogin(server)
      case .missing: return .notFound(server, what: what)
      case .limit: response.status = 429
      case nil: break
      }
    }
    return SourceError(response, from: server, hasToken: hasToken, what: what, reason: shown, time: time)
  }

  /// Why a body is not a list of posts, as a message. `asked` posts were requested by the owner of `token`.
  func message(for fault: JSONSlices.Fault, asked: Int, token: Secret?) -> String {
    guard fault == .object, let name, token?.occurs(in: name) != true else { return fault.message(asked: asked) }
    return "\(SourceError.quoting)\(Bounds.reason(name))"
  }
}
