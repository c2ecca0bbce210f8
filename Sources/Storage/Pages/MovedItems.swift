import Posts
import Rows

/// Finds items of a feed's document whose id and page are both new, or whose id and headline are. They are what was stored
/// with the same date, and the same page or the same words.
struct MovedItems {
  /// The posts that the page has written.
  var written: Set<Int64> = []
  /// The identities in the document. A post of one of them is an item of its own.
  private let identities: Set<String>

  init(_ items: [PageItem]) { identities = Set(items.compactMap { $0.post?.uri.storable }) }

  /// The most posts of one date that are compared.
  private static let most = 16

  /// The stored post that the item is; nil if there is none, or if the item has no date.
  func find(_ facts: PostFacts, isDated: Bool, in db: Database) throws -> PostRecord? {
    guard isDated, facts.identity == .page, let mark = facts.uri.firstIndex(of: "#") else { return nil }
    // Many items of one day may say nothing else.
    let isTold = !facts.caption.isEmpty || facts.title != nil && !facts.createdAt.hasSuffix("T00:00:00.000Z")
    let page = facts.remoteID == facts.uri ? nil : facts.remoteID
    let scope = facts.uri[...mark]
    let found = try db.rows(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.created_at = $1 AND \(db.unindexed)p.source = $2
        AND (p.remote_id = $3 OR ($4 AND p.title IS NOT DISTINCT FROM $5 AND p.caption = $6))
      LIMIT \(Self.most)
      """,
      [facts.createdAt, facts.source, page, isTold, facts.title, facts.caption]
    ) { try PostRecord($0, as: facts) }
    return found.first { $0.uri.hasPrefix(scope) && !identities.contains($0.uri) && !written.contains($0.id) }
  }
}
