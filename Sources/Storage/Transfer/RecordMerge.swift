import Blobs
import FoundationEssentials
import Machine
import Rows

/// Merges records into the library, in one transaction. A record that cannot be stored is refused, and costs no other.
struct RecordMerge {
  let db: Database
  let stored: Set<BlobID>
  /// Pictures that the library had already, in hexadecimal digits.
  var keeping: Set<String> = []
  let now: Date
  let compressor = RawCompressor()
  var tags: TagWriter
  var marks: MarkMerge
  var links: LinkWriter
  private(set) var result = MergeResult()
  /// Posts above this number are not in the search index yet.
  private var indexed: Int64
  private var feeds: [String: Int64] = [:]
  private var authors: [RecordIdentity: Int64] = [:]
  /// The library's posts that the records name, until the first record of each.
  private var known: [RecordIdentity: TransferredPost] = [:]
  private var isKnownRead: Set<RecordIdentity> = []

  /// - Parameter albumNames: What the transactions before this one returned of it.
  init(db: Database, stored: Set<BlobID>, albumNames: [String: Int64], now: Date) throws {
    (self.db, self.stored, self.now) = (db, stored, now)
    tags = TagWriter(db: db)
    marks = MarkMerge(db: db, albumNames: albumNames, now: now)
    links = LinkWriter(db: db)
    indexed = try db.value("SELECT coalesce(max(id), 0) FROM post") ?? 0
  }

  /// Merges records.
  ///
  /// - Parameter eachAlone: Whether each has a savepoint of its own, so that one that is refused costs no other. SQLite spends
  ///   a quarter of the time on them. Else the transaction has to be taken back and done again.
  mutating func merge(_ records: [LibraryRecord], eachAlone: Bool) throws {
    try readKnown(records)
    for (index, record) in records.enumerated() {
      // Others name albums. Of a refused record nothing stays, of the albums before it all does.
      if case .album = record {} else { try marks.writeAlbums() }
      guard eachAlone else {
        try merge(record)
        continue
      }
      try db.execute("SAVEPOINT record")
      do {
        try merge(record)
        try db.execute("RELEASE record")
      } catch {
        guard let reason = Self.refusal(error) else { throw error }
        try db.rollBack(to: "record")
        // They may name rows that are gone with the record.
        (feeds, authors) = ([:], [:])
        result.refused[index] = reason
      }
    }
    try tags.write()
    try index()
    try links.write()
    try marks.end()
    result.marks = marks.changed
    result.albumNames = marks.albums.names
    try db.announce(filesOf: PictureGroups(db: db).complete())
  }

  /// Why a record cannot be stored; nil if the error is another one.
  static func refusal(_ error: any Error) -> String? {
    (error as? RefusedRecord)?.reason ?? Database.refusedValue(error)
  }

  private mutating func merge(_ record: LibraryRecord) throws {
    switch record {
    case .setting(let name, let value):
      try db.run(
        "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", [name.storable, value.storable])
    case .album(let album): try marks.merge(album)
    case .search(let search): try marks.merge(search)
    case .hidden(var hidden):
      hidden[.source] = Self.network(hidden[.source])
      hidden[.identity] = try identity(ofHidden: hidden)
      try marks.merge(hidden)
    case .rule(let rule): try marks.merge(rule)
    case .verdict(let verdict): try marks.merge(verdict)
    case .tagVerdict(let verdict): try marks.merge(verdict)
    case .feed(let feed): try merge(feed)
    case .author(var author):
      author.fields[.source] = Self.network(author.fields[.source])
      _ = try merge(author)
    case .post(var post):
      post[.source] = Self.network(post[.source])
      try merge(post)
    case .unreadable(let item): try mergeUnreadable(item)
    }
  }

  /// The name under which posts of a source are stored. Records of earlier versions have another one (`v029_network`).
  private static func network(_ source: ColumnContent) -> ColumnContent {
    source == .text("misskey") ? .text("mastodon") : source
  }

