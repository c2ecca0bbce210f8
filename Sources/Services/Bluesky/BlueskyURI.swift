/// The identity of a post: `at://did:plc:…/app.bsky.feed.post/3k…` (https://atproto.com/specs/at-uri-scheme).
struct BlueskyURI {
  let text: String
  /// The account.
  let did: String
  /// The key of the post in the account's posts.
  let key: String

  /// The collection of an account's posts.
  static let collection = "app.bsky.feed.post"

  /// Reads the identity of a post; nil for any other text.
  init?(_ text: String?) {
    guard let text = Bounds.word(text, bytes: Bounds.line), text.hasPrefix("at://") else { return nil }
    let parts = text.dropFirst("at://".count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1] == Self.collection, Self.isDID(parts[0]), Self.isKey(parts[2]) else {
      return nil
    }
    (self.text, did, key) = (text, String(parts[0]), String(parts[2]))
  }

  /// Whether a text names an account for good (https://atproto.com/specs/did).
  static func isDID(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("did:") && text.utf8.count > 8 && text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "%") }
  }

  /// https://atproto.com/specs/record-key
  private static func isKey(_ text: Substring) -> Bool {
    !text.isEmpty && text != "." && text != ".." && text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "~") }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
