import FoundationEssentials
import Machine

/// Counts the posts of a list by period, exactly.
struct PeriodCounts {
  let periods: Periods
  /// The months of posts by their numbers; nil where they are read from the posts.
  var months: PostMonthIndex?

  /// The number of posts in a period.
  struct Count: Equatable {
    let period: DateInterval
    var posts: Int
  }

  /// More deleted posts than this are left out one by one where they are counted.
  private static let mostSubtracted = 100_000

  /// The periods in which the list has posts, newest first.
  func counts(of predicate: PostPredicate, in db: Database) throws -> [Count] {
    if let counts = try numbered(predicate, in: db) { return counts }
    // Whether a list shows a post or its twin is no matter of one of them.
    guard predicate.deleted != .only, !predicate.isFolded else { return try read(predicate, in: db) }
    if let hidden = predicate.hidden, try hidden.most(in: db) < Self.mostSubtracted {
      // So with a hidden post.
      var shown = predicate
      shown.hidden = nil
      let left = try scattered(shown, from: .rare(.hidden(hidden)), in: db).map { ($0.period, $0.posts) }
      return try counts(of: shown, in: db).less(Dictionary(left) { $0 + $1 })
    }
    let isSubtracted =
      try predicate.deleted == .excluded && db.countOfDeleted(atMost: Self.mostSubtracted) < Self.mostSubtracted
    guard isSubtracted else { return try read(predicate, in: db) }
    // A deleted post costs a lookup, each post that is counted beside it nothing.
    var (all, trash) = (predicate, predicate)
    (all.deleted, trash.deleted) = (.included, .only)
    let deleted = try scattered(trash, in: db).map { ($0.period, $0.posts) }
    return try read(all, in: db).less(Dictionary(deleted) { $0 + $1 })
  }

  /// Counts the matches of a search by their numbers alone; nil where more of them must be known.
  func numbered(_ predicate: PostPredicate, in db: Database) throws -> [Count]? {
    guard let months, case .sqlite(let connection) = db.connection, let match = predicate.search?.match,
      periods.length == .month, predicate.timeRange == nil, predicate.plannedAfter == nil, predicate.deleted != .only
    else { return nil }
    let some = db.found(match, atMost: months.least)
    guard try db.value("SELECT count(*) FROM \(some)" as Clause) == months.least,
      var months = try months.months(by: periods, in: db)
    else { return nil }
    var listed = predicate
    if !predicate.isFolded {
      // It is faster to forget the months of what is left out than to look for each match there.
      let hidden = predicate.hidden.map { "SELECT d.post FROM \(RarePosts.hidden($0).rows(in: db))" as Clause }
      if let hidden { try months.leaveOut(hidden, in: connection) }
      if predicate.deleted == .excluded {
        try months.leaveOut("SELECT post FROM post_state WHERE deleted_at IS NOT NULL", in: connection)
      }
      (listed.hidden, listed.deleted) = (nil, .included)
    }
    let source = PostSource.found(match, atMost: -1)
    let conditions = listed.conditions(on: source, id: "f.number", time: "NULL", in: db)
    let condition: Clause = conditions.isEmpty ? "" : " WHERE \(conditions.joined(by: " AND "))"
    return try months.counts(
      of: "SELECT f.number FROM \(db.found(match, atMost: -1))\(condition)", in: connection)
  }

  /// Reads the posts themselves: in order where one index has them, else from the list with the fewest.
  private func read(_ predicate: PostPredicate, in db: Database) throws -> [Count] {
    if predicate.search == nil, predicate.deleted != .only {
      if let rare = try predicate.rareSource(in: db) { return try scattered(predicate, from: rare, in: db) }
      if predicate.sources.count <= 1 { return try ordered(predicate, in: db) }
    }
    return try scattered(predicate, in: db)
  }

