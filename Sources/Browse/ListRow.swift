import Foundation
import MediaLibrary
import Terminal

/// A post as the list shows it: everything from outside was made harmless once, here, and is no longer than a screen has
/// use for.
public struct ListRow: Sendable, Equatable, Identifiable {
  /// A picture, video or file of the post.
  public struct Picture: Sendable, Equatable {
    /// What it is: `image`.
    public var kind: Inert
    /// What it shows, in words; empty where nobody said.
    public var alt: Inert
    /// `1200 × 800`, empty where nobody knows.
    public var size: Inert
    /// `stored`, or what stands in the way.
    public var state: Inert
    /// Why the last try to fetch it failed; empty where none did.
    public var failure = Inert()
    /// Until when its host takes no more requests: `24 Nov 14:05`; empty where that is not why it is missing.
    public var putOff = Inert()
    /// The kept bytes; nil while there are none.
    public var blob: BlobID?
    /// Its pixels, where they are known.
    public var pixels: PixelSize?
    /// How many bytes are kept.
    public var byteCount: Int?

    /// A picture from its parts.
    public init(kind: Inert, alt: Inert = "", size: Inert = "", state: Inert, blob: BlobID? = nil) {
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
  public var name: Inert
  /// `birds@mastodon.social`, empty for one's own.
  public var handle: Inert
  /// When it was written.
  public var createdAt: Date
  /// A headline; empty where there is none.
  public var title = Inert()
  /// The content warning; empty where there is none.
  public var warning = Inert()
  /// The text; it may be empty.
  public var caption: Inert
  /// The tags, without `#`.
  public var tags: [Inert] = []
  /// Where people open it.
  public var url: Inert?
  /// Its pictures.
  public var pictures: [Picture] = []
  /// Whether its pictures ask for a key before they are seen.
  public var isSensitive = false
  /// The author's kept picture.
  public var avatar: BlobID?
  /// Whether the author has a picture that is not kept.
  public var lacksAvatar = false
  /// When it was found gone from its server; nil while it is there.
  public var goneAt: Date?

  // No screen shows more at once.
  private static let longest = 10_000

  /// A row from its parts.
  public init(id: Int64, name: String, handle: String = "", createdAt: Date, caption: String, tags: [String] = []) {
    (self.id, self.createdAt, self.tags) = (id, createdAt, tags.map { Inert($0) })
    (self.name, self.handle) = (Inert(name), Inert(handle))
    self.caption = Self.bounded(caption, of: id)
  }

  /// The row of a stored post, with times of that zone.
  public init(_ post: StoredPost, zone: TimeZone = .current) {
    // Some services do not say whose a post is.
    let nameless = post.source == .manual ? "You" : "Somebody"
    self.init(
      id: post.id, name: post.author?.name ?? nameless, handle: post.author?.handle ?? "", createdAt: post.createdAt,
      caption: post.caption, tags: post.tags)
    title = Inert(post.title ?? "")
    warning = Inert(post.warning)
    url = post.url.map { Inert($0) }
    pictures = post.attachments.map { Picture($0, zone) }
    isSensitive = post.sensitive
    avatar = post.author?.avatar
    lacksAvatar = avatar == nil && post.author?.avatarURL != nil
    goneAt = post.goneAt
  }

  /// Warning, headline and text on one line.
  var line: Inert {
    let warning: Inert = warning.isEmpty ? "" : "[\(warning)]"
    return [warning, title, caption.prefix(1200)].filter { !$0.isEmpty }.joined(separator: " ").onOneLine
  }

  /// Up to two letters that stand for a face.
  var initials: Inert {
    let words = name.text.split { !$0.isLetter && !$0.isNumber }
    let letters = words.prefix(2).compactMap(\.first).map { String($0).uppercased() }.joined()
    return letters.isEmpty ? "·" : Inert(letters).truncated(to: 4)
  }

  private static func bounded(_ text: String, of id: Int64) -> Inert {
    let whole = Inert(text, keepingLines: true)
    return whole.text.utf8.count > longest ? "\(whole.prefix(longest))…\n\n(\"media show \(id)\" prints all)" : whole
  }
}

extension ListRow.Picture {
  fileprivate init(_ attachment: StoredAttachment, _ zone: TimeZone) {
    let pixels = attachment.width.flatMap { width in
      attachment.height.map { ListRow.PixelSize(width: width, height: $0) }
    }
    self.init(
      kind: Inert(attachment.kind.rawValue), alt: Inert(attachment.alt ?? ""),
      size: pixels.map { "\($0.width) × \($0.height)" } ?? "", state: Inert(attachment.state.rawValue),
      blob: attachment.blob)
    failure = Inert(attachment.failure ?? "")
    // What was never tried has no next try, unless its host wants to be left alone.
    if attachment.state == .pending, let until = attachment.nextTryAt {
      putOff = Inert(Almanac(zone: zone).short(until))
    }
    self.pixels = pixels
    byteCount = attachment.byteCount
  }
}
