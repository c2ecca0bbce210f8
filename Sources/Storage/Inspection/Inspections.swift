import Blobs
import FoundationEssentials
import Machine
import Rows

extension Store {
  /// Files that posts show and that were not inspected yet, the last stored ones first.
  ///
  /// - Parameters:
  ///   - kinds: What they are to be inspected for. Only pictures are inspected for text.
  ///   - languages: The languages in which text is read. A picture that was read in others is returned.
  ///   - number: Only files with smaller numbers; nil for all.
  ///   - posts: Only files of these posts; nil for all.
  ///   - isAgain: Whether files that were inspected are returned, too.
  ///   - model: The number of the model that they are to be inspected by.
  ///   - limit: The maximum number of files.
  /// - Throws: `StorageError` if the library cannot be read.
  public func filesToInspect(
    for kinds: Set<InspectionKind>, in languages: String? = nil, before number: Int64? = nil, of posts: [Int64]? = nil,
    again isAgain: Bool = false, model: Int64? = nil, atMost limit: Int
  ) throws(StorageError) -> [UninspectedFile] {
    try read { db in
      let missing = InspectionKind.allCases.filter(kinds.contains).map {
        kind -> (kind: InspectionKind, clause: Clause) in
        let version: Clause = kind == .model ? "= \(bind: model)" : ">= \(bind: kind.version)"
        let known: Clause = """
          SELECT 1 FROM inspection i
          WHERE i.blob = b.id AND i.kind = \(bind: kind.rawValue) AND i.version \(version)
            AND \(kind.isRead(in: languages))
          """
        let isAsked: Clause = kind == .text ? "b.media_type LIKE 'image/%'" : "1 = 1"
        return (kind, isAgain ? isAsked : "(\(isAsked) AND NOT EXISTS (\(known)))")
      }
      guard !missing.isEmpty else { return [] }
      let flags = missing.map { "CASE WHEN \($0.clause) THEN 1 ELSE 0 END AS \($0.kind.rawValue)" as Clause }
      let isShown: Clause =
        posts.map {
          "b.id IN (SELECT a.blob FROM attachment a WHERE a.post IN (SELECT value FROM \(db.each)(\(bind: $0.jsonList))))"
        } ?? "EXISTS (SELECT 1 FROM attachment a WHERE a.blob = b.id)"
      let statement: Clause = """
        SELECT b.id, b.sha256, b.media_type, \(flags.joined(by: ", ")) FROM blob b
        WHERE b.id < \(bind: number ?? .max) AND (\(missing.map(\.clause).joined(by: " OR "))) AND \(isShown)
        ORDER BY b.id DESC\(Clause(limit: limit))
        """
      return try db.rows(statement) { row -> UninspectedFile? in
        let asked = try missing.filter { kind in try row[kind.kind.rawValue] as Int64 == 1 }.map(\.kind)
        guard let blob = BlobID(try row["sha256"]) else { return nil }
        return UninspectedFile(
          number: try row["id"], blob: blob, mediaType: try row["media_type"], kinds: Set(asked))
      }.compactMap(\.self)
    }
  }

  /// Whether files were not looked at yet, as far as the oldest and the newest ones show.
  ///
  /// - Parameter kind: What they are looked at for.
  /// - Throws: `StorageError` if the library cannot be read.
  public func awaitsInspection(for kind: InspectionKind) throws(StorageError) -> Bool {
    let ends = ["ASC", "DESC"].map { "SELECT id FROM (SELECT id, media_type FROM blob ORDER BY id \($0) LIMIT 1000) e" }
    let isAsked = kind == .text ? " WHERE media_type LIKE 'image/%'" : ""
    return try read { db in
      try db.hasRow(
        """
        SELECT 1 FROM (\(ends.map { $0 + isAsked }.joined(separator: " UNION ALL "))) b
        WHERE EXISTS (SELECT 1 FROM attachment a WHERE a.blob = b.id)
          AND NOT EXISTS (SELECT 1 FROM inspection i WHERE i.blob = b.id AND i.kind = $1)
        LIMIT 1
        """, [kind.rawValue])
    }
  }

