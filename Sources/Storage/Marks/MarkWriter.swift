import FoundationEssentials
import Machine
import Rows

/// One change of marks: everything in it has one stamp, and is undone together.
struct MarkWriter {
  let db: Database
  let stamp: MarkStamp
  let now: Date
  /// The number of the change; nil of a rule's, which nobody undoes and which takes no room from what people do.
  let change: Int64?
  private(set) var changed: Set<Int64> = []
  private var count = 0

  /// What a post had before, and what the change gave it.
  typealias Before = (post: Int64, value: String?, written: String?)

  /// The last changes that can be undone, and the most posts that these name together.
  private static let (mostChanges, mostPosts) = (2_000, 1_000_000)
  /// How many posts one statement takes.
  static let batch = 2_000

  /// Begins a change.
  ///
  /// - Parameter words: What it does, for whoever undoes it: `mark 3 posts`.
  init(_ words: String, by marker: Marker, now: Date, in db: Database) throws {
    (self.db, self.now) = (db, now)
    stamp = try MarkStamp.next(by: marker, now: now, in: db)
    change =
      marker.program == .rule
      ? nil
      : try db.insertNumbered(
        "INSERT INTO mark_change (stamp, program, words) VALUES ($1, $2, $3)",
        [stamp.text, marker.program.rawValue, words.storable])
  }

  /// Begins what takes a change back, which nobody undoes.
  init(undoingBy stamp: MarkStamp, now: Date, in db: Database) {
    (self.db, self.stamp, self.now, change) = (db, stamp, now, nil)
  }

  /// Sets a mark where it says something else. What a person set stays where a rule asks.
  mutating func set(_ column: MarkColumn, _ values: [MarkColumn.Value]) throws { try set([(column, values)]) }

  /// Sets marks, each named once. Those of one row are written together: each version of a row has entries in many indexes.
  mutating func set(_ marks: [(column: MarkColumn, values: [MarkColumn.Value])]) throws {
    for start in stride(from: 0, to: marks.map(\.values.count).max() ?? 0, by: Self.batch) {
      var wanted: [(column: MarkColumn, values: [MarkColumn.Value])] = []
      for (column, values) in marks {
        wanted.append((column, try remember(column, Array(values.dropFirst(start).prefix(Self.batch)))))
      }
      for (_, row) in Dictionary(grouping: wanted, by: \.column.row) {
        try MarkColumn.write(row.filter { !$0.values.isEmpty }, stamp: stamp.text, in: db)
      }
    }
  }

  /// Remembers what a mark is to replace.
  ///
  /// - Returns: The values that say something else.
  private mutating func remember(_ column: MarkColumn, _ values: [MarkColumn.Value]) throws -> [MarkColumn.Value] {
    let current = try column.current(of: values.map(\.post), in: db)
    let wanted = values.filter { post, value in
      guard let now = current[post] else { return false }
      // What this change wrote itself it may write again.
      return !column.isSame(now.value, value) && now.stamp <= stamp.text
    }
    try remember(column.mark, column.name, wanted.map { ($0.post, current[$0.post]?.value, $0.value) })
    if column == .note { try keepNotes(of: wanted.map(\.post), current) }
    changed.formUnion(wanted.map(\.post))
    return wanted
  }

  /// Remembers what was there before, and what is there now.
  mutating func remember(
    _ mark: String, _ name: String, post: Int64 = 0, _ value: String?, written: String?
  ) throws {
    try remember(mark, name, [(post, value, written)])
  }

  /// Remembers it of several posts, each named once.
  mutating func remember(_ mark: String, _ name: String, _ posts: [Before]) throws {
    guard let change else { return }
    // What is written twice was there before the first time.
    try db.insert(
      "INSERT INTO mark_before (change, mark, name, post, value, written)",
      posts.map { [change, mark, name, $0.post, $0.value, $0.written] },
      "ON CONFLICT (change, mark, name, post) DO UPDATE SET written = excluded.written")
    count += posts.count
  }

  private func keepNotes(of posts: [Int64], _ current: [Int64: (value: String?, stamp: String)]) throws {
    let notes = posts.compactMap { post -> Arguments? in
      guard let now = current[post], let note = now.value else { return nil }
      return [post, now.stamp, note]
    }
    try db.insert("INSERT INTO earlier_note (post, stamp, note)", notes, "ON CONFLICT DO NOTHING")
  }

  /// Ends the change, and forgets how to undo the oldest ones.
  ///
  /// - Returns: The number of the change; nil if nothing changed.
  func end() throws -> Int64? {
    guard let change else { return nil }
    guard count > 0 else {
      try db.run("DELETE FROM mark_change WHERE id = $1", [change])
      return nil
    }
    try db.run("UPDATE mark_change SET posts = $1 WHERE id = $2", [count, change])
    // The newest one stays, however many posts it has.
    try db.run(
      """
      DELETE FROM mark_change WHERE id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER newest AS number, sum(posts) OVER newest AS posts FROM mark_change
          WINDOW newest AS (ORDER BY id DESC)) c
        WHERE number > 1 AND (number > $1 OR posts > $2))
      """, [Self.mostChanges, Self.mostPosts])
    return change
  }
}

extension Store {
  /// Marks posts. The change is durable when the call returns.
  ///
  /// A pull never touches marks. Of two libraries that are copied into each other, the later mark counts.
  ///
  /// - Parameters:
  ///   - ids: The posts' numbers. Unknown numbers are reported; the others are marked nevertheless.
  ///   - marks: What is said of each.
  ///   - marker: Who says it.
  ///   - dryRun: Whether nothing is stored. The result tells what would change.
  /// - Returns: The posts that changed, and by what the change is undone.
  /// - Throws: `MarkError` for a mark that cannot be; `StorageError` if the library cannot be written.
  @discardableResult
  public func mark(
    _ ids: [Int64], _ marks: [Mark], by marker: Marker, now: Date, dryRun: Bool = false
  ) throws -> Marking {
    let written = try marks.map { try $0.written(now: UTC.text(now)) }
    return try changingMarks(
      "mark \(ids.count == 1 ? "1 post" : "\(ids.count) posts")", ids, by: marker, now: now, dryRun: dryRun
    ) {
      writer, posts in
      // Of one mark that is named twice, the last counts.
      let marks = Dictionary(written.map { ($0.column, $0.value) }) { $1 }
      try writer.set(marks.map { column, value in (column, posts.map { ($0, value) }) })
    }
  }

  /// Runs a change of marks of posts.
  func changingMarks(
    _ words: String, _ ids: [Int64], by marker: Marker, now: Date, dryRun: Bool = false,
    _ body: (inout MarkWriter, [Int64]) throws -> Void
  ) throws -> Marking {
    var seen: Set<Int64> = []
    let ids = ids.filter { seen.insert($0).inserted }
    var failure: MarkError?
    let change = { (db: Database) throws -> Marking in
      var writer = try MarkWriter(words, by: marker, now: now, in: db)
      let known = Set(
        try db.values(
          "SELECT p.id FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value", [ids.jsonList]) as [Int64])
      do { try body(&writer, ids.filter(known.contains)) } catch let error as MarkError {
        failure = error
        throw error
      }
      var marking = Marking()
      marking.unknown = ids.filter { !known.contains($0) }
      marking.changed = ids.filter(writer.changed.contains)
      marking.change = try writer.end()
      return marking
    }
    do throws(StorageError) { return try dryRun ? trial(change) : writeDurably(change) } catch {
      throw failure ?? error
    }
  }
}
