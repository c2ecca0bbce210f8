import FoundationEssentials
import Machine
import MediaLibrary
import Posts
import Terminal
import Wording

/// A post as the list shows it. All untrusted text is sanitized and truncated here, once.
public struct ListRow: Sendable, Equatable, Identifiable {
  /// A picture, video or file of the post.
  public struct Picture: Sendable, Equatable {
    /// Its kind: `image`.
    public var kind: SafeText
    /// The description; empty if there is none.
    public var alt: SafeText
    /// `1200 × 800`; empty if unknown.
    public var size: SafeText
    /// `stored`, or why it is missing.
    public var state: SafeText
    /// Why the last download failed; empty if none did.
    public var failure = SafeText()
    /// When its host accepts requests again: `24 Nov 14:05`; empty if that is not why it is missing.
    public var putOff = SafeText()
    /// The blob; nil if none is stored.
    public var blob: BlobID?
    /// Its size in pixels; nil if unknown.
    public var pixels: PixelSize?
    /// The number of stored bytes.
    public var byteCount: Int?
    /// The number of the attachment in the library; 0 if it is not of a stored post.
    public var number: Int64 = 0
    /// The file's own name; empty if it has none.
    public var name = SafeText()
    /// What the file says of itself; empty if it says nothing.
    public var described = SafeText()
    /// The text that a machine read in it, after a line that says so; empty if there is none.
    public var read = SafeText()

    /// Creates a picture.
    public init(kind: SafeText, alt: SafeText = "", size: SafeText = "", state: SafeText, blob: BlobID? = nil) {
      (self.kind, self.alt, self.size, self.state, self.blob) = (kind, alt, size, state, blob)
    }
  }

  /// A picture's size in pixels.
  public struct PixelSize: Sendable, Equatable {
    /// The width.
    public var width: Int
    /// The height.
    public var height: Int
  }

  /// The id in the library.
  public var id: Int64
  /// The author's name.
  public var name: SafeText
  /// `birds@mastodon.social`; empty for posts added by hand.
  public var handle: SafeText
  /// When it was written, or when it begins.
  public var createdAt: Date
  /// When it ends; nil if it has no end.
  public var endsAt: Date?
  /// The title; empty if there is none.
  public var title = SafeText()
  /// The content warning; empty if there is none.
  public var warning = SafeText()
  /// The text; may be empty.
  public var caption: SafeText
  /// The tags, without `#`.
  public var tags: [SafeText] = []
  /// The address of its page.
  public var url: SafeText?
  /// Its pictures.
  public var pictures: [Picture] = []
  /// Whether its pictures are hidden until a key is pressed.
  public var isSensitive = false
  /// The author's stored avatar.
  public var avatar: BlobID?
  /// Whether the author has an avatar that is not stored.
  public var lacksAvatar = false
  /// When the post was found gone from its server; nil if it was not.
  public var goneAt: Date?
  /// Who may see it at its server; nil if its source does not say.
  public var visibility: Visibility?
  /// The name of its licence.
  public var license: SafeText = ""
  /// What the person said of it.
  public var marks = RowMarks()
  /// How many posts show one of its pictures, itself included.
  public var postsShowingIt = 1
  /// How many posts the list leaves out because they are the same, at other networks.
  public var foldedPosts = 0
  /// Whether a search finds it only with the text in its pictures.
  public var isFoundInPicture = false

  /// When its facts last changed, if a person made it by hand; nil for any other post.
  public var editableAt: Date?
  /// Whether its title and its text are shown as they are stored, on one line: only such can be changed in a text field.
  public var isPlain = true

  // No screen shows more at once.
  private static let longest = 10_000

  /// Creates a row.
  public init(id: Int64, name: String, handle: String = "", createdAt: Date, caption: String, tags: [String] = []) {
    (self.id, self.createdAt, self.tags) = (id, createdAt, tags.map { SafeText($0) })
    (self.name, self.handle) = (SafeText(name), SafeText(handle))
    self.caption = Self.bounded(caption, of: id)
  }

