import FoundationEssentials
import Rows

/// A change that was undone.
public struct Undone: Sendable, Equatable {
  /// What it had done: `mark 3 posts`.
  public let words: String
  /// The posts that are as they were.
  public let posts: [Int64]
  /// The new names of albums that came back, whose own names others have by now.
  public let renamed: [String]
  /// The same of saved searches.
  public let renamedSearches: [String]
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
      var undoing = try Undoing(last.id, last.stamp, by: stamp, now: now, in: db)
      let posts = try undoing.run()
      return Undone(
        words: last.words, posts: posts, renamed: undoing.renamed, renamedSearches: undoing.renamedSearches,
        kept: undoing.kept)
    }
  }
}

/// Takes one change back.
struct Undoing {
  let db: Database
  let change: Int64
  /// The stamp of what takes it back.
  let stamp: MarkStamp
  let now: Date
  /// The stamps with which something counts as written by the change: its own, and those of undos, which bring it back.
  let known: Set<String>

  /// The new names of albums whose own names others have by now.
  var renamed: [String] = []
  /// The same of saved searches.
  var renamedSearches: [String] = []
  /// How much of it somebody changed since.
  var kept = 0

  typealias Before = MarkWriter.Before

  /// What a change that was undone is called in place of its program.
  private static let program = "undo"

  init(_ change: Int64, _ own: String, by stamp: MarkStamp, now: Date, in db: Database) throws {
    (self.db, self.change, self.stamp, self.now) = (db, change, stamp, now)
    let undos: [String] = try db.values("SELECT stamp FROM mark_change WHERE program = $1", [Self.program])
    known = Set(undos + [own])
  }

  /// - Returns: The posts that are as they were.
  mutating func run() throws -> [Int64] {
    let posts = try undoRename() ? [] : try undoMarks()
    // Its row stays for the stamp of what it brought back.
    try db.run("DELETE FROM mark_before WHERE change = $1", [change])
    try db.run(
      "UPDATE mark_change SET stamp = $1, program = $2, posts = 0 WHERE id = $3", [stamp.text, Self.program, change])
    return posts.sorted()
  }

  private mutating func undoMarks() throws -> Set<Int64> {
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
    return posts
  }

  private mutating func restore(_ mark: String, _ name: String, _ before: [Before]) throws -> [Int64] {
    switch mark {
    case "search": try restoreSearch(name, before[0])
    // It says only which shares the album or the search had.
    case "share": break
    case TwinPosts.fileMark: for one in before { try TwinPosts.detach(name, one.written, in: db) }
    case TwinPosts.mark: for one in before { try TwinPosts.separate(name, one.post, in: db) }
    default:
      let later = try changedLater(mark, name, before)
      let own = before.filter { !later.contains($0.post) }
      kept += before.count - own.count
      if let first = own.first { return try restoreOwn(mark, name, own, first) }
    }
    return []
  }

  /// The posts of which a later change says something that nobody undid.
  func changedLater(_ mark: String, _ name: String, _ before: [Before]) throws -> Set<Int64> {
    Set(
      try db.values(
        """
        SELECT b.post FROM mark_change c \(db.crossJoin) mark_before b ON b.change = c.id
        WHERE c.id > $1 AND b.mark = $2 AND b.name = $3 AND b.post >= $4 AND b.post <= $5
        """, [change, mark, name, before.first?.post, before.last?.post]) as [Int64])
  }

  /// Restores what no later change says something of, unless it says something else by now: copies tell of no change.
  private mutating func restoreOwn(
    _ mark: String, _ name: String, _ before: [Before], _ first: Before
  ) throws -> [Int64] {
    var isRestored = true
    if let column = MarkColumn(mark: mark, name: name) {
      let current = try column.current(of: before.map(\.post), in: db)
      let unchanged = before.filter { one in
        current[one.post].map { column.isSame($0.value, one.written) && known.contains($0.stamp) } ?? false
      }
      kept += before.count - unchanged.count
      try MarkColumn.write([(column, unchanged.map { ($0.post, $0.value) })], stamp: stamp.text, in: db)
      return unchanged.map(\.post)
    }
    switch mark {
    case "deleted": return try undoDeletions(before)
    case "album-deleted": isRestored = try restoreAlbum(Int64(name) ?? 0, first)
    case "hidden":
      isRestored = try Hidden.restore(
        name, first.value, written: first.written, from: known, stamp: stamp.text, in: db)
    case SameVerdict.mark:
      try SameVerdict.restore(name, first.value, written: first.written, stamp: stamp.text, in: db)
    case "rule":
      isRestored = try RuleRunner.restore(
        name, first.value, written: first.written, from: known, stamp: stamp.text, in: db)
    default: break
    }
    if !isRestored { kept += 1 }
    return []
  }

  /// Takes deletes and restores back of posts that nobody deleted or restored since, here or elsewhere.
  private mutating func undoDeletions(_ before: [Before]) throws -> [Int64] {
    let states = try Store.deletionStates(of: before.map(\.post), in: db)
    // Earlier versions did not write when it was.
    let own = before.filter { [nil, "1", states[$0.post]].contains($0.written) }
    var posts: [Int64] = []
    for isDeleted in [false, true] {
      let wanted = own.filter { Store.isDeleted($0.value) == isDeleted }.map(\.post)
      let done = try Store.setDeleted(isDeleted, wanted, now: now, in: db)
      // What an earlier change did, and this one had taken back, is as that change left it.
      try db.run(
        """
        UPDATE mark_before SET written = $1
        WHERE change IN (SELECT id FROM mark_change WHERE id < $2) AND mark = 'deleted' AND name = ''
          AND post IN (SELECT value FROM \(db.each)($3)) AND written = (
            SELECT b.value FROM mark_before b
            WHERE b.change = $2 AND b.mark = 'deleted' AND b.name = '' AND b.post = mark_before.post)
        """, [Store.deletionState(isDeleted, at: done.time ?? now), change, done.changed.jsonList])
      posts += done.changed
    }
    kept += before.count - posts.count
    return posts
  }
}
