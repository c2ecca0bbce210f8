import Filters
import FoundationEssentials
import Machine
import Posts

/// A filter as somebody means it: at a moment, and with the days of a time zone.
public struct PostFilter: Sendable, Hashable {
  /// The filter.
  public let filter: Filter
  /// The moment that `is:planned` and `stored:` count from.
  public let now: Date
  /// The time zone of its days.
  public let zone: TimeZone
  /// What `sort:random` mixes posts by.
  public let seed: Int64
  /// Whether its words find notes, too. Whoever did not write them must not learn what they hold.
  public let searchesNotes: Bool
  /// Whether words find notes, too, where they are denied: what others see has no post that its owner's filter left out.
  public var deniesByNotes = false

  /// A filter at a moment.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - now: The moment.
  ///   - zone: The time zone of its days.
  ///   - seed: What `sort:random` mixes posts by; nil for another order every day, so that a list can be read in parts.
  ///   - searchesNotes: Whether its words find the person's notes, too.
  public init(
    _ filter: Filter, now: Date, zone: TimeZone = .autoupdatingCurrent, seed: Int64? = nil, searchesNotes: Bool = false
  ) {
    (self.filter, self.now, self.zone, self.searchesNotes) = (filter, now, zone, searchesNotes)
    self.seed = seed ?? Int64((now.timeIntervalSince1970 / 86_400).rounded(.down))
  }

  /// Another filter, meant as this one is.
  func with(_ filter: Filter) -> PostFilter {
    var other = PostFilter(filter, now: now, zone: zone, seed: seed, searchesNotes: searchesNotes)
    other.deniesByNotes = deniesByNotes
    return other
  }

  /// The order that it asks for; nil for newest first.
  var sort: PostSort? {
    switch filter.order {
    case "oldest": .oldest
    case "random": .random(seed: seed)
    case "rating": .rating
    case "size": .size
    default: nil
    }
  }

  /// Whether a term says what to do with posts in a state that lists otherwise leave out.
  func names(_ state: String) -> Bool { filter.terms.contains { $0.key == .is && $0.values.contains(.word(state)) } }

  /// Whether it asks for words, for times that end, or for what is planned or deleted. Then what is planned for later is shown.
  var showsPlanned: Bool {
    seeks("planned") || seeks("deleted")
      || filter.sought.contains { part in
        guard case .term(let term) = part else { return true }
        return [.before, .on].contains(term.key)
      }
  }

  /// Whether it asks for posts in a state, and does not only deny it.
  func seeks(_ state: String) -> Bool {
    filter.sought.contains { part in
      guard case .term(let term) = part else { return false }
      return term.key == .is && term.words.contains(state)
    }
  }

  /// The moments of a date.
  func interval(of date: FilterDate) -> DateInterval? {
    let calendar = ZoneCalendar(zone)
    guard let start = calendar.moment(year: date.year, month: date.month ?? 1, day: date.day ?? 1) else { return nil }
    if date.day != nil { return calendar.day(of: start) }
    guard let end = calendar.moment(date.month == nil ? 12 : 1, .month, after: start) else { return nil }
    return DateInterval(start: start, end: max(start, end))
  }

  /// The times that a term of time names; nil for another term.
  func range(of term: Filter.Term) -> [TimeRange]? {
    guard [.since, .before, .on].contains(term.key) else { return nil }
    return term.values.compactMap { value in
      guard case .date(let date) = value, let interval = interval(of: date).map(TimeRange.init) else { return nil }
      return switch term.key {
      case .since: TimeRange(start: interval.start, end: TimeRange.always.end)
      case .before: TimeRange(start: TimeRange.always.start, end: interval.start)
      default: interval
      }
    }
  }
}

extension TimeRange {
  /// All moments that rows store.
  static let always = TimeRange(start: "", end: "~")
}