  /// The row of a stored post, with times in this zone.
  public init(_ post: StoredPost, zone: TimeZone = .autoupdatingCurrent) {
    // Some services do not name a post's author.
    let nameless = post.source == .manual ? "You" : "Somebody"
    self.init(
      id: post.id, name: post.author?.name ?? nameless, handle: post.author?.handle ?? "", createdAt: post.createdAt,
      caption: post.caption, tags: post.tags)
    title = SafeText(post.title ?? "")
    warning = SafeText(post.warning)
    url = post.url.map { SafeText($0) }
    pictures = post.attachments.map { Picture($0, zone) }
    isSensitive = post.sensitive
    avatar = post.author?.avatar
    lacksAvatar = avatar == nil && post.author?.avatarURL != nil
    (goneAt, visibility) = (post.goneAt, post.visibility)
    license = SafeText(post.license?.name ?? "")
    marks = RowMarks(post.marks)
    (postsShowingIt, isFoundInPicture) = (post.postsShowingIt, post.isFoundInPicture)
    foldedPosts = post.foldedPosts
    endsAt = post.endsAt
    editableAt = post.isManual ? post.updatedAt : nil
    isPlain = !post.isManual || Self.isPlain(post.caption)
  }

  /// What stands before its age: that a search found it by the text in its pictures, how many posts show its picture, how many
  /// are left out for it, that it is gone, and that not everybody may see it.
  var states: [SafeText] {
    [
      isFoundInPicture ? "in picture" : nil, postsShowingIt > 1 ? "×\(postsShowingIt)" : nil,
      foldedPosts > 0 ? "+\(foldedPosts)" : nil, goneAt.map { _ in "gone" as SafeText },
      visibility?.mark.map { SafeText($0) },
    ].compactMap(\.self)
  }

  /// Warning, headline and text on one line.
  var line: SafeText {
    let warning: SafeText = warning.isEmpty ? "" : "[\(warning)]"
    return [warning, title, caption.prefix(1200)].filter { !$0.isEmpty }.joined(separator: " ").onOneLine
  }

  /// Up to two initials, in place of an avatar.
  var initials: SafeText {
    let words = name.text.split { !$0.isLetter && !$0.isNumber }
    let letters = words.prefix(2).compactMap(\.first).map { String($0).uppercased() }.joined()
    return letters.isEmpty ? "·" : SafeText(letters).truncated(to: 4)
  }

  /// Whether a text can be changed in a text field without loss.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.count <= TextField.longest && SafeText(text).text == text
  }

  private static func bounded(_ text: String, of id: Int64) -> SafeText {
    let whole = SafeText(text, keepingLines: true)
    return whole.text.utf8.count > longest ? "\(whole.prefix(longest))…\n\n(\"media show \(id)\" prints all)" : whole
  }
}

extension ListRow.Picture {
  fileprivate init(_ attachment: StoredAttachment, _ zone: TimeZone) {
    let pixels = attachment.width.flatMap { width in
      attachment.height.map { ListRow.PixelSize(width: width, height: $0) }
    }
    self.init(
      kind: SafeText(attachment.kind.rawValue), alt: SafeText(attachment.alt ?? ""),
      size: pixels.map { "\($0.width) × \($0.height)" } ?? "", state: SafeText(attachment.state.rawValue),
      blob: attachment.blob)
    failure = SafeText(attachment.leftOut?.description ?? attachment.failure ?? "")
    // A picture that was never tried has no retry time, unless its host asked for a delay.
    if attachment.state == .pending, let until = attachment.nextTryAt {
      putOff = SafeText(LocalCalendar(zone: zone).short(until))
    }
    self.pixels = pixels
    byteCount = attachment.byteCount
    name = SafeText(attachment.name ?? "")
    number = attachment.id
    let words = (attachment.facts?.words(showsPlace: true) ?? []) + (attachment.findings?.words ?? [])
    described = SafeText(words.joined(separator: " · "))
    read = SafeText(attachment.text.map { "\($0.label)\n\($0.text)" } ?? "", keepingLines: true)
  }
}
