import Filters
import FoundationEssentials
import Machine
import Posts
import Rows

extension Clause {
  /// The post carries one of the tags, or a feed of one of them brought it.
  init(of id: String, carryingAnyOf tags: [Int64]) {
    let list = tags.map(String.init).joined(separator: ", ")
    self = """
      (EXISTS (SELECT 1 FROM post_tag k WHERE k.post = \(id) AND k.tag IN (\(list)))
        OR EXISTS (SELECT 1 FROM tag_extra e WHERE e.post = \(id) AND e.tag IN (\(list))))
      """
  }
}

extension Clause {
  /// The post is one of those that the filter lets through; nil if it lets all through.
  init?(of id: String, seenBy filter: VisibilityFilter) {
    let condition: String
    // Where the post's own row is read, another look for it takes twice as long.
    let row = id == "p.id" ? "p" : "v"
    switch filter {
    case .all: return nil
    case .only(let visibilities):
      let words = visibilities.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
      condition = "\(row).visibility IN (\(words))"
    case .published:
      condition = "coalesce(\(row).visibility, 'public') IN ('public', 'unlisted') AND \(row).source <> 'manual'"
    }
    self = row == "p" ? "\(condition)" : "EXISTS (SELECT 1 FROM post v WHERE v.id = \(id) AND \(condition))"
  }
}

/// A time range as rows store it, its end excluded.
struct TimeRange: Hashable {
  var start: String
  var end: String

  init(start: String, end: String) { (self.start, self.end) = (start, end) }

  init(_ interval: DateInterval) { self.init(start: UTC.text(interval.start), end: UTC.text(interval.end)) }

  func contains(_ moment: String) -> Bool { moment >= start && moment < end }

  func common(with other: TimeRange?) -> TimeRange {
    TimeRange(start: max(start, other?.start ?? start), end: min(end, other?.end ?? end))
  }
}

/// Which posts a list holds, with its names resolved to numbers.
struct PostPredicate: Equatable {
  /// nil for posts with any tag or none.
  var tags: [Int64]?
  var authors: [Int64]?
  var feed: Int64?
  var search: SearchText?
  var timeRange: TimeRange?
  var deleted: DeletedPosts
  /// The moment after which posts made by hand are left out; nil if they are not.
  var plannedAfter: String?
  var visibility: VisibilityFilter
  /// What is left out because it is hidden; nil if nothing is.
  var hidden: Hidden?
  /// Whether a post is left out that is the same as an earlier one which the list has.
  var isFolded = false
  /// The order that its filter asks for; nil for that of the list.
  var sort: PostSort?
  /// What else must hold.
  var condition: FilterCondition?
  /// Lists of rare posts that each hold all of its posts.
  var rare: [RarePosts] = []

  /// nil if nothing can match: an unknown tag, author or feed, or a search without a word.
  init?(_ query: PostListQuery, in db: Database) throws {
    (deleted, visibility) = (query.deleted, query.visibility)
    if visibility == .only([]) { return nil }
    if query.hidden == .excluded, deleted != .only { hidden = try Hidden(in: db) }
    timeRange = query.within.map(TimeRange.init)
    if case .excluded(let moment) = query.planned, deleted != .only { plannedAfter = UTC.text(moment) }
    if let search = query.search, !search.allSatisfy(\.isWhitespace) {
      guard let search = SearchText(search) else { return nil }
      self.search = try search.naming(in: db)
    }
    if !query.tags.isEmpty {
      let found = try Self.tags(query.tags, in: db)
      if found.isEmpty { return nil }
      tags = found
    }
    if let user = query.user {
      let found = try Self.authors(user, in: db)
      if found.isEmpty { return nil }
      authors = found
    }
    if let feed = query.feed {
      self.feed = try db.value("SELECT id FROM feed WHERE name = $1", [feed.name])
      if self.feed == nil { return nil }
    }
    if query.isFolded, deleted != .only { isFolded = try db.hasRow("SELECT 1 FROM post_link LIMIT 1") }
    if let filter = query.filter, try !narrow(by: filter, in: db) { return nil }
  }

  /// Takes the parts of a filter that an index has where the list has no such part yet, and keeps the others as a condition.
  ///
  /// - Returns: Whether anything can match.
  private mutating func narrow(by named: PostFilter, in db: Database) throws -> Bool {
    let whole = try SavedSearches(db: db).expanded(named.filter)
    let filter = named.with(whole)
    sort = filter.sort
    if filter.names("deleted"), deleted == .excluded { deleted = .included }
    if filter.showsPlanned { plannedAfter = nil }
    if filter.names("hidden") { hidden = nil }
    if filter.names("elsewhere") { isFolded = false }
    dependsOnOthers = filter.names("copy")
    var (words, rest): ([Filter.Words], [FilterCondition]) = ([], [])
    for part in filter.filter.parts {
      if case .term(let term) = part, term.key == .sort { continue }
      if case .words(let found) = part, search == nil, !found.isPrefix || !words.contains(where: \.isPrefix) {
        words.append(found)
        continue
      }
      switch try FilterCondition(part, of: filter, in: db) {
      case .tags([]), .authors([]), .feeds([]), .times([]), .own([]), .albums([]), .files([]), .hidden(nil):
        return false
      case .tags(let found) where tags == nil: tags = found
      case .authors(let found) where authors == nil: authors = found
      case .feeds(let found) where feed == nil && found.count == 1: feed = found[0]
      case .times(let ranges) where ranges.count == 1: timeRange = ranges[0].common(with: timeRange)
      case let condition:
        rest.append(condition)
        rare += condition.rare.map { [$0] } ?? []
      }
    }
    if !words.isEmpty {
      search = try SearchText(words, of: filter, in: db)
      guard search != nil else { return false }
    }
    condition = rest.isEmpty ? nil : .all(rest)
    return true
  }