  /// Counts ranges of an index. Periods without posts cost nothing.
  private func ordered(_ predicate: PostPredicate, in db: Database) throws -> [Count] {
    let posts = PostSelection(source: predicate.sources.first ?? .library, predicate: predicate)
    var counts: [Count] = []
    var rest = PostSelection.ScanRange()
    while let newest = try posts.keys(rest, limit: 1, in: db).first?.createdAt {
      var start = newest
      if let date = UTC.date(newest) {
        let period = periods.period(of: date)
        var range = TimeRange(period)
        // The last moment that rows can store has no later end.
        if !range.contains(newest) { range = TimeRange(start: newest, end: newest + " ") }
        start = min(range.start, newest)
        let count = Count(period: period, posts: try posts.exactCount(within: range, in: db))
        if count.posts > 0 { counts.append(count) }
      }
      // No post has this number: the key sorts directly after the posts of the moment.
      rest.start = PostKey(createdAt: start, id: .min)
    }
    return counts
  }

  /// Reads the moment of each post once, in any order.
  private func scattered(
    _ predicate: PostPredicate, from source: PostSource? = nil, in db: Database
  ) throws -> [Count] {
    let posts = PostSelection(source: try source ?? fewest(predicate, in: db), predicate: predicate)
    var sums = PeriodSums(by: periods)
    let moments = posts.statement(isOrdered: false, limit: -1, in: db)
    if periods.length == .month {
      let months: Clause = "SELECT \(Self.inMonth) AS moment FROM (\(moments)) AS listed"
      try db.rows("SELECT moment, count(*) AS posts FROM (\(months)) AS months GROUP BY moment" as Clause) {
        sums.add(try $0["moment"], count: try $0["posts"])
      }
    } else {
      try db.rows(moments) { sums.add(try $0["moment"]) }
    }
    return sums.newestFirst.map { Count(period: $0.period, posts: $0.count) }
  }

  /// The middle of a moment's month, unless months of some zone begin on its day: the engine adds up faster what is equal.
  private static let inMonth = """
    CASE WHEN substr(moment, 9, 2) BETWEEN '02' AND '27' THEN substr(moment, 1, 7) || '-15T00:00:00.000Z' ELSE moment END
    """

  /// The source with the fewest posts to read.
  private func fewest(_ predicate: PostPredicate, in db: Database) throws -> PostSource {
    let deleted = predicate.deleted == .only ? try db.countOfDeleted() : .max
    if let search = predicate.search { return deleted <= Bound.exact ? .deleted : .found(search.match, atMost: -1) }
    let narrowest = try predicate.narrowestSource(in: db)
    return try deleted <= db.total(of: narrowest) ? .deleted : narrowest
  }
}

extension PostSelection {
  /// The number of posts in a range of an ordered source.
  fileprivate func exactCount(within range: TimeRange, in db: Database) throws -> Int {
    try source.branches(in: db).reduce(0) { sum, branch in
      var clauses = branch.condition.map { [$0] } ?? []
      var columns: String?
      if case .feed(let feed) = source {
        // All rows of a post have its date: those of a post that the feed shows again are neighbours in the index.
        clauses = ["b.feed = \(bind: feed)"]
        columns = "DISTINCT \(branch.time), \(branch.id)"
      }
      clauses += predicate.conditions(on: source, id: branch.id, time: branch.time, within: range, in: db)
      let rows: Clause = "FROM \(branch.from) WHERE \(clauses.joined(by: " AND "))"
      let count: Clause =
        columns.map { "SELECT count(*) FROM (SELECT \($0) \(rows)) AS posts" } ?? "SELECT count(*) \(rows)"
      return try sum + (db.value(count) ?? 0)
    }
  }
}

extension [PeriodCounts.Count] {
  /// Without what other counts say of the same periods.
  fileprivate func less(_ others: [DateInterval: Int]) -> [PeriodCounts.Count] {
    map { PeriodCounts.Count(period: $0.period, posts: $0.posts - (others[$0.period] ?? 0)) }.filter { $0.posts > 0 }
  }
}
