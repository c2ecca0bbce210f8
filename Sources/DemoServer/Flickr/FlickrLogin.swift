import CCrypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Posts
import Synchronization
import Web

/// Logins by signed requests (https://www.flickr.com/services/api/auth.oauth.html). Kept in memory: ending the demo ends them.
final class FlickrLogins: Sendable {
  /// The only app.
  static let key = "demo-api-key"
  static let secret = "demo-app-secret"

  private struct Token {
    let secret: String
    /// The person who allowed it, and the code that the page showed them.
    var allowed: (person: Person, code: String)?
  }

  private let temporary = Mutex<[String: Token]>([:])
  private let granted = Mutex<[String: (secret: String, person: Person)]>([:])

  /// Begins a login.
  func begin() -> (token: String, secret: String) {
    let (token, secret) = (Self.random(), Self.random())
    temporary.withLock { $0[token] = Token(secret: secret) }
    return (token, secret)
  }

  /// The secret of a login that is not finished.
  func secret(ofLogin token: String) -> String? { temporary.withLock { $0[token]?.secret } }

  /// The secret of a token, and whose it is.
  func login(of token: String) -> (secret: String, person: Person)? { granted.withLock { $0[token] } }

  /// Lets a login in; returns the code for it, or nil if there is no such login.
  func allow(_ token: String, _ person: Person) -> String? {
    let code = (0..<3).map { _ in String(Int.random(in: 100...999)) }.joined(separator: "-")
    return temporary.withLock { tokens in
      guard tokens[token] != nil else { return nil }
      tokens[token]?.allowed = (person, code)
      return code
    }
  }

  /// Exchanges a login's code, once, for a token.
  func trade(_ token: String, _ code: String?) -> (person: Person, token: String, secret: String)? {
    let person = temporary.withLock { tokens -> Person? in
      guard let allowed = tokens[token]?.allowed, allowed.code == code else { return nil }
      tokens[token] = nil
      return allowed.person
    }
    guard let person else { return nil }
    let (token, secret) = (Self.random(), Self.random())
    granted.withLock { $0[token] = (secret, person) }
    return (person, token, secret)
  }

  private static func random() -> String { String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }
}

/// The three addresses of a login.
struct FlickrLoginRoutes {
  let serverState: ServerState
  let logins: FlickrLogins

  func add(to router: Router<DemoContext>) {
    router.post("/services/oauth/request_token") { request, _ in
      guard FlickrSignature(request, at: serverState.origin)?.isMade(with: "") == true else { return Self.refusal }
      let (token, secret) = logins.begin()
      return Self.form([("oauth_callback_confirmed", "true"), ("oauth_token", token), ("oauth_token_secret", secret)])
    }
    router.get("/services/oauth/authorize") { request, _ in Response(html: Self.page(request.query)) }
    router.post("/services/oauth/authorize") { request, _ in try await decide(try await request.fields()) }
    router.post("/services/oauth/access_token") { request, _ in
      guard let signature = FlickrSignature(request, at: serverState.origin), let login = signature.token,
        let secret = logins.secret(ofLogin: login), signature.isMade(with: secret),
        let (person, token, tokenSecret) = logins.trade(login, signature.verifier)
      else { return Self.refusal }
      return Self.form([
        ("fullname", person.name), ("oauth_token", token), ("oauth_token_secret", tokenSecret),
        ("user_nsid", FlickrWire.account(of: person)), ("username", person.name),
      ])
    }
  }

  private static let refusal = Response(
    status: .unauthorized, body: .init(byteBuffer: ByteBuffer(string: "oauth_problem=signature_invalid")))

  private static func form(_ fields: [(String, String)]) -> Response {
    let text = fields.map { "\($0.0)=\($0.1.pathEscaped)" }.joined(separator: "&")
    return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  private static func page(_ asked: Fields, trouble: String? = nil) -> HTML {
    AllowPage.html(
      to: "/services/oauth/authorize", app: "an app", permission: asked["perms"] ?? "read",
      hidden: [("oauth_token", asked["oauth_token"] ?? ""), ("perms", asked["perms"] ?? "read")], trouble: trouble)
  }

  private func decide(_ fields: Fields) async throws -> Response {
    guard let person = AllowPage.person(fields) else {
      return Response(html: Self.page(fields, trouble: AllowPage.mismatch), status: .unauthorized)
    }
    guard fields["decision"] == "allow" else { return AllowPage.denied }
    guard let code = logins.allow(fields["oauth_token"] ?? "", person) else {
      return Response(html: DemoPage.message("Too late", "Begin the login again."), status: .badRequest)
    }
    return Response(html: CodePage.html(code))
  }
}

/// The signature of a request (RFC 5849, 3.4).
struct FlickrSignature {
  private let fields: [(name: String, value: String)]
  private let base: String

  /// nil if a request has none.
  init?(_ request: Request, at origin: String) {
    guard let header = request.headers[.authorization], header.hasPrefix("OAuth ") else { return nil }
    fields = header.dropFirst(6).split(separator: ",").compactMap { part in
      let halves = part.trimmingWhiteSpace.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, let name = halves[0].percentDecoded else { return nil }
      return (name, halves[1].trimmingCharacters("\"").percentDecoded ?? "")
    }
    let query = (request.uri.query ?? "").split(separator: "&").map { pair -> (String, String) in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (halves[0].percentDecoded ?? "", halves.count > 1 ? halves[1].percentDecoded ?? "" : "")
    }
    let signed = query + fields.filter { $0.name != "oauth_signature" }.map { ($0.name, $0.value) }
    let normal = signed.map { ($0.0.pathEscaped, $0.1.pathEscaped) }.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }
    base = [request.method.rawValue, origin + request.uri.path, normal.joined(separator: "&")].map(\.pathEscaped)
      .joined(separator: "&")
  }

  private func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  var token: String? { field("oauth_token") }
  var verifier: String? { field("oauth_verifier") }

  /// Whether it is the app's, with this secret of a token.
  func isMade(with tokenSecret: String) -> Bool {
    guard field("oauth_consumer_key") == FlickrLogins.key else { return false }
    let (key, text) = (Array("\(FlickrLogins.secret)&\(tokenSecret)".utf8), Array(base.utf8))
    var digest = [UInt8](repeating: 0, count: 20)
    crypto_shim_hmac_sha1(key, key.count, text, text.count, &digest)
    return field("oauth_signature") == Data(digest).base64EncodedString()
  }
}

extension Substring {
  /// The text without these characters around it.
  fileprivate func trimmingCharacters(_ characters: String) -> Substring {
    var text = drop { characters.contains($0) }
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return text
  }
}
