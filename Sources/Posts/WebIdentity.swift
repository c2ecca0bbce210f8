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
