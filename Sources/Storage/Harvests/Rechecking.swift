import FoundationEssentials
import Machine
import Posts

/// The results of a recheck; the four counts add up to the number of posts.
public struct Rechecked: Sendable, Hashable {
  /// The posts that changed in something that people read.
  public var edited: [Int64] = []
  /// How many were unchanged.
  public var unchanged = 0
  /// How many are gone from the server, now or before.
  public var gone = 0
  /// How many got no readable answer.
  public var unanswered = 0

  /// Nothing.
  public init() {}
}

extension Store {
  /// Stores the result of a recheck, as a page that shows the posts would be stored. Edits become revisions. Posts that
  /// are gone are marked and stay, unless not everybody may see them. It stores no other post, whatever the server shows under their ids.
  ///
  /// - Parameters:
  ///   - result: What the server answered.
  ///   - posts: The posts that were looked up.
  ///   - pictures: Whether to fetch pictures. If false, new attachments are marked as skipped.
  ///   - limits: Which files are taken.
  ///   - now: The time of the recheck.
  /// - Returns: What changed.
  public func save(
    _ result: LookupResult, of posts: [KnownPost], pictures: Bool = true, limits: FileLimits = FileLimits(), now: Date
  ) throws(StorageError) -> Rechecked {
    try write { db in
      let rechecks = RecheckWriter(db: db, now: now)
      let shown = Dictionary(result.shown.compactMap { item in item.id.map { ($0, item) } }) { first, _ in first }
      let gone = Set(result.gone)
      // Servers show such a post to some alone, and to others as if there were none: a login may have ended, or be another one.
      let narrow: Set<Int64> = Set(
        try db.values(
          """
          SELECT p.id FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value
          WHERE p.visibility NOT IN ('public', 'unlisted')
          """, [posts.map(\.post).jsonList]))
      var rechecked = Rechecked()
      try PostWriter.scope(in: db, pictures: pictures, now: UTC.text(now)) { writer in
        for known in posts {
          if let item = shown[known.remoteID], let post = item.post,
            try writer.find(PostFacts(post), isDated: post.isDated)?.id == known.post
          {
            let written = try writer.write(post, raw: item.raw)
            try rechecks.record(of: known.post, .shown)
            if written.isChanged { rechecked.edited.append(known.post) } else { rechecked.unchanged += 1 }
          } else if gone.contains(known.remoteID), !narrow.contains(known.post) {
            try rechecks.record(of: known.post, .gone)
            rechecked.gone += 1
          } else {
            try rechecks.record(of: known.post, .nothing)
            rechecked.unanswered += 1
          }
        }
      }
      if pictures, !limits.isEmpty {
        try LimitWriter(db: db, limits: limits, occasion: .met).apply(to: rechecked.edited)
      }
      return rechecked
    }
  }
}