  static func tags(_ names: [String], in db: Database) throws -> [Int64] {
    let found = try names.compactMap { name -> Int64? in
      try db.value("SELECT id FROM tag WHERE name = $1", [Feed.tagName(name)])
    }
    return Set(found).sorted()
  }

  static func authors(_ user: String, in db: Database) throws -> [Int64] {
    let handle = user.trimmingWhiteSpace.drop { $0 == "@" }.description.storable
    guard !handle.isEmpty else { return [] }
    // With SQLite's NOCASE, which folds capitals, "[" is the character after "@".
    let column = db.folded("handle")
    return try db.values(
      """
      SELECT id FROM author WHERE \(column) = \(db.folded("$1"))
      UNION SELECT id FROM author WHERE \(column) >= \(db.folded("$2")) AND \(column) < \(db.folded("$3"))
      """,
      [handle, handle + "@", handle + "["]
    )
  }

  /// An earlier post of the list is the same.
  private func earlierTwin(of id: String, in db: Database) -> Clause {
    var unfolded = self
    unfolded.isFolded = false
    let listed = unfolded.conditions(on: .library, id: "twin.id", time: "twin.created_at", in: db)
    return """
      EXISTS (SELECT 1 FROM post_link link \(db.crossJoin) post twin ON twin.id = link.earlier
        WHERE link.later = \(id)\(listed.isEmpty ? "" : " AND \(listed.joined(by: " AND "))" as Clause))
      """
  }

  /// Whether it restricts the library, apart from leaving out deleted posts.
  var isNarrow: Bool {
    tags != nil || authors != nil || feed != nil || search != nil || timeRange != nil || deleted == .only
      || isConditional
  }

  /// Whether it restricts the library by what no index and no total has.
  var isConditional: Bool { visibility != .all || condition != nil || isFolded }

  /// The posts of its time range, whatever else it asks.
  mutating func openAll() {
    (tags, authors, feed, search, condition, hidden, plannedAfter, rare) = (nil, nil, nil, nil, nil, nil, nil, [])
    (deleted, visibility, isFolded) = (.included, .all, false)
  }

  /// Whether a change of other posts may let a post match, or no longer.
  private(set) var dependsOnOthers = false

  /// Whether post after post is asked whether it matches.
  var isScanned: Bool { condition != nil && search == nil }

  /// The indexed lists that each contain all of its posts.
  var sources: [PostSource] {
    [tags.map(PostSource.tags), authors.map(PostSource.authors), feed.map(PostSource.feed)].compactMap(\.self)
  }

  /// A lower bound of the list's size, if `matches` posts match its search; nil if it has other conditions.
  func least(of matches: Int, in db: Database) throws -> Int? {
    guard search != nil, tags == nil, authors == nil, feed == nil, timeRange == nil, deleted != .only,
      !isConditional
    else { return nil }
    let planned = try plannedAfter.map { try db.countOfPlanned(after: $0, atMost: matches) } ?? 0
    let leftOut = try planned + (hidden?.most(in: db) ?? 0)
    if deleted == .included { return max(matches - leftOut, 0) }
    return try max(matches - leftOut - db.countOfDeleted(atMost: matches), 0)
  }

  /// The same predicate without its search.
  var withoutSearch: PostPredicate {
    var other = self
    other.search = nil
    return other
  }

  /// The conditions that a source does not already imply. `id` and `time` are the columns of a post's number and time.
  func conditions(
    on source: PostSource, id: String, time: String, within range: TimeRange? = nil, in db: Database
  ) -> [Clause] {
    var clauses: [Clause] = []
    if let timeRange = range?.common(with: timeRange) ?? timeRange {
      clauses.append("\(time) >= \(bind: timeRange.start) AND \(time) < \(bind: timeRange.end)")
    }
    if let tags, source != .tags(tags) { clauses.append(Clause(of: id, carryingAnyOf: tags)) }
    if let authors, !source.isOfAuthors {
      let list = authors.map(String.init).joined(separator: ", ")
      clauses.append("(SELECT w.author FROM post w WHERE w.id = \(id)) IN (\(list))")
    }
    if let feed, source != .feed(feed) {
      let rows = "feed_post b \(db.index("feed_post_post"))"
      clauses.append("EXISTS (SELECT 1 FROM \(rows) WHERE b.post = \(id) AND b.feed = \(bind: feed))")
    }
    if let search, !source.isFound {
      clauses.append(db.matches(id, from: source.numbers, search))
    }
    if let plannedAfter {
      // Only the few posts of the future are looked up.
      let isByHand = "EXISTS (SELECT 1 FROM post h WHERE h.id = \(id) AND h.source = 'manual')"
      clauses.append("(\(time) <= \(bind: plannedAfter) OR NOT \(isByHand))")
    }
    if let visible = Clause(of: id, seenBy: visibility) { clauses.append(visible) }
    if let hidden { clauses.append("NOT \(hidden.clause(of: id))") }
    if let condition { clauses.append(condition.clause(of: id, in: db)) }
    if isFolded { clauses.append("NOT \(earlierTwin(of: id, in: db))") }
    let isDeleted: Clause = "EXISTS (SELECT 1 FROM post_state s WHERE s.post = \(id) AND s.deleted_at IS NOT NULL)"
    switch deleted {
    case .excluded: clauses.append("NOT \(isDeleted)")
    case .only where source != .deleted: clauses.append(isDeleted)
    case .only, .included: break
    }
    return clauses
  }
}