/// A filter with its names resolved to numbers.
indirect enum FilterCondition: Equatable {
  case all([FilterCondition])
  case any([FilterCondition])
  case not(FilterCondition)
  case tags([Int64])
  case authors([Int64])
  case feeds([Int64])
  /// The names of own tags.
  case own([String])
  case albums([Int64])
  /// What is hidden; nil if nothing is.
  case hidden(Hidden?)
  /// nil for words that no index holds, which every post matches.
  case search(SearchText?)
  case times([TimeRange])
  /// Posts that show one of these stored files.
  case files([Int64])
  /// Posts with a file that a model gave one of these tags.
  case machine([String])
  /// A term about columns, and the moment it counts from.
  case facts(Filter.Term, now: String)

  init(_ filter: Filter, of asked: PostFilter, in db: Database, isDenied: Bool = false) throws {
    func part(_ filter: Filter) throws -> FilterCondition {
      try FilterCondition(filter, of: asked, in: db, isDenied: isDenied)
    }
    switch filter {
    case .all(let parts): self = .all(try parts.map(part))
    case .any(let parts): self = .any(try parts.map(part))
    case .not(let inner): self = .not(try FilterCondition(inner, of: asked, in: db, isDenied: !isDenied))
    case .words(let words): self = .search(try SearchText([words], of: asked, in: db, isDenied: isDenied))
    case .term(let term): try self.init(term, of: asked, in: db)
    }
  }

  private init(_ term: Filter.Term, of asked: PostFilter, in db: Database) throws {
    if let ranges = asked.range(of: term) {
      self = .times(ranges)
      return
    }
    switch term.key {
    case .tag: self = .tags(try PostPredicate.tags(term.words, in: db))
    case .by: self = .authors(try Set(term.words.flatMap { try PostPredicate.authors($0, in: db) }).sorted())
    case .own: self = .own(term.words.compactMap(MarkName.ownTag))
    case .album: self = .albums(try term.words.compactMap { try Albums(db: db).row(named: $0)?.id })
    case .feed:
      self = .feeds(
        try term.words.compactMap { try db.value("SELECT id FROM feed WHERE name = $1", [$0.storable]) as Int64? })
    case .source:
      // Sources of one network share their posts: a source without posts of its own has those that its feeds brought.
      let own = try term.words.filter {
        // The first one of an index: where nearly all posts are of one source, a server would look through all of them for another.
        try db.value("SELECT min(uri) FROM post WHERE source = $1", [$0.lowercased().storable]) as String? != nil
      }
      let others = term.words.filter { !own.contains($0) }.map { $0.lowercased().storable }
      let feeds: [Int64] = try others.flatMap {
        try db.values("SELECT id FROM feed WHERE source = $1 AND kind <> 'import' ORDER BY id", [$0])
      }
      let posts = FilterCondition.facts(Filter.Term(.source, own.map(FilterValue.word)), now: "")
      self = others.isEmpty ? posts : own.isEmpty ? .feeds(feeds) : .any([posts, .feeds(feeds)])
    case .like: self = .files(try LikePictures(db: db).files(like: try NamedPosts(db: db).numbers(term)))
    case .machine: self = .machine(term.words.map { $0.lowercased().composed.storable })
    // An order leaves no post out.
    case .sort: self = .all([])
    case .is where term.values.contains(.word("hidden")) && term.values.count > 1:
      self = .any(try term.values.map { try FilterCondition(Filter.Term(.is, [$0]), of: asked, in: db) })
    case .is where term.values == [.word("hidden")]: self = .hidden(try Hidden(in: db))
    default:
      // Only what counts from a moment differs with it: other lists stay equal.
      let counts = term.key == .stored || term.values.contains(.word("planned"))
      self = .facts(term, now: counts ? UTC.text(asked.now) : "")
    }
  }
}

extension Filter.Term {
  /// Its values that are numbers.
  var numbers: [Int64] { values.compactMap { if case .number(_, let number) = $0 { number } else { nil } } }

  /// Its values that are words.
  var words: [String] { values.compactMap { if case .word(let word) = $0 { word } else { nil } } }
}

