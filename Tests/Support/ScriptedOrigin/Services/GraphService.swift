/// Meta's login service: codes for one use and one redirect, and tokens of an hour that buy tokens of sixty days.
struct GraphService: Sendable {
  struct Refusal: Error {
    var code: Int
    var message: String
  }

  /// What a person allows in the app's settings.
  static let redirect = "https://www.facebook.com/connect/login_success.html"

  private let keys: [String: String]
  private var codes: Set<String> = []
  private var short: Set<String> = []
  private var made = 0
  /// The position of a hashtag's reader: the cursor is the same on every page.
  var offsets: [String: Int] = [:]

  init(keys: [String: String]) { self.keys = keys }

  /// The final address of a login, with the code.
  mutating func authorize(_ fields: [String: String]) throws -> String {
    guard let client = fields["client_id"], keys[client] != nil else {
      throw Refusal(code: 101, message: "Error validating application.")
    }
    guard fields["redirect_uri"] == Self.redirect, fields["response_type"] == "code" else {
      throw Refusal(code: 191, message: "URL blocked: the redirect URI is not in the app's settings.")
    }
    made += 1
    codes.insert("AQ-code-\(made)")
    return "\(Self.redirect)?code=AQ-code-\(made)&state=\(fields["state"] ?? "")#_=_"
  }

  /// The token for a code or another token, and how long it is valid.
  mutating func trade(_ fields: [String: String], known tokens: Set<String>) throws -> (token: String, life: Int) {
    guard let client = fields["client_id"], keys[client] == fields["client_secret"] else {
      throw Refusal(code: 1, message: "Error validating client secret.")
    }
    made += 1
    guard fields["grant_type"] == "fb_exchange_token" else {
      guard fields["redirect_uri"] == Self.redirect, let code = fields["code"], codes.remove(code) != nil else {
        throw Refusal(code: 100, message: "This authorization code has been used.")
      }
      short.insert("EAA-short-\(made)")
      return ("EAA-short-\(made)", 5000)
    }
    guard let old = fields["fb_exchange_token"], short.contains(old) || tokens.contains(old) else {
      throw Refusal(code: 190, message: "Error validating access token: Session has expired.")
    }
    return ("EAA-long-\(made)", 5_183_944)
  }
}
