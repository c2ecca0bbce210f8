import Foundation
import Posts

/// What became of posts that were looked up; the four counts add up to their number.
public struct Rechecked: Sendable, Hashable {
  /// The posts of which something that people read had changed.
  public var edited: [Int64] = []
  /// How many were as they are held.
  public var unchanged = 0
  /// How many are gone from the server, now or before.
  public var gone = 0
  /// Of how many the server said nothing that could be read.
  public var unanswered = 0

  /// Nothing.
  public init() {}
}

extension Store {
  /// Stores what a server said of posts, as a page that shows them would be: edits keep the wording they overwrite, and
  /// those that are gone are marked and stay. It brings no other post, whatever the server shows under their ids.
  ///
  /// Without `pictures`, new attachments are marked as skipped.
  public func save(
    _ looked: LookedUp, of posts: [KnownPost], pictures: Bool = true, now: Date
  ) throws(StorageError) -> Rechecked {
    try write { db in
      var writer = try PostWriter(db: db, pictures: pictures, now: UTC.text(now))
      let looks = LookWriter(db: db, now: now)
      let shown = Dictionary(looked.shown.compactMap { item in item.id.map { ($0, item) } }) { first, _ in first }
      let gone = Set(looked.gone)
      var result = Rechecked()
      for known in posts {
        if let item = shown[known.remoteID], let post = item.post,
          try writer.find(PostFacts(post), isDated: post.isDated)?.id == known.post
        {
          let written = try writer.write(post, raw: item.raw)
          try looks.look(at: known.post, .shown)
          if written.isChanged { result.edited.append(known.post) } else { result.unchanged += 1 }
        } else if gone.contains(known.remoteID) {
          try looks.look(at: known.post, .gone)
          result.gone += 1
        } else {
          try looks.look(at: known.post, .nothing)
          result.unanswered += 1
        }
      }
      try writer.index()
      return result
    }
  }
}
