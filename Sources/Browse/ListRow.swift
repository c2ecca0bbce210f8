import Foundation
import MediaLibrary
import Terminal

/// A post as the list shows it: everything from outside is harmless already, and no longer than a screen has use for.
public struct ListRow: Sendable, Equatable, Identifiable {
  /// A picture, video or file of the post.
  public struct Picture: Sendable, Equatable {
    /// What it is: `image`.
    public var kind: String
    /// What it shows, in words; empty where nobody said.
    public var alt: String
    /// `1200 × 800`, empty where nobody knows.
    public var size: String
    /// `stored`, or what stands in the way.
    public var state: String
    /// Why the last try to fetch it failed; empty where none did.
    public var failure = ""
    /// The kept bytes; nil while there are none.
    public var blob: BlobID?
    /// Its pixels, where they are known.
    public var pixels: PixelSize?
    /// How many bytes are kept.
    public var byteCount: Int?

    /// A picture from its parts.
    public init(kind: String, alt: String = "", size: String = "", state: String, blob: BlobID? = nil) {
      (self.kind, self.alt, self.size, self.state, self.blob) = (kind, alt, size, state, blob)
    }
  }

  /// How large a picture is, in pixels.
  public struct PixelSize: Sendable, Equatable {
    /// From left to right.
    public var width: Int
    /// From top to bottom.
    public var height: Int

    /// A size from its parts.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  }

  /// Its number in the library.
  public var id: Int64
  /// Whose it is.
  public var name: String
  /// `birds@mastodon.social`, empty for one's own.
  public var handle: String
  /// When it was written.
  public var createdAt: Date
  /// A headline; empty where there is none.
  public var title = ""
  /// The content warning; empty where there is none.
  public var warning = ""
  /// The text; it may be empty.
  public var caption: String
  /// The tags, without `#`.
  public var tags: [String] = []
  /// Where people open it.
  public var url: String?
  /// Its pictures.
  public var pictures: [Picture] = []
  /// Whether its pictures ask for a key before they are seen.
  public var isSensitive = false
  /// The author's kept picture.
  public var avatar: BlobID?
  /// When it was found gone from its server; nil while it is there.
  public var goneAt: Date?

  // No screen shows more, and a page in the browser does.
  private static let longest = 10_000

  /// A row from its parts.
  public init(id: Int64, name: String, handle: String = "", createdAt: Date, caption: String, tags: [String] = []) {
    (self.id, self.createdAt, self.tags) = (id, createdAt, tags.map { Harmless.text($0) })
    (self.name, self.handle) = (Harmless.text(name), Harmless.text(handle))
    self.caption = Self.bounded(caption)
  }

  /// The row of a stored post.
  public init(_ post: StoredPost) {
    // Some services do not say whose a post is.
    let nameless = post.source == .manual ? "You" : "Somebody"
    self.init(
      id: post.id, name: post.author?.name ?? nameless, handle: post.author?.handle ?? "", createdAt: post.createdAt,
      caption: post.caption, tags: post.tags)
    title = Harmless.text(post.title ?? "")
    warning = Harmless.text(post.warning)
    url = post.url.map { Harmless.text($0) }
    pictures = post.attachments.map(Picture.init)
    isSensitive = post.sensitive
    avatar = post.author?.avatar
    goneAt = post.goneAt
  }

  /// Warning, headline and text on one line.
  var line: String {
    let warning = warning.isEmpty ? "" : "[\(warning)]"
    let text = [warning, title, String(caption.prefix(1200))].filter { !$0.isEmpty }.joined(separator: " ")
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Up to two letters that stand for a face.
  var initials: String {
    let words = name.split { !$0.isLetter && !$0.isNumber }
    let letters = words.prefix(2).compactMap(\.first).map { String($0).uppercased() }.joined()
    return letters.isEmpty ? "·" : letters.truncated(to: 4)
  }

  private static func bounded(_ text: String) -> String {
    let whole = Harmless.text(text, keepingLines: true)
    return whole.utf8.count > longest ? String(whole.prefix(longest)) + "…" : whole
  }
}

extension ListRow.Picture {
  fileprivate init(_ attachment: StoredAttachment) {
    let pixels = attachment.width.flatMap { width in
      attachment.height.map { ListRow.PixelSize(width: width, height: $0) }
    }
    self.init(
      kind: attachment.kind.rawValue, alt: Harmless.text(attachment.alt ?? ""),
      size: pixels.map { "\($0.width) × \($0.height)" } ?? "", state: attachment.state.rawValue, blob: attachment.blob)
    failure = Harmless.text(attachment.failure ?? "")
    self.pixels = pixels
    byteCount = attachment.byteCount
  }
}
