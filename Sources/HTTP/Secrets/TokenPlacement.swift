extension Request {
  /// Where a request carries its token. `url` and `headers` never contain it: the session inserts it when it sends the
  /// request, and only at the origin of the original URL.
  public enum TokenPlacement: Sendable, Hashable {
    /// In `Authorization`, after this scheme.
    case header(scheme: String)
    /// In each of these query fields.
    case query(fields: [String])

    /// RFC 6750, 2.1.
    public static let bearer = TokenPlacement.header(scheme: "Bearer")
    /// RFC 7617: the token is the user name and password in base64.
    public static let basic = TokenPlacement.header(scheme: "Basic")
  }

  /// Returns the URL without its fragment, without the query fields of these names, and without those that contain this
  /// token.
  static func address(_ url: String, without fields: [String], holding token: Secret) -> String {
    // Compares bytes: a `?` or `#` with a combining character is another `Character`, but servers still read it as `?`
    // or `#`.
    let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let question = address.firstIndex(of: UInt8(ascii: "?")) else { return String(Substring(address)) }
    let kept = address[question...].dropFirst().split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map(Substring.init).filter { part in
        fields.allSatisfy { parameter($0, of: "?\(part)") == nil } && !token.isPart(of: part)
      }
    let base = String(Substring(address[..<question]))
    return kept.isEmpty ? base : "\(base)?\(kept.joined(separator: "&"))"
  }
}
