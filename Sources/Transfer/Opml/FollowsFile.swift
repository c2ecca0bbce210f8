import Markup

/// A list of feeds that another reader follows (http://opml.org/spec2.opml).
public struct FollowsFile: Sendable {
  /// The addresses of its feeds, each once, in order.
  public let addresses: [String]

  /// The name that people type for it.
  public static let formatName = "opml"
  /// The most feeds that are read.
  private static let most = 10_000

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
      guard String(decoding: head, as: UTF8.self).contains("<opml") else { return false }
      lists.append(head + (try file.readAll(most: StartTags.longest) ?? []))
      return files < 2
    }
    guard files == 1, let list = lists.first else { return nil }
    var seen: Set<String> = []
    addresses = StartTags.find(["outline"], in: list, most: Self.most).compactMap { $0["xmlurl"] }
      .filter { seen.insert($0).inserted }
  }
}
