import HTTP
import JSONReading
import Posts

/// An API error: in the envelope's `meta`, or, if a gateway before the API answers, without one:
/// `{"code":429,"error_type":…}`. The HTTP status may differ from the one it names.
struct InstagramAPIError {
  private let response: Response
  private var code: Int?
  private var type = ""
  private var reason: String?

  /// Reads an answer. Text that repeats the token is dropped.
  init(_ response: Response, hiding token: Secret?) {
    self.response = response
    guard response.body.count <= 64 << 10 || response.status == 200, let said = Self.said(in: response.body) else {
      return
    }
    let number = said.number("code") ?? said.string("code").flatMap(Double.init)
    code = number.flatMap { (100..<600).contains($0) ? Int($0) : nil }
    type = said.string("error_type") ?? ""
    reason = said.string("error_message").flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }

  /// The error in the answer; nil if it may hold posts.
  func error(from server: Server, hasToken: Bool, what: String, time: TimeSource) -> SourceError? {
    let why = reason.map(Bounds.reason) ?? "no reason given"
    switch type {
    case "OAuthAccessTokenException": return hasToken ? .tokenRefused(server) : .needsLogin(server)
    case "OAuthPermissionsException", "APINotAllowedError":
      return hasToken ? .forbidden(server, reason: why) : .needsLogin(server)
    case "OAuthParameterException", "OAuthException":
      if !hasToken { return .needsLogin(server) }
      if reason?.contains("access_token") == true { return .tokenRefused(server) }
    case "APINotFoundError": return .notFound(server, what: what)
    case "OAuthRateLimitException": return error(status: 429, from: server, hasToken, what, time)
    default: break
    }
    if !(200..<300).contains(response.status) {
      // The wrapper of all errors says less than its content.
      let isFramed = response.status == 400 && code.map { $0 >= 400 } == true
      return error(status: isFramed ? code ?? 400 : response.status, from: server, hasToken, what, time)
    }
    guard let code, !(200..<300).contains(code) else { return nil }
    return error(status: code, from: server, hasToken, what, time)
  }

  private func error(
    status: Int, from server: Server, _ hasToken: Bool, _ what: String, _ time: TimeSource
  ) -> SourceError? {
    var meant = response
    meant.status = status
    return SourceError(meant, from: server, hasToken: hasToken, what: what, reason: reason, time: time)
  }

  private static func said(in body: [UInt8]) -> JSONObject? {
    let whole = JSONObject(body)
    if whole?.has("meta") == true { return whole?.object("meta") }
    return body.count <= 64 << 10 ? whole : nil
  }
}
