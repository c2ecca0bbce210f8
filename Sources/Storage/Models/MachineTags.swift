import Blobs
import FoundationEssentials
import Posts
import Rows

/// What a person says of a tag that a model gave a file.
public enum MachineTagVerdict: String, Sendable, Hashable {
  /// It is wrong, and is not shown whatever a model finds.
  case wrong
  /// What a model finds.
  case none
}

extension Store {
  /// Notes what a person says of a tag of some files. It lasts until another verdict, whatever models find.
  ///
  /// - Parameters:
  ///   - verdict: What they say.
  ///   - tag: The tag.
  ///   - files: The files.
  ///   - marker: Who says it.
  ///   - now: When.
  /// - Returns: Of how many files another verdict stood before.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func set(
    _ verdict: MachineTagVerdict, ofTag tag: String, at files: [BlobID], by marker: Marker, now: Date
  ) throws(StorageError) -> Int {
    try write { db in
      let (tag, stamp) = (MachineTagVerdict.stored(tag), try MarkStamp.next(by: marker, now: now, in: db))
      var changed: [String] = []
      for file in files {
        let before: String? = try db.value(
          "SELECT verdict FROM machine_verdict WHERE file = $1 AND tag = $2", [file.hex, tag])
        guard before ?? MachineTagVerdict.none.rawValue != verdict.rawValue else { continue }
        try MachineTagVerdict.store(verdict.rawValue, file.hex, tag, stamp: stamp.text, in: db)
        changed.append(file.hex)
      }
      return changed.count
    }
  }

  /// Whether a model gave a tag to one of some files.
  ///
  /// - Parameters:
  ///   - tag: The tag.
  ///   - files: The files.
  /// - Throws: `StorageError` if the library cannot be read.
  public func isGiven(_ tag: String, to files: [BlobID]) throws(StorageError) -> Bool {
    try read { db in
      try files.contains { file in
        try db.hasRow(
          "SELECT 1 FROM blob b JOIN machine_tag m ON m.blob = b.id WHERE b.sha256 = $1 AND m.tag = $2",
          [file.hex, MachineTagVerdict.stored(tag)])
      }
    }
  }
}

extension MachineTagVerdict {
  /// A tag as models' tags are stored.
  fileprivate static func stored(_ tag: String) -> String { tag.lowercased().composed.storable }

  /// Stores a verdict unless a later one is there, and tells lists of it.
  static func store(_ verdict: String, _ file: String, _ tag: String, stamp: String, in db: Database) throws {
    try db.run(
      """
      INSERT INTO machine_verdict (file, tag, verdict, stamp) VALUES ($1, $2, $3, $4)
      ON CONFLICT (file, tag) DO UPDATE SET verdict = excluded.verdict, stamp = excluded.stamp
      WHERE excluded.stamp > machine_verdict.stamp
        OR excluded.stamp = machine_verdict.stamp AND excluded.verdict > machine_verdict.verdict
      """, [file, tag, verdict, stamp])
    guard db.changesCount > 0 else { return }
    try db.announce(filesOf: Set(try db.values("SELECT id FROM blob WHERE sha256 = $1", [file]) as [Int64]))
  }

  /// The condition on the row `m` of `machine_tag` and the row `b` of its file: nobody said that it is wrong.
  static let isUndisputed = """
    NOT EXISTS (SELECT 1 FROM machine_verdict v WHERE v.file = b.sha256 AND v.tag = m.tag AND v.verdict = 'wrong')
    """
}

extension PostReader {
  /// What a model found in the files of posts, by the file.
  func findings(_ list: String) throws -> [BlobID: ModelFindings] {
    var found: [BlobID: ModelFindings] = [:]
    // Most libraries have none.
    guard try db.hasRow("SELECT 1 FROM model LIMIT 1") else { return found }
    let files = "\(db.each)($1) j \(db.crossJoin) attachment a ON a.post = j.value JOIN blob b ON b.id = a.blob"
    try db.rows(
      """
      SELECT DISTINCT b.sha256, m.tag, m.score FROM \(files) JOIN machine_tag m ON m.blob = b.id
      WHERE \(MachineTagVerdict.isUndisputed) ORDER BY m.score DESC, m.tag
      """, [list]
    ) { row in
      guard let file = BlobID(try row["sha256"]) else { return }
      found[file, default: ModelFindings()].tags.append(MachineTag(try row["tag"], score: try row["score"]))
    }
    try db.rows(
      "SELECT b.sha256, t.caption, t.sensitive FROM \(files) JOIN machine_text t ON t.blob = b.id", [list]
    ) { row in
      guard let file = BlobID(try row["sha256"]) else { return }
      (found[file, default: ModelFindings()].caption, found[file, default: ModelFindings()].sensitive) =
        (try row["caption"], try row["sensitive"])
    }
    return found
  }
}
