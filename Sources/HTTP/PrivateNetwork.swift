import Glibc

/// Tells this machine and private networks from the internet. A stranger's link must not lead into them.
enum PrivateNetwork {
  /// Whether an IP address lies there. A name is judged by its form alone.
  static func holds(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
    // A link-local address may end with `%` and the name of its network interface.
    let text = String(bare.prefix { $0 != "%" })
    if let bytes = bytes(text) { return holds(bytes) }
    let name = text.hasSuffix(".") ? String(text.dropLast()) : text
    return !name.contains(".") || endings.contains { name.lowercased().hasSuffix($0) }
  }

  /// Domains that the public DNS does not contain (RFC 6761, RFC 6762, RFC 8375), and two that routers assign.
  private static let endings = [".localhost", ".local", ".home.arpa", ".internal", ".lan"]

  /// The blocks of the special-purpose registries (RFC 6890 and its successors) in which a machine can answer.
  private static let blocks: [(bytes: [UInt8], bits: Int)] = [
    ("0.0.0.0", 8), ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16), ("172.16.0.0", 12),
    ("192.0.0.0", 24), ("192.168.0.0", 16), ("255.255.255.255", 32),
    ("::", 127), ("fc00::", 7), ("fe80::", 10), ("fec0::", 10), ("64:ff9b:1::", 48),
  ].compactMap { text, bits in bytes(text).map { ($0, bits) } }

  /// Prefixes of IPv6 addresses that embed an IPv4 address: mapped (RFC 4291, 2.5.5), translated (RFC 6052), 6to4 (RFC
  /// 3056).
  private static let wrappings: [(bytes: [UInt8], bits: Int)] = [
    ("::ffff:0:0", 96), ("::", 96), ("64:ff9b::", 96), ("2002::", 16),
  ].compactMap { text, bits in bytes(text).map { ($0, bits) } }

  private static func holds(_ address: [UInt8]) -> Bool {
    if blocks.contains(where: { isIn($0, address) }) { return true }
    guard let wrapping = wrappings.first(where: { isIn($0, address) }) else { return false }
    return holds(Array(address[(wrapping.bits / 8)...].prefix(4)))
  }

  private static func isIn(_ block: (bytes: [UInt8], bits: Int), _ address: [UInt8]) -> Bool {
    guard block.bytes.count == address.count else { return false }
    return (0..<block.bits).allSatisfy { bit in
      let mask = UInt8(0x80) >> UInt8(bit % 8)
      return (block.bytes[bit / 8] ^ address[bit / 8]) & mask == 0
    }
  }

  /// The address in network byte order, four or sixteen bytes.
  private static func bytes(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
