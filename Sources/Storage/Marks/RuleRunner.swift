import Filters
import FoundationEssentials
import Machine
import Rows

extension Marker {
  /// A rule, wherever it runs.
  static let rule = Marker(machine: "", program: .rule)
}

/// Runs rules in the transaction that stored new posts.
struct RuleRunner {
  let db: Database
  let now: Date

  /// How the reason begins for which a picture is skipped.
  static let leftOut = "left out by the rule "

  /// The most failed posts that are tried again with a page, and how long after they failed.
  private static let (mostRetries, pause) = (200, 60.0)

  static func rules(in db: Database) throws -> [Rule] {
    try db.rows(
      "SELECT name, filter, actions FROM rule WHERE filter IS NOT NULL ORDER BY \(db.folded("name")), name"
    ) { row in
      let actions: String = try row["actions"]
      return Rule(
        name: try row["name"], filter: try row["filter"],
        actions: actions.split(separator: "\n").compactMap { RuleAction(line: String($0)) })
    }
  }

  static func write(_ name: String, _ filter: String?, _ actions: [RuleAction], _ writer: inout MarkWriter) throws {
    let lines = actions.map(\.line).joined(separator: "\n")
    let before: (filter: String?, actions: String)? = try writer.db.row(
      "SELECT filter, actions FROM rule WHERE name = $1", [name]
    ) { (filter: try $0["filter"], actions: try $0["actions"]) }
    guard before?.filter != filter || before?.actions ?? "" != lines else { return }
    try writer.remember(
      "rule", name, text(before?.filter, before?.actions ?? ""), written: text(filter, lines))
    try put(name, filter, lines, stamp: writer.stamp.text, in: writer.db)
  }

  private static func put(
    _ name: String, _ filter: String?, _ actions: String, stamp: String, in db: Database
  ) throws {
    try db.run(
      """
      INSERT INTO rule (name, filter, actions, stamp) VALUES ($1, $2, $3, $4)
      ON CONFLICT (name) DO UPDATE SET filter = excluded.filter, actions = excluded.actions, stamp = excluded.stamp
      """, [name, filter, actions, stamp])
  }

  /// A rule's content as one text: its filter is its first line.
  private static func text(_ filter: String?, _ actions: String) -> String? { filter.map { "\($0)\n\(actions)" } }

  /// Takes back what `write` wrote, if it is still so.
  ///
  /// - Parameter known: The stamps with which it counts as written by the change.
  /// - Returns: Whether it was.
  static func restore(
    _ name: String, _ value: String?, written: String?, from known: Set<String>, stamp: String, in db: Database
  ) throws -> Bool {
    let present: (text: String?, stamp: String)? = try db.row(
      "SELECT filter, actions, stamp FROM rule WHERE name = $1", [name]
    ) { (text: text(try $0["filter"], try $0["actions"]), stamp: try $0["stamp"]) }
    guard let present, present.text == written, known.contains(present.stamp) else { return false }
    let lines = value?.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    try put(name, lines?.first, lines?.dropFirst().first ?? "", stamp: stamp, in: db)
    return true
  }

  // MARK: Running

  /// Runs all rules on new posts, and on those at which they failed before. A rule that fails is recorded, and nothing of it
  /// stays.
  func run(onNew new: [Int64]) throws {
    let rules = try Self.rules(in: db)
    guard !rules.isEmpty else { return }
    let failed: [String: [Int64]] = Dictionary(
      grouping: try db.rows(
        """
        SELECT rule, post FROM rule_failure WHERE failed_at <= $1 ORDER BY failed_at, rule, post LIMIT \(Self.mostRetries)
        """, [UTC.text(now - Self.pause)]
      ) { (rule: try $0["rule"] as String, post: try $0["post"] as Int64) }, by: \.rule
    ).mapValues { $0.map(\.post) }
    guard !new.isEmpty || !failed.isEmpty else { return }
    // What was written in this transaction is found by its words only then.
    if case .postgresql(let session) = db.connection, rules.contains(where: hasWords) {
      try session.searchIndex.fill(in: session)
    }
    for rule in rules { try run(rule, on: new, again: failed[rule.name] ?? []) }
  }

