import FoundationEssentials
import HTTP
import Posts

/// Addresses as feeds write them.
enum FeedAddress {
  /// Resolves a reference to an absolute address (RFC 3986, 5), within bounds. Returns nil if it is not one.
  static func resolve(_ reference: String?, against base: String) -> String? {
    guard let reference = reference?.trimmed, !reference.isEmpty, reference.utf8.count <= Bounds.address else {
      return nil
    }
    if reference.hasPrefix("http://") || reference.hasPrefix("https://") {
      return Bounds.webAddress(reference).flatMap { URLComponents(webAddress: $0)?.hostName == nil ? nil : $0 }
    }
    guard let origin = HostName.inASCII(url: base).flatMap(URL.init),
      let url = HostName.inASCII(url: reference).flatMap({ URL(string: $0, relativeTo: origin) })
    else { return nil }
    return Bounds.webAddress(url.absoluteString)
  }

  /// The cursor for a document with older items: path and query on the same host, without the fields of the feed's own
  /// address, because one of them may be a key. Returns nil if the address is on another host.
  static func cursor(to next: String, from location: String) -> Cursor? {
    guard let parts = URLComponents(webAddress: next), let own = URLComponents(webAddress: location),
      WebIdentity.host(of: next) == WebIdentity.host(of: location)
    else { return nil }
    let known = Set(fields(own))
    let query = fields(parts).filter { !known.contains($0) }.joined(separator: "&")
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let value = query.isEmpty ? path : "\(path)?\(query)"
    return value.utf8.count <= 1024 ? Bounds.word(value, bytes: 1024).map { Cursor($0) } : nil
  }

  /// The address for a cursor.
  static func address(of cursor: Cursor, from location: String) -> String? {
    guard cursor.value.hasPrefix("/"), !cursor.value.hasPrefix("//"), let own = URLComponents(webAddress: location),
      let server = Server(location)
    else { return nil }
    let halves = cursor.value.split(separator: "?", maxSplits: 1)
    let said = halves.count > 1 ? halves[1].split(separator: "&").map(String.init) : []
    let names = Set(said.map(name))
    let query = (fields(own).filter { !names.contains(name($0)) } + said).joined(separator: "&")
    return Bounds.webAddress(server.origin + halves[0] + (query.isEmpty ? "" : "?\(query)"))
  }

  /// A temporary redirect's target as it is stored. Its query may hold a key made for one visit, so only a digest is
  /// kept.
  static func remembered(_ location: String) -> String {
    guard let mark = location.utf8.firstIndex(of: UInt8(ascii: "?")) else { return location }
    return "\(location[..<mark])#sha256:\(base64URL(Digest.sha256(Array(location[mark...].utf8))))"
  }

  /// Whether an address holds what lets one person in: a login, or a key in its query or path.
  static func holdsKey(_ address: String) -> Bool {
    guard let parts = URLComponents(webAddress: address) else { return false }
    return parts.user != nil || parts.percentEncodedPath.split(separator: "/").contains(where: isSecret)
      || fields(parts).contains { WebAddress.isKey(name($0)) || isDigest($0.drop { $0 != "=" }.dropFirst()) }
  }

  /// Whether a part of a path says that what is below it is for one person, as Pinboard's, Substack's and Google's do.
  private static func isSecret(_ part: Substring) -> Bool {
    let part = part.lowercased()
    return part == "private" || part.hasPrefix("private-") || part.hasPrefix("secret:")
      // Addresses that everybody knows have shorter names.
      || part.utf8.count >= 40 && isDigest(part[...])
  }

  /// Whether a value is one that nobody guesses, such as that of Reddit's `feed`.
  private static func isDigest(_ value: Substring) -> Bool { value.utf8.count >= 32 && value.allSatisfy(\.isHexDigit) }

  private static func fields(_ parts: URLComponents) -> [String] {
    (parts.percentEncodedQuery ?? "").split(separator: "&").map(String.init)
  }

  private static func name(_ field: String) -> String { String(field.prefix { $0 != "=" }) }
}