  /// The name under which a hidden author is known here.
  private func identity(ofHidden hidden: RecordFields<TransferColumns.Hidden>) throws -> ColumnContent {
    guard hidden[.kind].text == "author", let source = hidden[.source].text, let uri = hidden[.identity].text,
      uri.hasPrefix(AuthorTwin.account),
      let id = try AuthorTwin.row(
        of: uri.storable, handle: String(uri.dropFirst(AuthorTwin.account.count)).storable, source: source.storable,
        in: db),
      let known: String = try db.value("SELECT uri FROM author WHERE id = $1", [id])
    else { return hidden[.identity] }
    return .text(known)
  }

  /// Adds the posts that are new since the last time to the search index.
  private mutating func index() throws {
    let last: Int64 = try db.value("SELECT coalesce(max(id), 0) FROM post") ?? 0
    guard indexed < last else { return }
    try db.addToSearchIndex(after: indexed, upTo: last)
    indexed = last
  }

  private mutating func readKnown(_ records: [LibraryRecord]) throws {
    let wanted = records.compactMap { record in if case .post(let post) = record { post.identity } else { nil } }
    let ids: [Int64] = try wanted.compactMap { try row(of: $0) }
    for post in try TransferReader(db: db, raw: false).posts(ids) { known[post.identity] = post }
    isKnownRead = Set(wanted)
  }

  private func row(of post: RecordIdentity) throws -> Int64? {
    try db.value("SELECT id FROM post WHERE source = $1 AND uri = $2", [post.source.storable, post.uri.storable])
  }

  private mutating func merge(_ post: TransferredPost) throws {
    try Self.check(post)
    let post = post.withKnownVisibility
    let identity = post.identity
    var local = known.removeValue(forKey: identity)
    if isKnownRead.remove(identity) == nil, let row = try row(of: identity) {
      // The records name the post twice.
      try tags.write()
      try index()
      local = try TransferReader(db: db, raw: false).posts([row]).first
    }
    if let local {
      let isChanged = try update(local, with: post)
      result.updated += isChanged ? 1 : 0
      result.unchanged += isChanged ? 0 : 1
    } else {
      try insert(post)
      result.new += 1
    }
  }

  /// SQLite checks types and states; it does not check texts.
  private static func check(_ post: TransferredPost) throws {
    guard !post.identity.source.isEmpty, !post.identity.uri.isEmpty else {
      throw RefusedRecord("it has no identity")
    }
    for column: TransferColumns.Post in [.createdAt, .storedAt, .updatedAt] {
      guard let text = post[column].text, text.utf8.count == 24, UTC.date(text) != nil else {
        throw RefusedRecord("it has no \(column.rawValue)")
      }
    }
  }

  // MARK: Rows that posts refer to

  private mutating func merge(_ feed: TransferredFeed) throws {
    let id = try row(ofFeed: feed.name) ?? insert(feed)
    feeds[feed.name] = id
    try add(feed.follow, to: "follow", of: id)
    try add(feed.visit, to: "visit", of: id)
    try add(feed.look, to: "look", of: id)
  }

  /// Adds what is known of a feed, unless the library knows it.
  private func add<Column>(_ fields: RecordFields<Column>?, to table: String, of feed: Int64) throws {
    guard let fields, try !db.hasRow("SELECT 1 FROM \(table) WHERE feed = $1", [feed]) else { return }
    try db.insert(into: table, "feed, \(RecordFields<Column>.list())", [feed] + fields.arguments())
  }

  private func insert(_ feed: TransferredFeed) throws -> Int64 {
    guard !feed.name.isEmpty else { throw RefusedRecord("it has no name") }
    return try db.insertNumbered(into: "feed", RecordFields<TransferColumns.Feed>.list(), feed.fields.arguments())
  }

