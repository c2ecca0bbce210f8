/// The identity of a web page. It stays the same when a site moves to https, or drops its `www.` or a trailing slash.
package enum WebIdentity {
  /// `birds.example/posts/1` for `http://www.birds.example/posts/1/`. A text that is not an http or https URL is returned
  /// unchanged.
  package static func key(of address: String) -> String {
    guard let rest = afterScheme(address) else { return address }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let path = rest[end...]
    let mark = path.firstIndex { $0 == "?" || $0 == "#" } ?? path.endIndex
    var bare = path[..<mark]
    while bare.last == "/" { bare.removeLast() }
    return host(rest[..<end]) + bare + path[mark...]
  }

  /// The same without what tells where a reader came from, and without a visit's number. A feed may write both anew each
  /// time: `utm_source=rss`, `;jsessionid=17`.
  package static func page(of address: String) -> String {
    let key = key(of: address)
    guard key.utf8.contains(where: { marks.contains($0) }) else { return key }
    let fragment = key.firstIndex(of: "#") ?? key.endIndex
    let query = key[..<fragment].firstIndex(of: "?") ?? fragment
    let path = key[..<query].split(separator: "/", omittingEmptySubsequences: false).filter { !isSession($0) }
      .map {
        $0.split(separator: ";", omittingEmptySubsequences: false).filter { !isOfVisit($0) }.joined(separator: ";")
      }
    return path.joined(separator: "/") + ofPage(key[query..<fragment]) + ofPage(key[fragment...])
  }

  private static let marks = Set("?;(#".utf8)

  /// A query or fragment without the fields of a visit.
  private static func ofPage(_ part: Substring) -> String {
    let fields = part.dropFirst().split(separator: "&").filter { !isOfVisit($0) }
    return fields.isEmpty ? "" : "\(part.prefix(1))\(fields.joined(separator: "&"))"
  }

  /// Whether a field of an address tells of the visit and not of the page.
  private static func isOfVisit(_ field: Substring) -> Bool {
    let name = field.prefix { $0 != "=" }.lowercased()
    if name.hasPrefix("utm_") || visits.contains(name) { return true }
    // Short names may mean something else, so the value must look like a visit's number.
    let value = field.dropFirst(name.count + 1)
    return sessions.contains(name) && value.count >= 16
      && value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// `(S(17))` in the paths of ASP.NET.
  private static func isSession(_ part: Substring) -> Bool { part.hasPrefix("(S(") && part.hasSuffix("))") }

  private static let visits: Set<String> = [
    "fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "igshid", "mc_cid", "mc_eid",
    "_hsenc", "_hsmi", "mkt_tok", "phpsessid", "jsessionid", "sessionid", "session_id", "cfid", "cftoken",
  ]
  private static let sessions: Set<String> = ["s", "sid", "session", "sess", "oscsid", "zenid"]

  /// Host and port of an http or https URL as in `key`; nil for any other text.
  package static func host(of address: String) -> String? {
    afterScheme(address).map { host($0.prefix { $0 != "/" && $0 != "?" && $0 != "#" }) }
  }

  private static func afterScheme(_ address: String) -> Substring? {
    for scheme in ["https://", "http://"] where address.prefix(scheme.count).lowercased() == scheme {
      return address.dropFirst(scheme.count)
    }
    return nil
  }

  private static func host(_ authority: Substring) -> String {
    let host = authority.lowercased()
    return host.hasPrefix("www.") && host.dropFirst(4).contains(".") ? String(host.dropFirst(4)) : host
  }
}
