import FoundationEssentials
import Machine
import Rows

/// A change that was undone.
public struct Undone: Sendable, Equatable {
  /// What it had done: `mark 3 posts`.
  public let words: String
  /// The posts that are as they were.
  public let posts: [Int64]
  /// The new names of albums that came back, whose own names others have by now.
  public let renamed: [String]
  /// How much of it somebody changed since, which stays.
  public let kept: Int
}

extension Store {
  /// Takes a change back: the last one of a program on a machine, or a certain one. What somebody changed since stays.
  ///
  /// - Parameter change: The number of the change; nil for the last one.
  /// - Returns: What was undone; nil if there is nothing to undo.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func undo(_ change: Int64? = nil, by marker: Marker, now: Date) throws(StorageError) -> Undone? {
    try writeDurably { db in
      let changes = try db.rows(
        "SELECT id, stamp, words FROM mark_change WHERE program = $1 ORDER BY id DESC", [marker.program.rawValue]
      ) { (id: try $0["id"] as Int64, stamp: try $0["stamp"] as String, words: try $0["words"] as String) }
      let isWanted = { (one: (id: Int64, stamp: String, words: String)) -> Bool in
        if let change { one.id == change } else { MarkStamp.isOf(marker, one.stamp) }
      }
      guard let last = changes.first(where: isWanted) else { return nil }
      let stamp = try MarkStamp.next(by: marker, now: now, in: db)
      var undoing = Undoing(db: db, change: last.id, stamp: stamp.text, now: now)
      let posts = try undoing.run()
      try db.run("DELETE FROM mark_change WHERE id = $1", [last.id])
      return Undone(words: last.words, posts: posts, renamed: undoing.renamed, kept: undoing.kept)
    }
  }
}

/// Takes one change back.
private struct Undoing {
  let db: Database
  let change: Int64
  let stamp: String
  let now: Date

  /// The new names of albums whose own names others have by now.
  var renamed: [String] = []
  /// How much of it somebody changed since.
  var kept = 0

  private typealias Before = MarkWriter.Before

  /// - Returns: The posts that are as they were.
  mutating func run() throws -> [Int64] {
    let marks = try db.rows("SELECT DISTINCT mark, name FROM mark_before WHERE change = $1", [change]) {
      (mark: try $0["mark"] as String, name: try $0["name"] as String)
    }
    var posts: Set<Int64> = []
    for (mark, name) in marks {
      var last: Int64 = -1
      while true {
        let before = try db.rows(
          """
          SELECT post, value, written FROM mark_before WHERE change = $1 AND mark = $2 AND name = $3 AND post > $4
          ORDER BY post LIMIT $5
          """, [change, mark, name, last, MarkWriter.batch]
        ) { row -> Before in (post: try row["post"], value: try row["value"], written: try row["written"]) }
        guard let end = before.last else { break }
        posts.formUnion(try restore(mark, name, before))
        last = end.post
      }
    }
    if marks.contains(where: { $0.mark == SameVerdict.mark }) {
      try db.announce(filesOf: try PictureGroups(db: db).complete())
    }
    return posts.sorted()
  }

  private mutating func restore(_ mark: String, _ name: String, _ before: [Before]) throws -> [Int64] {
    if let column = MarkColumn(mark: mark, name: name) {
      let current = try column.current(of: before.map(\.post), in: db)
      let unchanged = before.filter { one in
        current[one.post].map { column.isSame($0.value, one.written) } ?? false
      }
      kept += before.count - unchanged.count
      try MarkColumn.write([(column, unchanged.map { ($0.post, $0.value) })], stamp: stamp, in: db)
      return unchanged.map(\.post)
    }
    switch mark {
    case "deleted":
      let restored = try Store.setDeleted(false, before.filter { $0.value == nil }.map(\.post), now: now, in: db)
      let deleted = try Store.setDeleted(true, before.filter { $0.value != nil }.map(\.post), now: now, in: db)
      return restored.changed + deleted.changed
    case "album-name", "album-deleted":
      try restoreAlbum(mark, Int64(name) ?? 0, before[0])
      try Albums(db: db).announce()
    case "hidden":
      try Hidden.restore(name, before[0].value, written: before[0].written, stamp: stamp, in: db)
    case SameVerdict.mark:
      try SameVerdict.restore(name, before[0].value, written: before[0].written, stamp: stamp, in: db)
    case TwinPosts.fileMark: for one in before { try TwinPosts.detach(name, one.written, in: db) }
    case TwinPosts.mark: for one in before { try TwinPosts.separate(name, one.post, in: db) }
    case "rule": try RuleRunner.restore(name, before[0].value, written: before[0].written, stamp: stamp, in: db)
    case "share":
      try db.run(
        "UPDATE share SET filter = $1 WHERE token_hash = $2 AND filter = $3",
        [before[0].value, name, before[0].written])
    case "search":
      try db.run(
        "UPDATE saved_search SET filter = $1, stamp = $2 WHERE name = $3 AND filter IS NOT DISTINCT FROM $4",
        [before[0].value, stamp, name, before[0].written])
      if db.changesCount == 0 { kept += 1 }
    default: break
    }
    return []
  }

  /// Brings back the name of an album, or the album itself. Another album may have the name by now.
  private mutating func restoreAlbum(_ mark: String, _ id: Int64, _ before: Before) throws {
    let albums = Albums(db: db)
    // It may have become another one meanwhile.
    let id: Int64 = try db.value("SELECT coalesce(same_as, id) FROM album WHERE id = $1", [id]) ?? id
    if mark == "album-name" {
      let name = try albums.freeName(like: before.value ?? "", of: id)
      try db.run(
        "UPDATE album SET name = $1, name_stamp = $2 WHERE id = $3 AND name = $4", [name, stamp, id, before.written])
      if db.changesCount > 0, name != before.value { renamed.append(name) }
      return
    }
    let isDeleted = before.value == "1" ? 1 : 0
    guard
      let own: String = try db.value(
        "SELECT name FROM album WHERE id = $1 AND is_deleted = $2", [id, before.written == "1" ? 1 : 0])
    else { return }
    let name = try isDeleted == 0 ? albums.freeName(like: own, of: id) : own
    if name != own {
      try db.run("UPDATE album SET name = $1, name_stamp = $2 WHERE id = $3", [name, stamp, id])
      renamed.append(name)
    }
    try db.run("UPDATE album SET is_deleted = $1, deleted_stamp = $2 WHERE id = $3", [isDeleted, stamp, id])
  }
}