  /// Whether a rule asks for words, itself or by saved searches.
  private func hasWords(_ rule: Rule) -> Bool {
    (try? SavedSearches(db: db).expanded(Filter(parsing: rule.filter)))?.hasWords ?? true
  }

  private func run(_ rule: Rule, on new: [Int64], again failed: [Int64]) throws {
    if !failed.isEmpty {
      try db.run(
        "DELETE FROM rule_failure WHERE rule = $1 AND post IN (SELECT value FROM \(db.each)($2))",
        [rule.name, failed.jsonList])
    }
    // Where the filter itself fails, nobody knows which they are.
    var posts = new + failed
    try db.execute("SAVEPOINT rule")
    do {
      posts = try self.posts(of: rule, among: posts)
      if !posts.isEmpty {
        var writer = try MarkWriter("rules run \(rule.name)", by: .rule, now: now, in: db)
        try Self.apply(rule, to: posts, &writer)
      }
      try db.execute("RELEASE rule")
    } catch {
      // What ends the whole transaction ends it here, too.
      guard let reason = Self.reason(error) else { throw error }
      try db.rollBack(to: "rule")
      try record(rule, posts, reason)
    }
  }

  /// Why a rule alone failed; nil for a fault of the library, which the page must hear of.
  private static func reason(_ error: any Error) -> String? {
    unusable(error) ?? Database.refusedValue(error) ?? Database.refusedSize(error)
  }

  /// Why what a rule says cannot be done now; nil for another fault.
  private static func unusable(_ error: any Error) -> String? {
    switch error {
    case let error as MarkError: error.summary
    case let error as FilterError: error.message
    case StorageError.unusableSearch: (error as? StorageError)?.summary
    default: nil
    }
  }

  private func record(_ rule: Rule, _ posts: [Int64], _ reason: String) throws {
    try db.run(
      """
      INSERT INTO rule_failure (rule, post, reason, failed_at)
      SELECT $1, p.id, $2, $3 FROM \(db.each)($4) j \(db.crossJoin) post p ON p.id = j.value WHERE TRUE
      ON CONFLICT (rule, post) DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at
      """, [rule.name, reason.storable, UTC.text(now), posts.jsonList])
  }

  /// Those of some posts that a rule's filter finds. Deleted ones are left alone.
  func posts(of rule: Rule, among posts: [Int64]) throws -> [Int64] {
    guard !posts.isEmpty else { return [] }
    var list = PostListQuery()
    let filter = try Filter(parsing: rule.filter)
    try filter.expectNames(in: db)
    list.filter = PostFilter(filter, now: now)
    guard let predicate = try PostPredicate(list, in: db) else { return [] }
    return try PostSelection(source: .numbered(Set(posts)), predicate: predicate).keys(limit: -1, in: db)
      .map(\.id).reversed()
  }

  /// The same; none of a rule whose filter cannot be used. That it fails was recorded with the page.
  func toldPosts(of rule: Rule, among posts: [Int64]) throws -> [Int64] {
    do { return try self.posts(of: rule, among: posts) } catch  where Self.unusable(error) != nil { return [] }
  }

  /// Does what a rule says with posts.
  static func apply(_ rule: Rule, to posts: [Int64], _ writer: inout MarkWriter) throws {
    for action in rule.actions {
      switch action {
      case .mark(let mark):
        let (column, value) = try mark.written(now: UTC.text(writer.now))
        try writer.set(column, posts.map { ($0, value) })
      case .album(let name):
        let albums = Albums(db: writer.db)
        try albums.add(posts, to: albums.expected(name).id, &writer)
      case .skipPictures:
        // The reason tells later pulls that no limit left them out, which could be lifted.
        try writer.db.run(
          """
          UPDATE attachment SET state = 'skipped', failure = $1
          WHERE post IN (SELECT value FROM \(writer.db.each)($2)) AND state IN ('pending', 'failed')
          """, ["\(RuleRunner.leftOut)\"\(rule.name)\"", posts.jsonList])
      case .notice: break
      }
    }
  }
}
