import Filters
import FoundationEssentials
import Machine
import Posts
import Rows

/// What is done with new posts that a filter finds.
public struct Rule: Sendable, Equatable, Identifiable {
  /// Its name.
  public let name: String
  /// The filter, in its one spelling.
  public let filter: String
  /// What is done, in this order.
  public let actions: [RuleAction]

  /// Its name.
  public var id: String { name }

  /// Creates a rule.
  public init(name: String, filter: String, actions: [RuleAction]) {
    (self.name, self.filter, self.actions) = (name, filter, actions)
  }
}

/// What a rule does with a post.
public enum RuleAction: Sendable, Hashable {
  /// Marks it. A mark of a rule never replaces what a person said.
  case mark(Mark)
  /// Adds it to the end of an album.
  case album(String)
  /// Fetches none of its pictures.
  case skipPictures
  /// Tells of it after the harvest.
  case notice

  /// One line, as it is stored: `rating 4`.
  public var line: String {
    switch self {
    case .mark(.favourite(true)): "favourite"
    case .mark(.seen(true)): "seen"
    case .mark(.hidden(true)): "hide"
    case .mark(.rating(let number)): "rating \(number)"
    case .mark(.ownTag(let name)): "tag +\(MarkName.ownTag(name) ?? "")"
    // A rule takes nothing away and writes no note.
    case .mark: ""
    case .album(let name): "album \(name)"
    case .skipPictures: "skip-pictures"
    case .notice: "notice"
    }
  }

  /// Reads a line; nil if it is none.
  public init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("favourite", nil): self = .mark(.favourite(true))
    case ("seen", nil): self = .mark(.seen(true))
    case ("hide", nil): self = .mark(.hidden(true))
    case ("rating", let number?):
      guard let number = Int(number), (1...5).contains(number) else { return nil }
      self = .mark(.rating(number))
    case ("tag", let name?):
      guard let plain = MarkName.ownTag(name) else { return nil }
      self = .mark(.ownTag(plain))
    case ("album", let name?):
      guard let plain = MarkName.plain(name) else { return nil }
      self = .album(plain)
    case ("skip-pictures", nil): self = .skipPictures
    case ("notice", nil): self = .notice
    default: return nil
    }
  }
}

/// A post at which a rule failed. It is tried again with the next page that is stored.
public struct RuleFailure: Sendable, Equatable {
  /// The rule.
  public let rule: String
  /// The post.
  public let post: Int64
  /// Why.
  public let reason: String

  package init(rule: String, post: Int64, reason: String) { (self.rule, self.post, self.reason) = (rule, post, reason) }
}

extension Store {
  /// The rules, by name: the order in which they run.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func rules() throws(StorageError) -> [Rule] {
    try read { db in
      try RuleRunner.rules(in: db).map {
        Rule(name: $0.name, filter: try NamedPosts(db: db).numbered($0.filter), actions: $0.actions)
      }
    }
  }

  /// Where rules failed and will be tried again.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func ruleFailures() throws(StorageError) -> [RuleFailure] {
    try read { db in
      try db.rows("SELECT rule, post, reason FROM rule_failure ORDER BY rule, post LIMIT 1000") {
        RuleFailure(rule: try $0["rule"], post: try $0["post"], reason: try $0["reason"])
      }
    }
  }

  /// Stores a rule, in place of one of its name. It is applied to posts that come in later.
  ///
  /// - Throws: `MarkError` for a name that cannot be one, and if the filter or what is done names what there is not;
  ///   `StorageError`.
  @discardableResult
  public func save(_ rule: Rule, by marker: Marker, now: Date) throws -> Marking {
    guard let plain = MarkName.plain(rule.name) else { throw MarkError.name(rule.name) }
    return try changingMarks("rules add \(plain)", [], by: marker, now: now) { writer, _ in
      if let filter = try? Filter(parsing: rule.filter) { try SavedSearches(db: writer.db).expectUsable(filter) }
      for case .album(let name) in rule.actions { _ = try Albums(db: writer.db).expected(name) }
      let known = try RuleRunner.rules(in: writer.db).map(\.name)
      let name = known.first { MarkName.folded($0) == MarkName.folded(plain) } ?? plain
      try RuleRunner.write(name, rule.filter, rule.actions, &writer)
    }
  }

  /// Removes a rule. What it did stays.
  ///
  /// - Throws: `MarkError.noRule`; `StorageError`.
  @discardableResult
  public func deleteRule(_ name: String, by marker: Marker, now: Date) throws -> Marking {
    try changingMarks("rules delete \(name)", [], by: marker, now: now) { writer, _ in
      let names = try RuleRunner.rules(in: writer.db).map(\.name)
      guard let found = names.first(where: { MarkName.folded($0) == MarkName.folded(name) }) else {
        throw MarkError.noRule(name, nearest: Spelling.nearest(to: name, among: names))
      }
      try RuleRunner.write(found, nil, [], &writer)
      try writer.db.run("DELETE FROM rule_failure WHERE rule = $1", [found])
    }
  }

  /// Does what a rule says with posts that are stored already.
  ///
  /// - Returns: The posts of which something changed.
  /// - Throws: `MarkError` if an album is gone; `StorageError`.
  @discardableResult
  public func run(_ rule: Rule, on posts: [Int64], now: Date, dryRun: Bool = false) throws -> Marking {
    try changingMarks("rules run \(rule.name)", posts, by: .rule, now: now, dryRun: dryRun) { writer, posts in
      try RuleRunner.apply(rule, to: posts, &writer)
    }
  }

  /// Posts stored since a moment that rules tell of, by rule.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - run: The harvest whose feeds have them: several may run at once. nil for all. Posts without a feed are every one's.
  ///   - now: The current time.
  /// - Throws: `StorageError` if the library cannot be read.
  public func noticedPosts(
    since moment: Date, of run: Int64? = nil, now: Date
  ) throws(StorageError) -> [(rule: String, posts: [Int64])] {
    try read { db in
      let rules = try RuleRunner.rules(in: db).filter { $0.actions.contains(.notice) }
      guard !rules.isEmpty else { return [] }
      let newest: [(id: Int64, storedAt: String)] = try db.rows(
        "SELECT id, stored_at FROM post ORDER BY id DESC LIMIT 10000"
      ) { (id: try $0["id"], storedAt: try $0["stored_at"]) }
      var new = newest.prefix { $0.storedAt >= UTC.text(moment) }.map(\.id)
      if let run {
        new = try db.values(
          """
          SELECT id FROM post WHERE id IN (SELECT value FROM \(db.each)($1))
            AND (NOT EXISTS (SELECT 1 FROM feed_post WHERE feed_post.post = post.id) OR EXISTS (
              SELECT 1 FROM feed_post f JOIN run_feed r ON r.feed = f.feed WHERE f.post = post.id AND r.run = $2))
          ORDER BY id DESC
          """, [new.jsonList, run])
      }
      let runner = RuleRunner(db: db, now: now)
      return try rules.map { (rule: $0.name, posts: try runner.toldPosts(of: $0, among: new)) }.filter {
        !$0.posts.isEmpty
      }
    }
  }
}
