import Foundation
import HTTP
import Posts

/// Addresses as feeds write them.
enum FeedAddress {
  /// A reference as a whole address (RFC 3986, 5), within bounds; nil where it is none.
  static func resolve(_ reference: String?, against base: String) -> String? {
    guard let reference = reference?.trimmed, !reference.isEmpty, reference.utf8.count <= Bounds.address else {
      return nil
    }
    if reference.hasPrefix("http://") || reference.hasPrefix("https://") {
      return Bounds.webAddress(reference).flatMap { URLComponents(string: $0)?.host == nil ? nil : $0 }
    }
    guard let origin = URL(string: base), let url = URL(string: reference, relativeTo: origin) else { return nil }
    return Bounds.webAddress(url.absoluteString)
  }

  /// Where a document with older items lies, as a cursor: path and query on the same host, without the fields that the
  /// feed's own address has, too, for one of them may be a key. nil where it leads to another host.
  static func cursor(to next: String, from place: String) -> Cursor? {
    guard let parts = URLComponents(string: next), let own = URLComponents(string: place),
      WebPlace.host(of: next) == WebPlace.host(of: place)
    else { return nil }
    let known = Set(fields(own))
    let query = fields(parts).filter { !known.contains($0) }.joined(separator: "&")
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let value = query.isEmpty ? path : "\(path)?\(query)"
    return value.utf8.count <= 1024 ? Bounds.word(value, bytes: 1024).map { Cursor($0) } : nil
  }

  /// The address that a cursor leads to.
  static func address(of cursor: Cursor, from place: String) -> String? {
    guard cursor.value.hasPrefix("/"), !cursor.value.hasPrefix("//"), let own = URLComponents(string: place),
      let server = Server(place)
    else { return nil }
    let halves = cursor.value.split(separator: "?", maxSplits: 1)
    let said = halves.count > 1 ? halves[1].split(separator: "&").map(String.init) : []
    let names = Set(said.map(name))
    let query = (fields(own).filter { !names.contains(name($0)) } + said).joined(separator: "&")
    return Bounds.webAddress(server.origin + halves[0] + (query.isEmpty ? "" : "?\(query)"))
  }

  /// A place that another one led to for now, as it is remembered: what is in its query may be a key that was made for
  /// one visit, so that only a digest of it is kept.
  static func remembered(_ place: String) -> String {
    guard let mark = place.utf8.firstIndex(of: UInt8(ascii: "?")) else { return place }
    return "\(place[..<mark])#sha256:\(base64URL(Digest.sha256(Array(place[mark...].utf8))))"
  }

  private static func fields(_ parts: URLComponents) -> [String] {
    (parts.percentEncodedQuery ?? "").split(separator: "&").map(String.init)
  }

  private static func name(_ field: String) -> String { String(field.prefix { $0 != "=" }) }
}
