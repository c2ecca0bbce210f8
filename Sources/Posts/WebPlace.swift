/// What stays of an address when a site moves to https, drops its `www.` or a slash: the same page.
public enum WebPlace {
  /// `birds.example/posts/1` for `http://www.birds.example/posts/1/`; the text as it is where it is no http or https URL.
  public static func key(of address: String) -> String {
    guard let rest = afterScheme(address) else { return address }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let path = rest[end...]
    let mark = path.firstIndex { $0 == "?" || $0 == "#" } ?? path.endIndex
    var bare = path[..<mark]
    while bare.last == "/" { bare.removeLast() }
    return host(rest[..<end]) + bare + path[mark...]
  }

  /// Host and port of an http or https URL as `key` has them; nil for anything else.
  public static func host(of address: String) -> String? {
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
