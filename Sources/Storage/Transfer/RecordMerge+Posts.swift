import Posts
import Rows

extension RecordMerge {
  // Composed once: each is run for every post.
  private static let insertion = Database.insertion(
    into: "post", "\(RecordFields<TransferColumns.Post>.list(except: [.id])), author, digest",
    RecordFields<TransferColumns.Post>.columns.count + 1)
  private static let recheckInsertion =
    Database.insertion(
      into: "recheck", "post, \(RecordFields<TransferColumns.Recheck>.list())",
      RecordFields<TransferColumns.Recheck>.columns.count + 1)
    + " ON CONFLICT (post) DO UPDATE SET "
    + TransferColumns.Recheck.allCases.map { "\($0.rawValue) = excluded.\($0.rawValue)" }.joined(separator: ", ")
  private static let stateInsertion =
    Database.insertion(
      into: "post_state", "post, \(RecordFields<TransferColumns.State>.list())",
      RecordFields<TransferColumns.State>.columns.count + 1)
    + " ON CONFLICT (post) DO UPDATE SET "
    + TransferColumns.State.allCases.map { "\($0.rawValue) = excluded.\($0.rawValue)" }.joined(separator: ", ")
  /// What names a post, and when the library first stored it, does not change.
  private static let kept: [TransferColumns.Post] = [.id, .source, .uri, .storedAt]

  /// Stores a new post.
  mutating func insert(_ post: TransferredPost) throws {
    let source = post.identity.source
    let author = try row(ofWriter: post.writer, source: source)
    let id = try db.insertNumbered(Self.insertion, post.fields.arguments(except: [.id]) + [author, post.digest])
    links.insert(id, isNew: true)
    if post[.visibility] == .pending { try UnreadVisibilities.expect(after: id - 1, in: db) }
    if let given = post.state {
      let state = marks.checked(given)
      try db.insert(into: "post_state", "post, \(RecordFields<TransferColumns.State>.list())", [id] + state.arguments())
    }
    _ = try marks.merge(post, of: id)
    if let recheck = post.recheck { try write(recheck, of: id) }
    for revision in post.revisions { try write(revision: revision, of: id) }
    if let raw = post.raw { try write(raw: raw, of: id) }
    try write(post.attachments, of: id)
    _ = try addRelations(of: post, to: id)
    if let createdAt = post[.createdAt].text { tags.insert(post.tags, of: id, createdAt: createdAt) }
  }

  /// Merges a post into the library's own.
  ///
  /// - Returns: Whether anything changed.
  mutating func update(_ local: TransferredPost, with post: TransferredPost) throws -> Bool {
    guard let id = local[.id].integer else { return false }
    var post = post
    if post[.visibility] == .pending { post[.visibility] = local[.visibility] }
    // What does not say who may see a post takes back nothing.
    for column in [TransferColumns.Post.original, .license, .visibility] where post[column].text == nil {
      post[column] = local[column]
    }
    var isChanged = try addRelations(of: post, to: id)
    isChanged = try mergeState(local.state, post.state, of: id) || isChanged
    isChanged = try marks.merge(post, of: id) || isChanged
    isChanged = try mergeWording(local, post, of: id) || isChanged
    isChanged = try mergePictures(local, post, of: id) || isChanged
    if let recheck = post.recheck, Self.isLater(recheck[.checkedAt], than: local.recheck?[.checkedAt]) {
      try write(recheck, of: id)
      isChanged = true
    }
    if let raw = post.raw {
      let pulledAt: String? = try db.value("SELECT pulled_at FROM raw WHERE post = $1", [id])
      if Self.isLater(raw[.pulledAt], than: pulledAt.map { .text($0) }) { try write(raw: raw, of: id) }
    }
    if post.isLater(than: local), post.tags != local.tags {
      try db.run("DELETE FROM post_tag WHERE post = $1", [id])
      tags.insert(post.tags, of: id, createdAt: post[.createdAt].text ?? "")
      isChanged = true
    }
    return isChanged
  }

  private static func isLater(_ one: ColumnContent, than other: ColumnContent?) -> Bool {
    guard let other else { return true }
    return (one.text ?? "") > (other.text ?? "")
  }

