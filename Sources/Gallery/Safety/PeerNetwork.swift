import Glibc

/// Who is at an address, for limits: somebody with one address of IPv6 has all of its network's.
enum PeerNetwork {
  /// - Parameter address: An address of IPv4 or IPv6. Proxies may name a port with it: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
  static func of(_ address: String) -> String {
    let bare = bare(address)
    var bytes = in6_addr()
    guard inet_pton(AF_INET6, bare, &bytes) == 1 else { return bare }
    return withUnsafeBytes(of: bytes) { bytes in
      // An address of IPv4 at a socket of IPv6 (RFC 4291, 2.5.5.2). All of them begin alike.
      let isIPv4 = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
      if isIPv4 { return bytes.suffix(4).map { "\($0)" }.joined(separator: ".") }
      return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
  }

  private static func bare(_ address: String) -> String {
    if address.hasPrefix("[") { return String(address.dropFirst().prefix { $0 != "]" }) }
    return address.count { $0 == ":" } == 1 ? String(address.prefix { $0 != ":" }) : address
  }
}
