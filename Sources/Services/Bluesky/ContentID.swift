import HTTP
import Login
import Posts

/// The name of a file's bytes: version 1, as they are, SHA-256 (https://atproto.com/specs/data-model#link-and-cid-formats),
/// in base32 without padding (RFC 4648, 6) behind a `b`.
struct ContentID {
  /// The SHA-256 of the bytes.
  let digest: [UInt8]

  /// Reads a name; nil for names of any other kind.
  init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "b"), text.utf8.count == 59,
      let bytes = Self.bytes(inBase32: text.utf8.dropFirst()), bytes.count == 36,
      bytes.starts(with: [0x01, 0x55, 0x12, 0x20])
    else { return nil }
    digest = Array(bytes.dropFirst(4))
  }

  /// The digest that the address of a file names; nil if it names none.
  static func digest(namedBy address: String) -> [UInt8]? {
    parameter("cid", of: address).flatMap(ContentID.init)?.digest
  }

  /// A parameter of the address of a file; nil for other addresses.
  fileprivate static func parameter(_ name: String, of address: String) -> String? {
    let path = address.utf8.firstIndex(of: UInt8(ascii: "?")).map { address[..<$0] }
    return path?.hasSuffix("/xrpc/com.atproto.sync.getBlob") == true ? Request.parameter(name, of: address) : nil
  }

  private static func bytes(inBase32 text: some Sequence<UInt8>) -> [UInt8]? {
    var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for letter in text {
      switch letter {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): bits = bits << 5 | Int(letter - UInt8(ascii: "a"))
      case UInt8(ascii: "2")...UInt8(ascii: "7"): bits = bits << 5 | Int(letter - UInt8(ascii: "2") + 26)
      default: return nil
      }
      count += 5
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      bits &= 1 << count - 1
    }
    // What is left over is no part of a byte.
    return bits == 0 ? bytes : nil
  }
}

extension NamedFiles {
  /// The server of an account has its files; the entryway, which is asked first, knows its own accounts alone.
  static let bluesky = NamedFiles(
    digest: ContentID.digest,
    owner: { address in ContentID.parameter("did", of: address).flatMap { BlueskyURI.isDID($0) ? $0 : nil } },
    home: { file, directory, transport in
      let network = BlueskyNetwork(of: file.asked, Directories(documents: directory))
      let found = BlueskyDirectory(
        network: network, transport: transport, referrer: file.referrer, isTriedOnce: true)
      let home = await found.account(named: file.owner)?.home
      // A document can't lead to a server that shows what it sends to everybody on the way.
      return home.flatMap { $0.isSecure || !file.asked.isSecure ? $0 : nil }
    })
}
