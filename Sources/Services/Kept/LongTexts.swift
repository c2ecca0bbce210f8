import FoundationEssentials
import Posts

/// The whole text of a post of which an archive's list of posts has only the beginning.
public struct LongText: Sendable, Hashable {
  /// Its id. X gives long texts ids of their own, which few programs write as the post's.
  let id: String?
  let writtenAt: Date?
  let text: String
  let tags: [String]
}

/// The whole texts of an archive, and which of them were given to posts.
public struct LongTexts: Sendable {
  private var texts: [LongText] = []
  private var ids: [String: Int] = [:]
  private var beginnings: [Substring: [Int]] = [:]
  private var used: Set<Int> = []

  /// So many characters tell a text by its beginning. X cuts texts at about 280.
  private static let beginning = 120
  /// The most seconds between the times of a text and its post.
  private static let apart: TimeInterval = 60

  /// None.
  public init() {}

  /// How many belong to no post so far.
  public var left: Int { texts.count - used.count }

  /// Takes the texts of a document.
  public mutating func add(_ more: [LongText]) {
    for text in more {
      if let id = text.id { ids[id] = texts.count }
      beginnings[text.text.prefix(Self.beginning), default: []].append(texts.count)
      texts.append(text)
    }
  }

  /// Forgets which were given.
  public mutating func begin() { used = [] }

  /// Gives a post its whole text, if there is one that its own text begins.
  public mutating func complete(_ post: inout Post) {
    guard !texts.isEmpty, let index = post.remoteID.flatMap({ ids[$0] }) ?? index(ofBeginning: post) else { return }
    used.insert(index)
    post.caption = texts[index].text
    post.tags += texts[index].tags.filter { !post.tags.contains($0) }
  }

  private func index(ofBeginning post: Post) -> Int? {
    let beginning = post.caption.prefix(Self.beginning)
    guard beginning.count == Self.beginning else { return nil }
    let distance = { (index: Int) in
      texts[index].writtenAt.map { abs($0.timeIntervalSince(post.createdAt)) } ?? .infinity
    }
    return beginnings[beginning]?.filter { distance($0) <= Self.apart }.min { distance($0) < distance($1) }
  }
}