  /// Stores what was found in files, and finds out which pictures are the same.
  ///
  /// - Parameters:
  ///   - inspections: What was found. A file that was removed meanwhile is passed over.
  ///   - model: The number of the model that found some of it.
  ///   - now: When it was found.
  /// - Throws: `StorageError` if the library cannot be written.
  public func keep(_ inspections: [FileInspection], by model: Int64? = nil, now: Date) throws(StorageError) {
    try write { db in
      let known = Set(
        try db.values(
          "SELECT id FROM blob WHERE id IN (SELECT value FROM \(db.each)($1))", [inspections.map(\.number).jsonList])
          as [Int64])
      var changed: Set<Int64> = []
      for one in inspections where known.contains(one.number) {
        if let hash = one.hash { try Self.keep(hash, of: one.number, now, in: db) }
        if let facts = one.facts, try Self.keep(facts, of: one.number, now, in: db) { changed.insert(one.number) }
        if let text = one.text, try Self.keep(text, of: one.number, in: one.languages, now, in: db) {
          changed.insert(one.number)
        }
        if let found = one.model, let model, try Self.keep(found, of: one.number, by: model, now, in: db) {
          changed.insert(one.number)
        }
      }
      changed.formUnion(try PictureGroups(db: db).complete())
      try db.announce(filesOf: changed)
    }
  }

