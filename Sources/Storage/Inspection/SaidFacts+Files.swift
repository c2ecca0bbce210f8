import Blobs
import Posts
import Rows

extension Store {
  /// As many posts of one file are asked. A file that stands for many, such as that of a missing photo, is none of theirs.
  private static let mostAsked = 3

  /// The verbatim answers of the posts that show some files, of a few posts for each file.
  ///
  /// - Parameters:
  ///   - files: The files' numbers.
  ///   - sources: Only posts of these sources.
  /// - Returns: The answers by the file, that of the post that was stored first first.
  /// - Throws: `StorageError` if the library cannot be read.
  public func answers(
    ofFiles files: [Int64], from sources: [SourceName]
  ) throws(StorageError) -> [Int64: [StoredAnswer]] {
    try read { db in
      var answers: [Int64: [StoredAnswer]] = [:]
      try db.rows(
        """
        SELECT f.blob, f.source, r.body FROM (
          SELECT a.blob, p.id, p.source, row_number() OVER (PARTITION BY a.blob ORDER BY p.id) AS place
          FROM \(db.each)($1) j \(db.crossJoin) attachment a ON a.blob = j.value
            JOIN post p ON p.id = a.post AND p.source IN (SELECT value FROM \(db.eachText)($2))) AS f
          JOIN raw r ON r.post = f.id
        WHERE f.place <= $3 ORDER BY f.id
        """, [files.jsonList, sources.map(\.rawValue).jsonList, Self.mostAsked]
      ) { row in
        let answer = StoredAnswer(
          source: SourceName(rawValue: try row["source"]), body: RawBytes.decompress(try row["body"]), addresses: [])
        answers[try row["blob"], default: []].append(answer)
      }
      return answers
    }
  }
}

extension FileInspection {
  /// Adds what a source says of a file that was read, where the file itself says nothing.
  public mutating func add(_ said: SaidFacts, by source: SourceName) {
    var facts: FileFacts
    switch self.facts {
    case .found(let found): facts = found
    case .nothing: facts = FileFacts()
    case .failed, nil: return
    }
    if facts.takenAt == nil, let takenAt = said.takenAt { (facts.takenAt, facts.takenBy) = (takenAt, source.rawValue) }
    if facts.latitude == nil, let position = said.position {
      (facts.latitude, facts.longitude, facts.placeBy) = (position.latitude, position.longitude, source.rawValue)
    }
    if facts != FileFacts() { self.facts = .found(facts) }
  }
}
