import FoundationEssentials
import Machine
import Posts

/// Orders the versions of posts that a page shows more than once, so that the newest is written last, and each once.
enum ItemVersions {
  /// What an item says, without where it stands.
  private struct Version {
    let content: PageItem.Content
    let slice: ArraySlice<UInt8>
    let quoted: Quotation?
    let date: Date

    init(_ item: PageItem, _ post: Post) {
      (content, slice, quoted) = (item.content, item.slice, item.quoted)
      date = post.revisedAt ?? post.versionAt
    }
  }

  /// Exchanges what the items say. Of versions that no date tells apart, the last of the page counts.
  ///
  /// - Parameters:
  ///   - items: A page's items.
  ///   - fromEnd: Whether they will be written from the last one on.
  static func order(_ items: inout [PageItem], fromEnd: Bool) {
    var rows: [String: [Int]] = [:]
    for index in items.indices {
      if let uri = items[index].post?.uri { rows[uri, default: []].append(index) }
    }
    for (_, indexes) in rows where indexes.count > 1 {
      let posts = indexes.compactMap { items[$0].post }
      if posts.allSatisfy({ $0 == posts[0] }) { continue }
      // Swift's sort keeps the order of equals.
      let versions = zip(indexes, posts).map { Version(items[$0], $1) }.sorted { $0.date < $1.date }
      for (index, version) in zip(fromEnd ? indexes.reversed() : indexes, versions) {
        (items[index].content, items[index].slice, items[index].quoted) = (
          version.content, version.slice, version.quoted
        )
      }
    }
  }
}

extension Post {
  /// When this version was written, as far as its source tells.
  fileprivate var versionAt: Date { editedAt ?? createdAt }

  /// Whether the same server has edited the post since the stored version.
  func isNewer(than stored: PostFacts) -> Bool {
    guard let editedAt, server?.origin == stored.server else { return false }
    return UTC.text(editedAt) > stored.versionAt
  }

  /// Whether this version is older than the stored one, as a cached answer is.
  ///
  /// A server that never tells of edits may be the author's own, and its word counts then. A feed that does not say when
  /// it changed an item may just have changed it.
  func isOlder(than stored: PostFacts, as facts: PostFacts) -> Bool {
    guard let known = stored.editedAt else { return false }
    if identity == .page { return revisedAt.map { UTC.text($0) < known } ?? false }
    return facts.editedAt.map { $0 < known } ?? (facts.server == stored.server)
  }
}