  /// The later of a delete and a restore wins, and the later of two marks. A note that loses is kept.
  private mutating func mergeState(
    _ local: RecordFields<TransferColumns.State>?, _ other: RecordFields<TransferColumns.State>?, of id: Int64
  ) throws -> Bool {
    guard let other = other.map({ marks.checked($0) }) else { return false }
    func latest(_ column: TransferColumns.State) -> String {
      max(local?[column].text ?? "", other[column].text ?? "")
    }
    let isDeleted = latest(.deletedAt) > latest(.restoredAt)
    let none = RecordFields<TransferColumns.State> { _ in .null }
    var merged = local ?? none
    merged[.restoredAt] = latest(.restoredAt).isEmpty ? .null : .text(latest(.restoredAt))
    merged[.deletedAt] = isDeleted ? .text(latest(.deletedAt)) : .null
    let lost = try marks.merge(other, into: &merged, of: id)
    guard merged != (local ?? none) else { return lost }
    try db.run(Self.stateInsertion, [id] + merged.arguments())
    return true
  }

  /// The later wording wins, and the other becomes a revision.
  private mutating func mergeWording(_ local: TransferredPost, _ post: TransferredPost, of id: Int64) throws -> Bool {
    let isLater = post.isLater(than: local)
    var revisions = local.revisions
    for revision in post.revisions where !revisions.contains(revision) { revisions.append(revision) }
    if post.texts != local.texts {
      let (old, new) = isLater ? (local, post) : (post, local)
      let lost = old.revision(seenAt: new[.updatedAt])
      if !revisions.contains(where: { $0.texts == lost.texts }) { revisions.append(lost) }
    }
    var isChanged = revisions != local.revisions
    if isChanged {
      try db.run("DELETE FROM revision WHERE post = $1", [id])
      for revision in revisions.sorted(by: { ($0[.seenAt].text ?? "") < ($1[.seenAt].text ?? "") }) {
        try write(revision: revision, of: id)
      }
    }
    if isLater, post.facts != local.facts {
      let author = try row(ofWriter: post.writer, source: post.identity.source)
      let changed = post.fields.pairs(except: Self.kept)
      let names = changed.map(\.column.rawValue)
      try db.run(
        """
        UPDATE post SET \(Database.assignments(names + ["digest"])), author = coalesce($\(names.count + 2), author)
        WHERE id = $\(names.count + 3)
        """, changed.map(\.value.argument) + [post.digest, author, id])
      if post[.url] != local[.url] || post[.original] != local[.original] { links.insert(id, isNew: false) }
      isChanged = true
    } else if !isLater, local[.visibility] == .null, ![.null, .pending].contains(post[.visibility]) {
      var known = local
      known[.visibility] = post[.visibility]
      try db.run(
        "UPDATE post SET visibility = $1, digest = $2 WHERE id = $3", [post[.visibility].argument, known.digest, id])
      isChanged = true
    }
    return isChanged
  }

