import Blobs
import FoundationEssentials
import Machine

/// A record of a WARC file (WARC 1.1, https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/).
struct WARCRecord {
  enum Kind: String {
    /// What the file is.
    case warcinfo
    /// Bytes that were at an address.
    case resource
    /// What is known about an address.
    case metadata
    /// What was asked for, and what came.
    case request, response
  }

  let kind: Kind
  /// The address, without white space and control characters; nil for the file itself.
  let address: String?
  let date: Date
  let contentType: String
  /// The SHA-256 of its bytes, and how many they are.
  let digest: BlobID, byteCount: Int

  /// Whether its digest is that of a body after a head, not of all its bytes.
  var hasHead: Bool { kind == .request || kind == .response }
  /// The identity of the record that belongs to it.
  var concurrent: String?

  /// Its identity, made of what it says.
  var identity: String {
    "<urn:uuid:\(Self.identity(of: "\(kind.rawValue)\n\(address ?? "")\n\(UTC.text(date))\n\(digest.hex)"))>"
  }

  /// What stands before its bytes. The same record is the same in every export: its identity is made of what it says.
  var head: [UInt8] {
    var lines = [
      "WARC/1.1", "WARC-Type: \(kind.rawValue)", "WARC-Record-ID: \(identity)",
      "WARC-Date: \(UTC.text(date))",
    ]
    if let address { lines.append("WARC-Target-URI: \(address)") }
    if let concurrent { lines.append("WARC-Concurrent-To: \(concurrent)") }
    if !hasHead { lines.append("WARC-Block-Digest: sha256:\(Self.base32(digest.hex))") }
    if kind == .resource || kind == .response { lines.append("WARC-Payload-Digest: sha256:\(Self.base32(digest.hex))") }
    lines += ["Content-Type: \(contentType)", "Content-Length: \(byteCount)", "", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// What stands after its bytes.
  static let tail = Array("\r\n\r\n".utf8)

  /// A UUID of version 8, whose bits its maker chooses (RFC 9562, 5.8).
  private static func identity(of facts: String) -> String {
    var digits = Array(BlobID(hashing: Array(facts.utf8)).hex.prefix(32))
    digits[12] = "8"
    digits[16] = "a"
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return parts.joined(separator: "-")
  }

  /// Hexadecimal digits as base 32 (RFC 4648, 6), as WARC files have digests.
  static func base32(_ hex: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    let bits = hex.compactMap { $0.hexDigitValue }.flatMap { digit in (0..<4).map { digit >> (3 - $0) & 1 } }
    let groups = stride(from: 0, to: bits.count, by: 5).map { start in
      (0..<5).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
    }
    let text = String(groups.map { alphabet[$0] })
    return text + String(repeating: "=", count: (8 - text.count % 8) % 8)
  }
}