  /// The number of a feed.
  mutating func row(ofFeed name: String) throws -> Int64? {
    if let id = feeds[name] { return id }
    let id: Int64? = try db.value("SELECT id FROM feed WHERE name = $1", [name.storable])
    feeds[name] = id
    return id
  }

  private mutating func merge(_ author: TransferredAuthor) throws -> Int64 {
    guard !author.identity.uri.isEmpty else { throw RefusedRecord("it has no identity") }
    if let id = try row(ofAuthor: author.identity, handle: author.fields[.handle].text) {
      try attach(author.avatar, to: id)
      return id
    }
    var fields = author.fields
    let isStored = fields[.avatarState].text == "stored"
    if isStored { fields[.avatarState] = .text(fields[.avatarURL] == .null ? "gone" : "pending") }
    let id = try db.insertNumbered(into: "author", RecordFields<TransferColumns.Author>.list(), fields.arguments())
    authors[author.identity] = id
    if isStored { try attach(author.avatar, to: id) }
    return id
  }

  private func attach(_ avatar: RecordFields<TransferColumns.Blob>?, to author: Int64) throws {
    guard let blob = avatar.flatMap(available),
      try db.hasRow("SELECT 1 FROM author WHERE id = $1 AND avatar_state <> 'stored'", [author])
    else { return }
    try PictureWriter(db: db, now: now).attach([(blob, .avatar(author), nil)])
  }

  /// The number of an author.
  mutating func row(ofAuthor identity: RecordIdentity, handle: String? = nil) throws -> Int64? {
    if let id = authors[identity] { return id }
    let (source, uri) = (identity.source.storable, identity.uri.storable)
    var id: Int64? = try db.value("SELECT id FROM author WHERE source = $1 AND uri = $2", [source, uri])
    let account = uri.hasPrefix(AuthorTwin.account) ? String(uri.dropFirst(AuthorTwin.account.count)) : nil
    if id == nil, let handle = handle ?? account {
      id = try AuthorTwin.row(of: uri, handle: handle.storable, source: source, in: db)
    }
    authors[identity] = id
    return id
  }

  /// The number of the author of a post. An author of whom the records tell nothing else has only a name.
  mutating func row(ofWriter writer: RecordFields<TransferColumns.Writer>?, source: String) throws -> Int64? {
    guard let writer, let uri = writer[.uri].text else { return nil }
    let identity = RecordIdentity(source: source, uri: uri)
    if let id = try row(ofAuthor: identity, handle: writer[.handle].text) { return id }
    let id = try db.insertNumbered(
      into: "author", "source, uri, handle, name, avatar_state",
      [source.storable, uri.storable, writer[.handle].argument, writer[.name].argument, "pending"])
    authors[identity] = id
    return id
  }

  /// The bytes of a picture, if they are stored.
  func available(_ blob: RecordFields<TransferColumns.Blob>) -> StoredBlob? {
    guard let id = blob[.sha256].text.flatMap(BlobID.init), stored.contains(id) || keeping.contains(id.hex),
      let count = blob[.bytes].integer, count > 0
    else { return nil }
    return StoredBlob(
      id: id, byteCount: Int(count), mediaType: blob[.mediaType].text, width: blob[.width].integer.map(Int.init),
      height: blob[.height].integer.map(Int.init))
  }

  private mutating func mergeUnreadable(_ item: RecordFields<TransferColumns.Unreadable>) throws {
    guard let name = item[.feed].text, let feed = try row(ofFeed: name), case .blob(let body) = item[.body] else {
      throw RefusedRecord("its feed is unknown")
    }
    try db.insert(
      into: "unreadable", "feed, body, \(RecordFields<TransferColumns.Unreadable>.list(except: [.feed, .body]))",
      [feed, try compressor.compress(body)] + item.arguments(except: [.feed, .body]), "ON CONFLICT DO NOTHING")
  }
}

/// Why a record cannot be stored.
struct RefusedRecord: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