  /// Adds what other rows say of a post: other identities, a quote, where feeds have it.
  private mutating func addRelations(of post: TransferredPost, to id: Int64) throws -> Bool {
    let source = post.identity.source
    var isChanged = false
    for alias in post.aliases {
      try db.run(
        "INSERT INTO post_alias (source, alias, post) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [source.storable, alias.storable, id])
      isChanged = isChanged || db.changesCount > 0
    }
    if let quote = post.quote {
      try db.run(
        """
        INSERT INTO quote (post, quoted, uri, url)
        VALUES ($1, (SELECT id FROM post WHERE source = $2 AND uri = $3), $3, $4) ON CONFLICT DO NOTHING
        """, [id, source.storable, quote[.uri].argument, quote[.url].argument])
      isChanged = isChanged || db.changesCount > 0
    }
    for item in post.items where try add(item, of: post, id: id) { isChanged = true }
    return isChanged
  }

  /// Whether the item is new. Where it stood is remembered until coverage is merged.
  private mutating func add(
    _ item: RecordFields<TransferColumns.Item>, of post: TransferredPost, id: Int64
  ) throws -> Bool {
    guard let name = item[.feed].text, let feed = try row(ofFeed: name) else { return false }
    let repeater = try item[.repeatedBy].text.flatMap { uri in
      try row(ofAuthor: RecordIdentity(source: post.identity.source, uri: uri))
    }
    try db.run(
      """
      INSERT INTO feed_post (feed, remote_id, post, created_at, pinned, repeated_by, repeated_at, seen_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (feed, remote_id) DO NOTHING
      """,
      [
        feed, item[.remoteID].argument, id, post[.createdAt].argument, item[.pinned].argument, repeater,
        item[.repeatedAt].argument, item[.seenAt].argument,
      ])
    let isNew = db.changesCount > 0
    guard let coverage = item[.coverage].integer, let position = item[.place].integer else { return isNew }
    let number: Int64? = try db.value(
      "SELECT id FROM feed_post WHERE feed = $1 AND remote_id = $2", [feed, item[.remoteID].argument])
    try db.run(
      "INSERT INTO merged_item (row, feed, coverage, place) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      [number, feed, coverage, position])
    return isNew
  }

  private func write(_ recheck: RecordFields<TransferColumns.Recheck>, of id: Int64) throws {
    try db.run(Self.recheckInsertion, [id] + recheck.arguments())
  }

  private func write(revision: RecordFields<TransferColumns.Revision>, of id: Int64) throws {
    let columns = "post, \(RecordFields<TransferColumns.Revision>.list())"
    try db.insert(into: "revision", columns, [id] + revision.arguments())
  }

  private func write(raw: RecordFields<TransferColumns.Raw>, of id: Int64) throws {
    guard case .blob(let body) = raw[.body] else { return }
    try db.insert(
      into: "raw", "post, server, pulled_at, body",
      [id, raw[.server].argument, raw[.pulledAt].argument, try compressor.compress(body)],
      """
      ON CONFLICT (post)
      DO UPDATE SET server = excluded.server, pulled_at = excluded.pulled_at, body = excluded.body
      """)
  }
}

extension ColumnContent {
  /// A visibility that nobody has looked for yet.
  static let pending = ColumnContent.text(Visibility.pending.rawValue)
}

extension TransferredPost {
  /// The post with a visibility that is known here: a word that nobody knows is the narrowest, and so is one that is to be
  /// looked for in an answer that did not come along.
  var withKnownVisibility: TransferredPost {
    guard self[.visibility] != .null else { return self }
    var post = self
    let visibility = Visibility(stored: self[.visibility].text ?? "")
    let isLost = visibility == .pending && raw == nil
    let isManual = self[.source].text == SourceName.manual.rawValue
    post[.visibility] = isLost && isManual ? .null : .text((isLost ? .direct : visibility).rawValue)
    return post
  }

  /// What people read.
  var texts: [TransferValue] { [self[.title], self[.caption], self[.warning]] }

  /// What its server or its person decides.
  var facts: [TransferValue] { fields.pairs(except: [.id, .storedAt]).map(\.value) }

  /// This wording as an earlier one, which another replaced at a time.
  func revision(seenAt: TransferValue) -> RecordFields<TransferColumns.Revision> {
    RecordFields { column in
      switch column {
      case .seenAt: seenAt
      case .title: self[.title]
      case .caption: self[.caption]
      case .captionHTML: self[.captionHTML]
      case .warning: self[.warning]
      }
    }
  }

  var digest: Int64 {
    TextDigest.of(
      [self[.title], self[.caption], self[.captionHTML], self[.warning]].map { $0.text?.storable })
  }

  /// Whether it was written after another form of itself. Of two that were written at once, any rule will do that does not
  /// depend on which is merged into which.
  func isLater(than other: TransferredPost) -> Bool {
    let (one, two) = (self[.updatedAt].text ?? "", other[.updatedAt].text ?? "")
    if one != two { return one > two }
    return isSame(as: other) ? false : tie > other.tie
  }

  private func isSame(as other: TransferredPost) -> Bool {
    facts == other.facts && tags == other.tags && attachments.map(\.identity) == other.attachments.map(\.identity)
  }

  private var tie: String { "\(facts) \(tags) \(attachments.map(\.identity))" }
}

extension RecordFields<TransferColumns.Revision> {
  /// What people read.
  fileprivate var texts: [TransferValue] { [self[.title], self[.caption], self[.warning]] }
}
