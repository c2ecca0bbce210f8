/// Why a server refuses a token.
public enum TokenRefusal: Equatable, Sendable {
  /// The token is not, or no longer, accepted.
  case badToken
  /// The token is accepted, and does not allow what was asked for.
  case wantsScope

  /// Judges a refusal by its challenge (RFC 6750, 3.1), else by the error's code and description; nil where it
  /// speaks of neither.
  ///
  /// Servers have words of their own for want of scope: Mastodon and Iceshrimp "outside the authorized scopes", Takahē
  /// "out_of_scope_for_token", GoToSocial "insufficient scope permission", Pleroma and Akkoma "Insufficient permissions:
  /// read:accounts."
  public init?(_ response: Response, code: String?, description: String?) {
    guard [400, 401, 403, 422].contains(response.status) else { return nil }
    let challenge = response.headers["WWW-Authenticate"].map(Self.parameters) ?? [:]
    for code in [challenge["error"], code].compactMap({ $0?.lowercased() }) {
      if code == "insufficient_scope" || code == "invalid_scope" { self = .wantsScope } else { continue }
      return
    }
    let said = [code, description, challenge["error"], challenge["error_description"]].compactMap { $0?.lowercased() }
    func speaks(of parts: [String]) -> Bool { said.contains { text in parts.contains { text.contains($0) } } }
    if speaks(of: ["invalid_token"]) {
      self = .badToken
    } else if speaks(of: ["scope", "insufficient permission"]) {
      self = .wantsScope
    } else if speaks(of: ["token", "authenticated"]) {
      self = .badToken
    } else {
      return nil
    }
  }

  /// The parameters of a challenge, names in lower case (RFC 9110, 11.2).
  private static func parameters(_ challenge: String) -> [String: String] {
    var (found, rest): ([String: String], Substring) = ([:], challenge.prefix(4096))
    while !rest.isEmpty {
      let name = rest.prefix { $0 != "=" && $0 != "," && $0 != " " }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst()
      let value = rest.first == "\"" ? quoted(&rest) : String(rest.prefix { $0 != "," && $0 != " " })
      rest = rest.drop { $0 != "," && $0 != " " }
      if found[name.lowercased()] == nil { found[name.lowercased()] = value }
    }
    return found
  }

  private static func quoted(_ rest: inout Substring) -> String {
    rest = rest.dropFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      value.append(character == "\\" ? rest.popFirst() ?? character : character)
    }
    return value
  }
}