extension SearchText {
  /// A search for all of some words; nil if none of them is one that an index holds.
  init?(_ words: [Filter.Words], of asked: PostFilter, in db: Database, isDenied: Bool = false) throws {
    // The last one may be a prefix.
    let ordered = words.filter { !$0.isPrefix } + words.filter(\.isPrefix)
    // Inside of quotation marks, FTS5 has no syntax but these.
    let phrases = ordered.map { $0.text.replacing("\"", with: " ").storable }
    guard let search = SearchText(phrases: phrases, isOpen: ordered.last?.isPrefix == true) else { return nil }
    self = try search.naming(in: db)
    if asked.searchesNotes || isDenied && asked.deniesByNotes { noted = try notedPosts(in: db) }
  }
}

// MARK: Statements

extension FilterCondition {
  /// The condition on a post.
  ///
  /// - Parameter id: Its number, as the statement has it; the columns of its row are read from `p`.
  func clause(of id: String, in db: Database) -> Clause {
    // Where the statement reads no row of the post, its row is looked up once.
    guard id == "p.id" else { return "EXISTS (SELECT 1 FROM post p WHERE p.id = \(id) AND \(condition(in: db)))" }
    return condition(in: db)
  }

  private static let (always, never): (Clause, Clause) = ("1 = 1", "1 = 0")

  /// Of what is denied, the parts are: that takes a level less of the statement.
  private func condition(in db: Database, isDenied: Bool = false) -> Clause {
    switch self {
    case .all(let parts):
      return isDenied
        ? Self.joined(parts, by: " OR ", else: Self.never, isDenied: true, in: db)
        : Self.joined(parts, by: " AND ", else: Self.always, in: db)
    case .any(let parts):
      return isDenied
        ? Self.joined(parts, by: " AND ", else: Self.always, isDenied: true, in: db)
        : Self.joined(parts, by: " OR ", else: Self.never, in: db)
    case .not(let inner): return inner.condition(in: db, isDenied: !isDenied)
    default:
      let clause = fact(in: db)
      // A column without a value is no reason to leave a post out.
      return isDenied ? "NOT coalesce(\(clause), \(Self.never))" : clause
    }
  }

  private static func joined(
    _ parts: [FilterCondition], by words: String, else none: Clause, isDenied: Bool = false, in db: Database
  ) -> Clause {
    let deep = parts.filter { $0.depth > flat }.sorted { $0.depth > $1.depth }
    let ordered = deep.isEmpty ? parts : deep + parts.filter { $0.depth <= flat }
    return parts.isEmpty ? none : ordered.map { $0.condition(in: db, isDenied: isDenied) }.enclosed(by: words)
  }

  /// Up to this depth, parts stand as somebody wrote them.
  private static let flat = 6

  /// How many entries of its stack SQLite needs to read the parentheses: one for what stands first in them, three for what
  /// follows. So what is deepest is written first.
  private var depth: Int {
    switch self {
    case .all(let parts), .any(let parts):
      let depths = parts.map(\.depth).sorted(by: >)
      return max((depths.first ?? 0) + 1, (depths.dropFirst().first ?? 0) + 3)
    case .not(let inner): return inner.depth
    default: return 0
    }
  }