  /// Finds the groups of pictures that have none, as the first of theirs was removed.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func groupPictures() throws(StorageError) {
    guard try read({ try $0.hasRow("SELECT 1 FROM picture_hash WHERE same_as IS NULL") }) else { return }
    try write { db in try db.announce(filesOf: PictureGroups(db: db).complete()) }
  }

  /// How far the inspection came.
  ///
  /// - Parameter languages: The languages in which text counts as read; nil for any.
  /// - Throws: `StorageError` if the library cannot be read.
  public func inspectionProgress(in languages: String? = nil) throws(StorageError) -> InspectionProgress {
    try read { db in
      var progress = InspectionProgress()
      try db.rows(
        """
        SELECT count(*) AS files, count(CASE WHEN b.media_type LIKE 'image/%' THEN 1 END) AS pictures FROM blob b
        WHERE EXISTS (SELECT 1 FROM attachment a WHERE a.blob = b.id)
        """
      ) { (progress.files, progress.pictures) = (try $0.number("files"), try $0.number("pictures")) }
      let model = try Model(in: db)
      progress.model = model?.name.text
      try db.rows(
        """
        SELECT kind, version, count(*) AS files, count(failure) AS failures FROM inspection i
        WHERE EXISTS (SELECT 1 FROM attachment a WHERE a.blob = i.blob)
          AND (kind <> 'text' OR coalesce(languages = $1, TRUE)) GROUP BY kind, version
        """, [languages]
      ) { row in
        guard let kind = InspectionKind(rawValue: try row["kind"]) else { return }
        let version: Int64 = try row["version"]
        guard kind == .model ? version == model?.number : version >= kind.version else { return }
        progress.inspected[kind, default: 0] += try row.number("files")
        progress.failed[kind, default: 0] += try row.number("failures")
      }
      return progress
    }
  }

  private static func keep(
    _ outcome: FileInspection.Outcome<PictureHash>, of file: Int64, _ now: Date, in db: Database
  ) throws {
    try note(.hash, outcome.failure, of: file, now, in: db)
    // Others may have it as their first, and look like it no more.
    try db.run("UPDATE picture_hash SET same_as = NULL WHERE same_as = $1", [file])
    guard case .found(let hash) = outcome else {
      return try db.run("DELETE FROM picture_hash WHERE blob = $1", [file])
    }
    try db.run(
      """
      INSERT INTO picture_hash (blob, difference, mirrored, frequencies, thumbnail, width, height, duration)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (blob) DO UPDATE SET difference = excluded.difference, mirrored = excluded.mirrored,
        frequencies = excluded.frequencies, thumbnail = excluded.thumbnail, width = excluded.width,
        height = excluded.height, duration = excluded.duration, same_as = NULL,
        pixels = CASE WHEN excluded.duration IS NULL THEN picture_hash.pixels END
      """,
      [
        file, Int64(bitPattern: hash.difference), Int64(bitPattern: hash.mirrored),
        Int64(bitPattern: hash.frequencies), hash.thumbnail, hash.width, hash.height, hash.film?.duration,
      ])
    try db.run("DELETE FROM frame_hash WHERE blob = $1", [file])
    for (number, frame) in (hash.film?.frames ?? []).enumerated() {
      guard let frame else { continue }
      try db.run(
        """
        INSERT INTO frame_hash (blob, number, difference, mirrored, frequencies, thumbnail)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        [
          file, number, Int64(bitPattern: frame.difference), Int64(bitPattern: frame.mirrored),
          Int64(bitPattern: frame.frequencies), frame.thumbnail,
        ])
    }
  }

  /// - Returns: Whether posts have other facts than before.
  private static func keep(
    _ outcome: FileInspection.Outcome<FileFacts>, of file: Int64, _ now: Date, in db: Database
  ) throws -> Bool {
    try note(.facts, outcome.failure, of: file, now, in: db)
    let before = try FileFacts(of: file, in: db)
    guard case .found(let facts) = outcome else {
      try db.run("DELETE FROM file_facts WHERE blob = $1", [file])
      return before != nil
    }
    // What is found of a place may be more than before.
    guard facts != before || facts.latitude != nil else { return false }
    let country = "SELECT country FROM file_facts WHERE blob = $1"
    let known: String? = try db.value(country, [file])
    try facts.store(of: file, in: db)
    return try facts != before || known != db.value(country, [file])
  }

  /// - Returns: Whether posts have another text in their pictures than before.
  private static func keep(
    _ outcome: FileInspection.Outcome<PictureText>, of file: Int64, in languages: String?, _ now: Date,
    in db: Database
  ) throws -> Bool {
    try note(.text, outcome.failure, of: file, now, in: db, languages: languages)
    let before = try PictureText(of: file, in: db)
    var found: PictureText?
    if case .found(let text) = outcome { found = text }
    guard found != before else { return false }
    try db.run("DELETE FROM picture_text WHERE blob = $1", [file])
    try found?.store(of: file, in: db)
    return true
  }

  /// - Returns: Whether posts show something else than before.
  private static func keep(
    _ outcome: FileInspection.Outcome<ModelFindings>, of file: Int64, by model: Int64, _ now: Date, in db: Database
  ) throws -> Bool {
    try note(.model, outcome.failure, version: model, of: file, now, in: db)
    // What was found before lasts until something else is.
    if case .failed = outcome { return false }
    let found: ModelFindings? = if case .found(let found) = outcome { found } else { nil }
    return try ModelFindings.replace(found, of: file, by: model, in: db)
  }

  private static func note(
    _ kind: InspectionKind, _ failure: String?, version: Int64? = nil, of file: Int64, _ now: Date, in db: Database,
    languages: String? = nil
  ) throws {
    try db.run(
      """
      INSERT INTO inspection (blob, kind, version, inspected_at, failure, languages) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (blob, kind) DO UPDATE SET version = excluded.version, inspected_at = excluded.inspected_at,
        failure = excluded.failure, languages = excluded.languages
      """, [file, kind.rawValue, version ?? kind.version, UTC.text(now), failure?.storable, languages])
  }
}

extension InspectionKind {
  /// The condition on the row `i` of `inspection` that text was looked for in these languages.
  fileprivate func isRead(in languages: String?) -> Clause {
    self == .text ? "i.languages IS NOT DISTINCT FROM \(bind: languages)" : "1 = 1"
  }
}

extension FileInspection.Outcome {
  fileprivate var failure: String? { if case .failed(let reason) = self { reason } else { nil } }
}

extension Database {
  /// How many posts are named one by one as changed. Lists are read anew after more of them.
  private static let mostNamed = 1000

  /// Tells lists that posts with these files changed.
  func announce(filesOf files: Set<Int64>) throws {
    guard !files.isEmpty else { return }
    let posts: [Int64] = try values(
      """
      SELECT DISTINCT a.post FROM attachment a WHERE a.blob IN (SELECT value FROM \(each)($1)) LIMIT \(Self.mostNamed + 1)
      """, [files.sorted().jsonList])
    // A change of post 0, which is none, says that lists hold other posts than before.
    let changed = posts.count > Self.mostNamed ? [0] : posts
    try insert("INSERT INTO change (post)", changed.map { [$0] })
  }
}
