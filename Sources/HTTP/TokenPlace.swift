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
    let address = url.prefix { $0 != "#" }
    guard let question = address.firstIndex(of: "?") else { return String(address) }
    let secrets = [token.reveal(), percentEncoded(token.reveal())].filter { !$0.isEmpty }
    let kept = address[address.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
      .filter { part in
        fields.allSatisfy { parameter($0, of: "?\(part)") == nil } && !secrets.contains { part.contains($0) }
      }
    return String(address[..<question]) + (kept.isEmpty ? "" : "?\(kept.joined(separator: "&"))")
  }
}