  private func fact(in db: Database) -> Clause {
    switch self {
    case .all, .any, .not: condition(in: db)
    case .tags(let tags): tags.isEmpty ? Self.never : Clause(of: "p.id", carryingAnyOf: tags)
    case .authors(let authors): authors.isEmpty ? Self.never : "p.author IN (\(authors.listed))"
    case .feeds(let feeds):
      feeds.isEmpty
        ? Self.never
        : """
        EXISTS (SELECT 1 FROM feed_post b \(db.index("feed_post_post")) WHERE b.post = p.id AND b.feed IN (\(feeds.listed)))
        """
    case .facts(let term, _) where term.isDescribing:
      // A value, so that a server looks for it post after post: it would join all of them, not knowing how many these are.
      """
      (SELECT 1 FROM attachment a \(db.crossJoin) file_facts f ON f.blob = a.blob
        WHERE a.post = p.id AND \(term.describing) LIMIT 1) IS NOT NULL
      """
    // So here.
    case .own, .albums, .files, .machine:
      rare.map { "(SELECT 1 FROM \($0.rows(in: db)) AND d.post = p.id LIMIT 1) IS NOT NULL" } ?? Self.never
    case .hidden(let hidden): hidden?.clause(of: "p.id") ?? Self.never
    case .search(let search): search.map { db.matches("p.id", from: nil, $0) } ?? Self.always
    case .times(let ranges):
      ranges.isEmpty
        ? Self.never
        : ranges.map { "(p.created_at >= \(bind: $0.start) AND p.created_at < \(bind: $0.end))" }.enclosed(by: " OR ")
    case .facts(let term, let now): term.values.isEmpty ? Self.never : term.key.condition(term.values, now: now)
    }
  }
}

extension [Int64] {
  var listed: String { map(String.init).joined(separator: ", ") }
}

extension FilterKey {
  /// The condition on the row `p` of a post that some values make. A post's files are read once for all of them.
  fileprivate func condition(_ values: [FilterValue], now: String) -> Clause {
    let files = values.compactMap(ofFile)
    let others = values.filter { ofFile($0) == nil }.map { condition($0, now: now) }
    let all = (files.isEmpty ? [] : [Self.file(files.enclosed(by: " OR "))]) + others
    return all.count == 1 ? all[0] : all.enclosed(by: " OR ")
  }

  private func condition(_ value: FilterValue, now: String) -> Clause {
    switch value {
    case .word(let word): condition(word, now: now)
    case .number(let comparison, let number): condition(comparison, number, now: now)
    case .date, .area: "1 = 0"
    }
  }

  /// The condition on a file `a` and its stored bytes `b`; nil of a value that is none of files.
  private func ofFile(_ value: FilterValue) -> Clause? {
    switch (self, value) {
    case (.kind, .word(let word)): "a.kind = \(bind: word)"
    case (.ratio, .word(let word)): "\(Self.measure("width")) \(Self.ratios[word] ?? "=") \(Self.measure("height"))"
    case (.has, .word(let word)): word == "note" ? nil : Self.possessions[word] ?? "1 = 0"
    case (.width, .number(let comparison, let number)), (.height, .number(let comparison, let number)):
      "\(Self.measure(rawValue)) \(comparison.rawValue) \(bind: number)"
    case (.size, .number(let comparison, let number)): "b.bytes \(comparison.rawValue) \(bind: number)"
    default: nil
    }
  }

  private func condition(_ word: String, now: String) -> Clause {
    switch self {
    // Not by the index of identities, which has no order of time: nearly all posts may be of one source.
    case .source: return "p.source || '' = \(bind: word.lowercased().storable)"
    case .server:
      let host = word.lowercased().storable
      return host.contains("://")
        ? "p.server = \(bind: host)" : "p.server IN (\(bind: "https://\(host)"), \(bind: "http://\(host)"))"
    case .lang:
      let tag = word.lowercased().storable
      let beginning: Clause = "substr(lower(p.language), 1, \("\(tag.unicodeScalars.count + 1)")) = \(bind: tag + "-")"
      return "(lower(p.language) = \(bind: tag) OR \(beginning))"
    case .visibility: return "p.visibility = \(bind: word)"
    case .has: return Self.state("s.note IS NOT NULL")
    case .is:
      if word == "planned" { return "(p.source = 'manual' AND p.created_at > \(bind: now))" }
      return Self.states[word] ?? "1 = 0"
    default: return "1 = 0"
    }
  }

  private func condition(_ comparison: FilterValue.Comparison, _ number: Int64, now: String) -> Clause {
    switch self {
    case .rating:
      let rating: Clause = "(SELECT s.rating FROM post_state s WHERE s.post = p.id)"
      return "coalesce(\(rating), 0) \(comparison.rawValue) \(bind: number)"
    case .stored:
      // An age is compared, so what is older was stored before.
      let moment = UTC.text((UTC.date(now) ?? .distantPast) - TimeInterval(number))
      let sign = [FilterValue.Comparison.more: "<", .atLeast: "<=", .less: ">", .atMost: ">=", .equal: ">="][comparison]
      return "p.stored_at \(sign ?? ">=") \(bind: moment)"
    default: return "1 = 0"
    }
  }

