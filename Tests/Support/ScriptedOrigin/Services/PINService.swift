import Foundation

/// X's login service for people: a page that shows a PIN, and tokens that sign requests (RFC 5849). It accepts every
/// signature, but no nonce twice.
struct PINService: Sendable {
  static let pin = "7654321"

  private let keys: [String: String]
  private var pages: [String: Bool] = [:]
  private var nonces: Set<String> = []
  private var made = 0

  init(keys: [String: String]) { self.keys = keys }

  /// The fields of a signed request, if complete and with a new nonce.
  mutating func signer(_ request: RecordedRequest) -> [String: String]? {
    guard let header = request.headers["authorization"], header.hasPrefix("OAuth ") else { return nil }
    let fields = Self.fields(header)
    let names = ["oauth_consumer_key", "oauth_nonce", "oauth_signature", "oauth_signature_method", "oauth_timestamp"]
    guard names.allSatisfy({ fields[$0]?.isEmpty == false }), fields["oauth_signature_method"] == "HMAC-SHA1",
      keys[fields["oauth_consumer_key"] ?? ""] != nil, let nonce = fields["oauth_nonce"],
      let moment = fields["oauth_timestamp"].flatMap(Double.init),
      abs(moment - Date().timeIntervalSince1970) < 300, nonces.insert(nonce).inserted
    else { return nil }
    return fields
  }

  static func fields(_ header: String) -> [String: String] {
    let pairs = header.dropFirst("OAuth ".count).components(separatedBy: ", ").map { part in
      let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
      return (halves[0], halves.count > 1 ? halves[1].replacing("\"", with: "").removingPercentEncoding ?? "" : "")
    }
    return Dictionary(pairs) { $1 }
  }

  /// A token for the page.
  mutating func begin() -> String {
    made += 1
    pages["page-token-\(made)"] = false
    return "oauth_token=page-token-\(made)&oauth_token_secret=page-secret-\(made)&oauth_callback_confirmed=true"
  }

  mutating func approve(_ token: String) -> String? {
    guard pages[token] != nil else { return nil }
    pages[token] = true
    return Self.pin
  }

  /// The person's token for the PIN, once.
  mutating func trade(_ fields: [String: String]) -> (token: String, form: String)? {
    guard let page = fields["oauth_token"], pages.removeValue(forKey: page) == true,
      fields["oauth_verifier"] == Self.pin
    else { return nil }
    made += 1
    let token = "9999-person-\(made)"
    return (token, "oauth_token=\(token)&oauth_token_secret=person-secret-\(made)&user_id=9999&screen_name=ada")
  }
}

extension Origin {
  /// What a person does with X's page: logs in, allows, and reads the PIN.
  public func approvePIN(_ authorizationURL: String) throws -> String {
    let token = URLComponents(string: authorizationURL)?.queryItems?.first { $0.name == "oauth_token" }?.value
    let pin = state.withLock { $0.pins.approve(token ?? "") }
    guard let pin, authorizationURL.hasPrefix("\(url)/oauth/authorize?") else {
      throw OAuthService.Refusal(status: 404, error: "not_found")
    }
    return pin
  }

  /// The service's answers; nil for other requests.
  func pinAnswer(_ request: RecordedRequest) -> Answer? {
    guard request.headers["authorization"]?.hasPrefix("OAuth ") == true else { return nil }
    let refused = Answer(["errors": [["code": 32, "message": "Could not authenticate you."]]], status: 401)
    return state.withLock { state in
      guard let fields = state.pins.signer(request) else { return refused }
      let form = ["Content-Type": "text/html; charset=utf-8"]
      switch request.path {
      case "/oauth/request_token":
        guard fields["oauth_callback"] == "oob" else { return refused }
        return Answer(headers: form, body: Array(state.pins.begin().utf8))
      case "/oauth/access_token":
        guard let grant = state.pins.trade(fields) else { return refused }
        state.oauth.tokens.insert(grant.token)
        return Answer(headers: form, body: Array(grant.form.utf8))
      case "/1.1/oauth/invalidate_token":
        state.oauth.tokens.remove(fields["oauth_token"] ?? "")
        return Answer(["access_token": .text(fields["oauth_token"] ?? "")])
      default: return nil
      }
    }
  }
}
