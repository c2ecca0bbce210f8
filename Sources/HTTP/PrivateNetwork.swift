import Foundation

/// Tells this machine and the networks around it from the internet: places that a stranger's link must not lead into.
enum PrivateNetwork {
  /// Whether an IP address, or a name by its looks alone, lies there.
  static func holds(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
    // An address of a link bears the name of the link behind it.
    let text = String(bare.prefix { $0 != "%" })
    if let bytes = bytes(text) { return holds(bytes) }
    let name = text.hasSuffix(".") ? String(text.dropLast()) : text
    return !name.contains(".") || endings.contains { name.lowercased().hasSuffix($0) }
  }

  /// Names that no public directory knows (RFC 6761, RFC 6762, RFC 8375), and two that routers give.
  private static let endings = [".localhost", ".local", ".home.arpa", ".internal", ".lan"]

  /// Those of the registries for special purposes (RFC 6890 and what followed it) behind which a machine can answer.
  private static let blocks: [(bytes: [UInt8], bits: Int)] = [
    ("0.0.0.0", 8), ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16), ("172.16.0.0", 12),
    ("192.0.0.0", 24), ("192.168.0.0", 16), ("255.255.255.255", 32),
    ("::", 127), ("fc00::", 7), ("fe80::", 10), ("fec0::", 10), ("64:ff9b:1::", 48),
  ].compactMap { text, bits in bytes(text).map { ($0, bits) } }

  /// Prefixes behind which an address of IPv4 stands: mapped (RFC 4291, 2.5.5), translated (RFC 6052), 6to4 (RFC 3056).
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

  /// An address in network order, four bytes or sixteen.
  private static func bytes(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