  /// What the person did to a post.
  private static func state(_ condition: Clause) -> Clause {
    "EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND \(condition))"
  }

  /// A post has a file for which the condition holds; `b` is its stored bytes.
  private static func file(_ condition: Clause) -> Clause {
    """
    EXISTS (SELECT 1 FROM attachment a LEFT JOIN blob b ON b.id = a.blob AND a.state = 'stored'
      WHERE a.post = p.id AND \(condition))
    """
  }

  /// Of the stored picture, else as its source says.
  private static func measure(_ column: String) -> String { "coalesce(b.\(column), a.\(column))" }

  private static let ratios = ["landscape": ">", "portrait": "<", "square": "="]

  private static let possessions: [String: Clause] = [
    "alt": "a.alt <> ''", "audio": "a.kind = 'audio'", "file": "a.kind = 'file'",
    "gps": "EXISTS (SELECT 1 FROM file_facts f WHERE f.blob = a.blob AND f.latitude IS NOT NULL)",
    "picture": "a.kind = 'image'",
    "text": "EXISTS (SELECT 1 FROM picture_text t WHERE t.blob = a.blob)",
    "video": "a.kind IN ('video', 'gifv')",
  ]

  /// The file `a` is one that is looked at.
  private static let isShown: Clause = "a.kind IN ('image', 'video', 'gifv')"

  /// The post `q` came before `p`, and is there. Written so that SQLite's stack has room around it.
  private static let isEarlier: Clause = """
    (SELECT s.deleted_at FROM post_state s WHERE s.post = q.id) IS NULL
    AND (q.created_at < p.created_at OR q.created_at = p.created_at AND q.id < p.id)
    """

  private static let states: [String: Clause] = [
    "deleted": state("s.deleted_at IS NOT NULL"), "favourite": state("s.favourite = 1"),
    "seen": state("s.seen_at IS NOT NULL"), "unseen": "NOT \(state("s.seen_at IS NOT NULL"))",
    // Nearly every post has a picture of its own, so that is asked first.
    "copy": """
    (NOT EXISTS (
        SELECT 1 FROM attachment a WHERE a.post = p.id AND \(isShown)
          AND NOT EXISTS (
            SELECT 1 FROM attachment o JOIN post q ON q.id = o.post WHERE \(isEarlier) AND o.blob = a.blob AND o.id <> a.id)
          AND NOT EXISTS (
            SELECT 1 FROM picture_hash h JOIN picture_hash m ON m.same_as = h.same_as AND m.blob <> h.blob
              JOIN attachment o ON o.blob = m.blob JOIN post q ON q.id = o.post
            WHERE \(isEarlier) AND h.blob = a.blob))
      AND EXISTS (SELECT 1 FROM attachment a WHERE a.post = p.id AND a.blob IS NOT NULL AND \(isShown)))
    """,
    "elsewhere": """
    EXISTS (SELECT 1 FROM post_link k WHERE k.later = p.id
      AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = k.earlier AND s.deleted_at IS NOT NULL))
    """,
    "edited": "(p.edited_at IS NOT NULL OR EXISTS (SELECT 1 FROM revision r WHERE r.post = p.id))",
    "failed": "EXISTS (SELECT 1 FROM attachment a WHERE a.post = p.id AND a.state = 'failed')",
    "gone": "EXISTS (SELECT 1 FROM recheck g WHERE g.post = p.id AND g.gone_at IS NOT NULL)",
    "manual": "p.source = 'manual'",
    "private": "coalesce(p.visibility, 'public') NOT IN ('public', 'unlisted')",
    "sensitive": "p.sensitive <> 0",
  ]
}
