/// The names by which browsers may reach the gallery.
///
/// A page of somebody else can have its own name resolve to this machine, and is then of one origin with whatever answers
/// there (DNS rebinding). Such a request has the name in its Host field, and is refused.
struct AllowedHosts: Sendable {
  /// The names that the person adds, in lower case.
  let added: Set<String>
  /// Whether the gallery itself speaks TLS.
  let isSecure: Bool
  /// Whether a proxy stands before it, which may speak another scheme at another port.
  let isBehindProxy: Bool

  private static let always: Set<String> = ["127.0.0.1", "[::1]", "localhost"]

  /// Whether a request may name this host.
  ///
  /// - Parameters:
  ///   - authority: The value of the Host field.
  ///   - end: The end of the connection at this machine.
  func allows(_ authority: String, at end: ConnectionEnd) -> Bool {
    guard let (name, port) = Self.parts(authority.lowercased()) else { return false }
    if added.contains(name), isBehindProxy { return true }
    // An address cannot be rebound: only names can.
    let isOwn = Self.always.contains(name) || added.contains(name) || name == end.hostName
    return isOwn && (port ?? (isSecure ? 443 : 80)) == end.port
  }

  /// Whether a page of this origin (RFC 6454, 7) may write, when the request names the host.
  func allows(origin: String, to authority: String, scheme: String?) -> Bool {
    let schemes = isBehindProxy ? (scheme.map { [$0] } ?? ["http", "https"]) : [isSecure ? "https" : "http"]
    return schemes.contains { origin.lowercased() == "\($0)://\(authority.lowercased())" }
  }

  /// The name and the port of `name:port`, `name` or `[address]:port`.
  private static func parts(_ authority: String) -> (name: String, port: Int?)? {
    let end =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
    let name = String(authority[..<(end ?? authority.endIndex)])
    let rest = authority[(end ?? authority.endIndex)...]
    guard !name.isEmpty, !name.contains(where: { "@/\\ ".contains($0) }) else { return nil }
    if rest.isEmpty { return (name, nil) }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return (name, Int(digits))
  }
}

/// One end of a connection.
struct ConnectionEnd: Sendable {
  /// The address; nil if it has none.
  let address: String?
  let port: Int?

  /// The address as a Host field names it.
  var hostName: String? {
    guard let address = address?.lowercased() else { return nil }
    // A socket of IPv6 that also serves IPv4 has the other's addresses in this form (RFC 4291, 2.5.5.2).
    if address.hasPrefix("::ffff:"), address.contains(".") { return String(address.dropFirst("::ffff:".count)) }
    return address.contains(":") ? "[\(address)]" : address
  }
}
