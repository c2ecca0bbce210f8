import Synchronization

/// Names of the AT Protocol, made of what names people, posts and pictures here.
enum BlueskyNames {
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
  /// Sorts as numbers do (https://atproto.com/specs/tid).
  private static let sortable = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)

  /// Base32 without padding (RFC 4648, 6) in lower case.
  static func base32(_ bytes: [UInt8]) -> String {
    var (text, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | Int(byte), count + 8)
      while count >= 5 {
        count -= 5
        text.append(alphabet[bits >> count & 31])
        bits &= (1 << count) - 1
      }
    }
    if count > 0 { text.append(alphabet[bits << (5 - count) & 31]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The name of some bytes: version 1, their form, SHA-256 (https://github.com/multiformats/cid).
  static func cid(_ digest: [UInt8], isRecord: Bool = false) -> String {
    "b" + base32([0x01, isRecord ? 0x71 : 0x55, 0x12, 0x20] + digest)
  }

  /// The key of a post.
  static func key(_ id: Int64) -> String {
    String(decoding: (0..<13).reversed().map { sortable[Int(id >> ($0 * 5) & 31)] }, as: UTF8.self)
  }

  /// The post of a key.
  static func id(_ key: some StringProtocol) -> Int64? {
    guard key.utf8.count == 13 else { return nil }
    return key.utf8.reduce(0 as Int64?) { id, byte in
      guard let id, let digit = sortable.firstIndex(of: byte) else { return nil }
      return id << 5 | Int64(digit)
    }
  }
}

extension Person {
  /// The account's identity (https://atproto.com/specs/did).
  var did: String { "did:plc:\(BlueskyNames.base32(sha256(Array("person \(id)".utf8))).prefix(24))" }

  /// The name of a host (https://atproto.com/specs/handle); that of this server's people is one for trying things out
  /// (RFC 2606).
  var blueskyHandle: String { "\(username).\(host ?? "test")" }

  /// Whether a login needs a code that came by mail.
  var wantsMailCode: Bool { username == "tomasz" }

  /// Whether the account asks that only people who are logged in see its posts.
  var isForMembers: Bool { id % 6 == 0 }

  /// The person of a handle or an identity.
  static func bluesky(_ name: String) -> Person? {
    let name = name.drop { $0 == "@" }.lowercased()
    return everyone.first { $0.blueskyHandle == name || $0.did == name }
  }
}

/// A picture as a record names it.
struct BlueskyBlob: Sendable {
  let cid: String
  let byteCount: Int
}

/// The pictures that were shown, by the names of their bytes.
final class BlueskyBlobs: Sendable {
  private let shown = Mutex<(arts: [String: Art], blobs: [Art: BlueskyBlob])>(([:], [:]))

  /// The picture of a name, if it was shown.
  subscript(cid: String) -> Art? { shown.withLock { $0.arts[cid] } }

  /// The name of a picture. Another server would know it from its upload; here it is drawn once, with
  /// fewer pixels than elsewhere: a page of posts waits for all of its pictures.
  func blob(of art: Art, drawnBy studio: Studio) async throws -> BlueskyBlob {
    if let known = shown.withLock({ $0.blobs[art] }) { return known }
    let bytes = try await studio.picture(of: .art(art, .upload)).picture.bytes
    let blob = BlueskyBlob(cid: BlueskyNames.cid(sha256(bytes)), byteCount: bytes.count)
    shown.withLock { ($0.arts[blob.cid], $0.blobs[art]) = (art, blob) }
    return blob
  }

  /// The pictures of posts by their names. Those are hashes of their bytes, so each is drawn.
  func files(of posts: [DemoPost], drawnBy studio: Studio) async throws -> [Art: BlueskyBlob] {
    let arts = Set(posts.flatMap(\.pictures).map(\.art))
    return try await withThrowingTaskGroup(of: (Art, BlueskyBlob).self) { group in
      for art in arts { group.addTask { (art, try await self.blob(of: art, drawnBy: studio)) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
