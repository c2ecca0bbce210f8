import FoundationEssentials
import Posts
import Rows

extension RecordMerge {
  // Composed once: each is run for every post.
  private static let insertion = Database.insertion(
    into: "post", "\(Array(TransferColumns.post.dropFirst()).sql), author, digest", TransferColumns.post.count + 1)
  private static let recheckInsertion =
    Database.insertion(into: "recheck", "post, \(TransferColumns.recheck.sql)", TransferColumns.recheck.count + 1)
    + " ON CONFLICT (post) DO UPDATE SET "
    + TransferColumns.recheck.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

  /// Stores a new post.
  mutating func insert(_ post: TransferredPost) throws {
    let source = post.identity.source
    let author = try row(ofWriter: post.writer, source: source)
    let id = try db.insertNumbered(
      Self.insertion, post.values.dropFirst().map(\.argument) + [author, post.digest])
    if post[.visibility] == .pending { try UnreadVisibilities.expect(after: id - 1, in: db) }
    if let state = post.state {
      try db.insert(into: "post_state", "post, \(TransferColumns.state.sql)", [id] + state.arguments)
    }
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
    var isChanged = try addRelations(of: post, to: id)
    isChanged = try mergeState(local.state, post.state, of: id) || isChanged
    isChanged = try mergeWording(local, post, of: id) || isChanged
    isChanged = try mergePictures(local, post, of: id) || isChanged
    if let recheck = post.recheck, Self.isLater(recheck[1], than: local.recheck?[1]) {
      try write(recheck, of: id)
      isChanged = true
    }
    if let raw = post.raw {
      let pulledAt: String? = try db.value("SELECT pulled_at FROM raw WHERE post = ?", [id])
      if Self.isLater(raw[1], than: pulledAt.map { .text($0) }) { try write(raw: raw, of: id) }
    }
    if post.isLater(than: local), post.tags != local.tags {
      try db.run("DELETE FROM post_tag WHERE post = ?", [id])
      tags.insert(post.tags, of: id, createdAt: post[.createdAt].text ?? "")
      isChanged = true
    }
    return isChanged
  }

  private static func isLater(_ one: ColumnContent, than other: ColumnContent?) -> Bool {
    guard let other else { return true }
    return (one.text ?? "") > (other.text ?? "")
  }

  /// The later of a delete and a restore wins.
  private func mergeState(_ local: [ColumnContent]?, _ other: [ColumnContent]?, of id: Int64) throws -> Bool {
    guard let other else { return false }
    let pairs = (0..<3).map { max(local?[$0].text ?? "", other[$0].text ?? "") }
    let deleted = pairs[0] > pairs[1] ? pairs[0] : ""
    let merged: [ColumnContent] = [deleted, pairs[1], pairs[2]].map { $0.isEmpty ? .null : .text($0) }
    guard merged != (local ?? [.null, .null, .null]) else { return false }
    try db.run(
      """
      INSERT INTO post_state (post, deleted_at, restored_at, seen_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (post) DO UPDATE
        SET deleted_at = excluded.deleted_at, restored_at = excluded.restored_at, seen_at = excluded.seen_at
      """, [id] + merged.arguments)
    return true
  }

  /// The later wording wins, and the other becomes a revision.
  private mutating func mergeWording(_ local: TransferredPost, _ post: TransferredPost, of id: Int64) throws -> Bool {
    let isLater = post.isLater(than: local)
    var revisions = local.revisions
    for revision in post.revisions where !revisions.contains(where: { $0[0...] == revision[0...] }) {
      revisions.append(revision)
    }
    if post.texts != local.texts {
      let (old, new) = isLater ? (local, post) : (post, local)
      let lost = [new[.updatedAt], old[.title], old[.caption], old[.captionHTML], old[.warning]]
      if !revisions.contains(where: { [$0[1], $0[2], $0[4]] == [lost[1], lost[2], lost[4]] }) {
        revisions.append(lost)
      }
    }
    var isChanged = revisions != local.revisions
    if isChanged {
      try db.run("DELETE FROM revision WHERE post = ?", [id])
      for revision in revisions.sorted(by: { ($0[0].text ?? "") < ($1[0].text ?? "") }) {
        try write(revision: revision, of: id)
      }
    }
    if isLater, post.facts != local.facts {
      let author = try row(ofWriter: post.writer, source: post.identity.source)
      let names = TransferColumns.post[3...].map { "\($0) = ?" }.joined(separator: ", ")
      var values = Array(post.values[3...])
      // When the library first stored it does not change.
      values[TransferColumns.PostColumn.storedAt.rawValue - 3] = local[.storedAt]
      try db.run(
        "UPDATE post SET \(names), author = coalesce(?, author), digest = ? WHERE id = ?",
        values.arguments + [author, post.digest, id])
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
        "INSERT INTO post_alias (source, alias, post) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [source.storable, alias.storable, id])
      isChanged = isChanged || db.changesCount > 0
    }
    if let quote = post.quote, quote.count == TransferColumns.quote.count {
      try db.run(
        """
        INSERT INTO quote (post, quoted, uri, url)
        VALUES (?1, (SELECT id FROM post WHERE source = ?2 AND uri = ?3), ?3, ?4) ON CONFLICT DO NOTHING
        """, [id, source.storable, quote[1].argument, quote[2].argument])
      isChanged = isChanged || db.changesCount > 0
    }
    for item in post.items where try add(item, of: post, id: id) { isChanged = true }
    return isChanged
  }

  /// Whether the item is new. Where it stood is remembered until coverage is merged.
  private mutating func add(_ item: [ColumnContent], of post: TransferredPost, id: Int64) throws -> Bool {
    guard item.count == TransferColumns.item.count, let name = item[0].text, let feed = try row(ofFeed: name) else {
      return false
    }
    let repeater = try item[5].text.flatMap { uri in
      try row(ofAuthor: RecordIdentity(source: post.identity.source, uri: uri))
    }
    try db.run(
      """
      INSERT INTO feed_post (feed, remote_id, post, created_at, pinned, repeated_by, repeated_at, seen_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (feed, remote_id) DO NOTHING
      """,
      [
        feed, item[1].argument, id, post[.createdAt].argument, item[4].argument, repeater, item[6].argument,
        item[7].argument,
      ])
    let isNew = db.changesCount > 0
    guard let coverage = item[2].integer, let position = item[3].integer else { return isNew }
    let number: Int64? = try db.value(
      "SELECT id FROM feed_post WHERE feed = ? AND remote_id = ?", [feed, item[1].argument])
    try db.run(
      "INSERT INTO merged_item (row, feed, coverage, place) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      [number, feed, coverage, position])
    return isNew
  }

  private func write(_ recheck: [ColumnContent], of id: Int64) throws {
    try db.run(Self.recheckInsertion, [id] + recheck.arguments)
  }

  private func write(revision: [ColumnContent], of id: Int64) throws {
    try db.insert(into: "revision", "post, \(TransferColumns.revision.sql)", [id] + revision.arguments)
  }

  private func write(raw: [ColumnContent], of id: Int64) throws {
    guard raw.count == 3, case .blob(let body) = raw[2] else { return }
    try db.insert(
      into: "raw", "post, server, pulled_at, body",
      [id, raw[0].argument, raw[1].argument, try compressor.compress(body)],
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
  var facts: [TransferValue] {
    values.indices.filter { ![0, TransferColumns.PostColumn.storedAt.rawValue].contains($0) }.map { values[$0] }
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
