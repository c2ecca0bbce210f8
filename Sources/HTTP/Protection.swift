/// What stands before a server and refused this program, whoever asks: a service against bots, a firewall.
///
/// APIs and feeds refuse in their own form. A web page in its place says nothing about the login.
public enum Protection: Sendable, Equatable {
  /// A page that only a browser passes, or one that shuts programs out. Another try changes nothing.
  case challenge
  /// A page that does not say why.
  case block
}

extension Response {
  /// The protection that gave this answer; nil if the server itself did.
  ///
  /// Cloudflare marks its challenges (`cf-mitigated`, https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/).
  /// A page with 429 that says when to come back is a rate limit, and a page with 503 that is no challenge an outage.
  public var protection: Protection? {
    if headers["cf-mitigated"] != nil { return .challenge }
    // To programs that want no page, it says so in a line (https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-1xxx-errors/).
    if status == 403, body.starts(with: "error code: 10".utf8) { return .block }
    guard [403, 429, 503].contains(status), isPage else { return nil }
    if wantsBrowser, !namesTime { return .challenge }
    switch status {
    case 403: return .block
    case 429: return namesTime ? nil : .block
    default: return nil
    }
  }

  private var namesTime: Bool {
    RateLimit(headers: headers, now: .init(timeIntervalSince1970: 0)).resetsAt != nil
  }

  /// Whether the body is a web page.
  private var isPage: Bool {
    let type = headers["Content-Type"]?.lowercased() ?? ""
    if type.hasPrefix("text/html") || type.hasPrefix("application/xhtml") { return !body.isEmpty }
    let start = String(decoding: body.prefix(512), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let lower = start.lowercased()
    return lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html")
  }

  /// Whether the page's words are those of a challenge.
  private var wantsBrowser: Bool {
    let page = String(decoding: body.prefix(Self.longestLook), as: UTF8.self).lowercased().utf8
    return Self.challengeWords.contains { page.firstRange(of: $0.utf8) != nil }
  }

  private static let longestLook = 64 << 10

  private static let challengeWords = [
    "captcha", "challenge", "checking your browser", "checking if the site", "just a moment", "attention required",
    "ddos", "access denied", "not a bot", "robot", "are human", "security check", "you have been blocked",
    "verify you", "enable javascript",
  ]
}
