import Filters

/// Posts with what few posts have, such as marks of the person, as indexes of these posts alone have them.
enum RarePosts: Equatable {
  case favourites
  case rated
  case noted
  case own([String])
  case albums([Int64])
  case hidden(Hidden)
  case sensitive, edited, elsewhere, gone, failed, `private`, manual
  /// Those with a file of one of these kinds, none of which is `image`.
  case files([String])
  /// Those that show one of these stored files.
  case showing([Int64])
  /// Those with a file that a model gave one of these tags.
  case machine([String])
  /// Those with a file that says what few say of themselves.
  case described(Filter.Term)
  /// Those with a picture in which text was read.
  case read
  /// Those with a file that others have, too, or one that looks the same.
  case copies

  /// The rows, each with its post in `d.post`, and what they are chosen by. SQLite would begin a join of two with all files.
  func rows(in db: Database) -> Clause {
    switch self {
    case .favourites: "post_state d WHERE d.favourite = 1"
    case .rated: "post_state d WHERE d.rating > 0"
    case .noted: "post_state d WHERE d.note IS NOT NULL"
    case .hidden(let hidden): hidden.rows
    case .sensitive: Self.posts("sensitive <> 0")
    case .private: Self.posts("visibility NOT IN ('public', 'unlisted')")
    case .manual: Self.posts("source = 'manual'")
    case .edited:
      "(SELECT id AS post FROM post WHERE edited_at IS NOT NULL UNION ALL SELECT post FROM revision) d WHERE 1 = 1"
    case .elsewhere: "(SELECT later AS post FROM post_link) d WHERE 1 = 1"
    case .gone: "recheck d WHERE d.gone_at IS NOT NULL"
    case .failed: "attachment d WHERE d.state = 'failed'"
    case .files(let kinds):
      "attachment d WHERE d.kind <> 'image' AND d.kind IN (\(kinds.map { "\(bind: $0)" as Clause }.joined(by: ", ")))"
    case .showing(let files): "attachment d WHERE d.blob IN (\(files.listed))"
    case .machine(let tags):
      """
      machine_tag m JOIN blob b ON b.id = m.blob JOIN attachment d ON d.blob = m.blob
      WHERE m.tag IN (\(tags.map { "\(bind: $0)" as Clause }.joined(by: ", "))) AND \(MachineTagVerdict.isUndisputed)
      """
    case .copies:
      """
      attachment d WHERE d.blob IN (
        SELECT blob FROM attachment WHERE blob IS NOT NULL GROUP BY blob HAVING count(*) > 1 UNION ALL
        SELECT h.blob FROM picture_hash h WHERE h.same_as IN (SELECT same_as FROM picture_hash WHERE same_as <> blob))
      """
    case .described(let term):
      "file_facts f \(db.crossJoin) attachment d ON d.blob = f.blob WHERE \(term.describing)"
    case .read: "picture_text t \(db.crossJoin) attachment d ON d.blob = t.blob WHERE 1 = 1"
    case .own(let names):
      "own_tag d WHERE d.is_set = 1 AND d.name IN (\(names.map { "\(bind: $0)" as Clause }.joined(by: ", ")))"
    case .albums(let albums): "album_post d WHERE d.place IS NOT NULL AND d.album IN (\(albums.listed))"
    }
  }

  private static func posts(_ condition: String) -> Clause {
    "(SELECT id AS post FROM post WHERE \(condition)) d WHERE 1 = 1"
  }

  /// Whether there are at most so many rows, if that is found out at once. All files are looked through for copies.
  func isShort(_ most: Int, in db: Database) throws -> Bool {
    try self != .copies && count(atMost: most + 1, in: db) <= most
  }

  /// How many rows there are, counted up to a limit.
  func count(atMost limit: Int, in db: Database) throws -> Int {
    try db.value("SELECT count(*) FROM (SELECT 1 FROM \(rows(in: db))\(Clause(limit: limit))) AS counted" as Clause)
      ?? 0
  }
}

extension FilterCondition {
  /// A list of rare posts that holds all posts that match; nil if there is none.
  var rare: RarePosts? {
    switch self {
    case .own(let names): names.isEmpty ? nil : .own(names)
    case .albums(let albums): albums.isEmpty ? nil : .albums(albums)
    case .hidden(let hidden): hidden.map(RarePosts.hidden)
    case .files(let files): files.isEmpty ? nil : .showing(files)
    case .machine(let tags): tags.isEmpty ? nil : .machine(tags)
    case .facts(let term, _) where term.isDescribing: .described(term)
    case .facts(let term, _):
      switch (term.key, term.values) {
      case (.is, [.word("favourite")]): .favourites
      case (.has, [.word("note")]): .noted
      case (.has, [.word("text")]): .read
      case (.has, let values) where values.count == 1: term.words.first.flatMap { Self.kinds[$0] }.map(RarePosts.files)
      case (.kind, let values):
        values.contains(.word("image")) ? nil : .files(term.words)
      case (.is, let values) where values.count == 1: term.words.first.flatMap { Self.rareStates[$0] }
      case (.visibility, let values):
        values.contains(.word("public")) || values.contains(.word("unlisted")) ? nil : .private
      case (.rating, let values) where values.allSatisfy(\.isAboveZero): .rated
      default: nil
      }
    default: nil
    }
  }

  private static let kinds = ["audio": ["audio"], "file": ["file"], "video": ["video", "gifv"]]
  private static let rareStates: [String: RarePosts] = [
    "sensitive": .sensitive, "edited": .edited, "elsewhere": .elsewhere, "gone": .gone, "failed": .failed,
    "private": .private, "manual": .manual, "copy": .copies, "planned": .manual,
  ]
}

extension FilterValue {
  /// Whether no rating of 0 has the value.
  fileprivate var isAboveZero: Bool {
    switch self {
    case .number(.equal, let number), .number(.atLeast, let number): number > 0
    case .number(.more, let number): number >= 0
    default: false
    }
  }
}
