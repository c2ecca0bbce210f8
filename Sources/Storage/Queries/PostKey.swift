import FoundationEssentials
import Machine

/// A post's position in a list. It stays valid when the post is gone.
///
/// It is opaque. Its text (`description`) can be stored, sent, and put into an address; `PostKey(text)` reads it again. Text
/// from outside is safe to read: what is no key gives nil, and the key of another list or library is a position as any
/// other.
public struct PostKey: Sendable, Hashable, LosslessStringConvertible {
  /// What a list of authors or tags is ordered by, or one that is sorted.
  package struct Section: Sendable, Hashable {
    /// The author's name, the tag, or what is sorted, as a text.
    package let name: String
    /// The number of the author or tag.
    package let id: Int64

    package init(name: String, id: Int64) { (self.name, self.id) = (name, id) }
  }

  /// The section; nil in a list that shows the newest first.
  package let section: Section?
  /// When the post was written, as `UTC.text` formats it.
  package let createdAt: String
  /// The post's number.
  package let id: Int64

  package init(section: Section? = nil, createdAt: String, id: Int64) {
    self.section = section
    self.createdAt = createdAt
    self.id = id
  }

  /// The position of a moment in a list without sections, or by day.
  ///
  /// A window around it has the newest post that is not newer than the moment as its first row after the anchor.
  public init(at moment: Date) {
    // No post has this number: the key sorts directly before the posts of the moment.
    self.init(createdAt: UTC.text(moment), id: .max)
  }

  /// Reads the text of a key; nil if the text is not one that `description` writes.
  public init?(_ description: String) {
    // Split by bytes: a name may begin with a character that combines with the mark before it.
    let slash = UInt8(ascii: "/")
    let parts = description.utf8.split(separator: slash, maxSplits: 3, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count == 2 || parts.count == 4, Self.isMoment(parts[0]), let id = Self.number(parts[1]) else {
      return nil
    }
    (createdAt, self.id) = (parts[0], id)
    guard parts.count == 4 else {
      section = nil
      return
    }
    guard let owner = Self.number(parts[2]) else { return nil }
    section = Section(name: parts[3], id: owner)
  }

  private static func isMoment(_ text: String) -> Bool { UTC.date(text).map(UTC.text) == text }

  /// A number in its only spelling: `+7` and `07` would make two texts of one key.
  private static func number(_ text: String) -> Int64? { Int64(text).flatMap { String($0) == text ? $0 : nil } }

  /// The key as text. It may contain a name, so an address must escape it.
  public var description: String {
    let position = "\(createdAt)/\(id)"
    return section.map { "\(position)/\($0.id)/\($0.name)" } ?? position
  }
}

extension PostKey: Codable {
  /// Decodes the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let key = PostKey(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a post's key")
    }
    self = key
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension PostKey.Section: Comparable {
  /// Orders names by their bytes, ASCII capitals as small letters; names that are equal then, by number.
  package static func < (one: Self, other: Self) -> Bool {
    let (left, right) = (one.name.utf8.lazy.map(folded), other.name.utf8.lazy.map(folded))
    return left.elementsEqual(right) ? one.id < other.id : left.lexicographicallyPrecedes(right)
  }

  private static func folded(_ byte: UInt8) -> UInt8 { 65...90 ~= byte ? byte + 32 : byte }
}

extension PostKey: Comparable {
  /// Whether one key comes before the other: sections ascending, and the newest post first within a section.
  public static func < (one: PostKey, other: PostKey) -> Bool {
    if let left = one.section, let right = other.section {
      if left < right { return true }
      if right < left { return false }
    }
    return one.createdAt == other.createdAt ? one.id > other.id : one.createdAt > other.createdAt
  }
}
