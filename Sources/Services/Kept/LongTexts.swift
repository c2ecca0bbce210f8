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
  /// The texts of a beginning, the earliest first. A person may begin thousands alike.
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
    var touched: Set<Substring> = []
    for text in more {
      if let id = text.id { ids[id] = texts.count }
      let beginning = text.text.prefix(Self.beginning)
      if text.writtenAt != nil {
        beginnings[beginning, default: []].append(texts.count)
        touched.insert(beginning)
      }
      texts.append(text)
    }
    for beginning in touched {
      beginnings[beginning] = beginnings[beginning]?.sorted { (time($0), $0) < (time($1), $1) }
    }
  }

  private func time(_ index: Int) -> Date { texts[index].writtenAt ?? .distantPast }

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
    guard beginning.count == Self.beginning, let alike = beginnings[beginning] else { return nil }
    var (low, high) = (0, alike.count)
    while low < high {
      let middle = (low + high) / 2
      if time(alike[middle]) < post.createdAt { low = middle + 1 } else { high = middle }
    }
    // The nearest is the first that is not earlier, or the last that is.
    let distance = { abs(time(alike[$0]).timeIntervalSince(post.createdAt)) }
    let near = [low - 1, low].filter { alike.indices.contains($0) && distance($0) <= Self.apart }
    return near.min { distance($0) < distance($1) }.map { alike[$0] }
  }
}
