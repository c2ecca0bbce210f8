import Markup

/// A list of feeds that another reader follows (http://opml.org/spec2.opml).
public struct FollowsFile: Sendable {
  /// A feed of the list.
  public struct Entry: Hashable, Sendable {
    /// How a feed is named.
    public enum Name: Hashable, Sendable {
      /// By its address.
      case address(String)
      /// By a name such as `tag:cats@mastodon.social`, which `OPMLDocument` writes for what has no address.
      case name(String)
    }

    /// The feed's address or name.
    public let name: Name
    /// How often it is to be pulled, as it was written; nil if the list does not say.
    public let every: String?
  }

  /// Its feeds, each once, in order.
  public let entries: [Entry]
  /// Whether its end is missing.
  public let isCut: Bool

  /// The name that people type for it.
  public static let formatName = "opml"
  /// The most bytes of a list. A million feeds fit.
  private static let longest = 128 << 20

  /// Reads a tree that is one such list.
  ///
  /// - Parameter tree: What a person named.
  /// - Returns: The list; nil if the tree is another thing.
  /// - Throws: `ImportError` if it cannot be read.
  public init?(_ tree: any ImportTree) throws {
    var lists: [[UInt8]] = []
    var files = 0
    try tree.eachFile { file in
      files += 1
      let head = try file.read(upTo: 1024)
      guard String(decoding: WideText.utf8(head), as: UTF8.self).contains("<opml") else { return false }
      guard let rest = try file.readAll(most: Self.longest) else {
        throw ImportError.tooLong(path: file.path, longest: Self.longest)
      }
      lists.append(WideText.utf8(head + rest))
      return files < 2
    }
    guard files == 1, let list = lists.first else { return nil }
    var seen: Set<Entry.Name> = []
    var entries: [Entry] = []
    StartTags.each(["outline"], in: list) { outline in
      guard let entry = Self.entry(outline), seen.insert(entry.name).inserted else { return }
      entries.append(entry)
    }
    self.entries = entries
    isCut = !Self.hasEnd(list)
  }

  /// Whether the list's end tag stands in its end, or after it only what no list holds.
  private static func hasEnd(_ list: [UInt8]) -> Bool {
    let tag = Array("</opml".utf8)
    var end = list.endIndex
    while let start = list[..<end].lastIndex(of: UInt8(ascii: "<")) {
      if list[start...].prefix(tag.count).elementsEqual(tag, by: { $0 | 0x20 == $1 | 0x20 }) { return true }
      end = start
    }
    return false
  }

  private static func entry(_ outline: StartTag) -> Entry? {
    var name = outline["xmlurl"].map(Entry.Name.address) ?? outline["media:feed"].map(Entry.Name.name)
    if outline.leftOut.contains("xmlurl") {
      // No feed has such an address: whoever reads the list counts it as unusable, with these words.
      name = .address("\(outline["text"] ?? outline["title"] ?? "a feed"), whose address is too long")
    }
    return name.map { Entry(name: $0, every: outline["media:every"]) }
  }
}
