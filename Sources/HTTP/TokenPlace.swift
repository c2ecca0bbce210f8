extension Request {
  /// Where a request carries its token. `url` and `headers` never hold it: it is put in on the way out, at the origin
  /// that was asked and nowhere else.
  public enum TokenPlace: Sendable, Hashable {
    /// In `Authorization`, behind this scheme.
    case header(scheme: String)
    /// As the query field of each of these names.
    case query(fields: [String])

    /// RFC 6750, 2.1.
    public static let bearer = TokenPlace.header(scheme: "Bearer")
    /// RFC 7617: the token is the name and password in base64.
    public static let basic = TokenPlace.header(scheme: "Basic")
  }

  /// The URL without the query fields of these names, and without those that hold this token; the fragment goes, too.
  static func address(_ url: String, without fields: [String], holding token: Secret) -> String {
    // By bytes: a mark with a combining character behind it is another `Character`, and yet the mark for a server.
    let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let question = address.firstIndex(of: UInt8(ascii: "?")) else { return String(Substring(address)) }
    let kept = address[question...].dropFirst().split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map(Substring.init).filter { part in
        fields.allSatisfy { parameter($0, of: "?\(part)") == nil } && !token.isPart(of: part)
      }
    let place = String(Substring(address[..<question]))
    return kept.isEmpty ? place : "\(place)?\(kept.joined(separator: "&"))"
  }
}
