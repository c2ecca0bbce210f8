import Blobs
import Posts
import Rows

extension Store {
  /// The verbatim answers of the posts that show some files.
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
        SELECT a.blob, p.source, r.body FROM \(db.each)($1) j \(db.crossJoin) attachment a ON a.blob = j.value
          JOIN post p ON p.id = a.post AND p.source IN (SELECT value FROM \(db.eachText)($2)) JOIN raw r ON r.post = p.id
        ORDER BY p.id
        """, [files.jsonList, sources.map(\.rawValue).jsonList]
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
