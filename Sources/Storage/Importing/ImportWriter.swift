import FoundationEssentials
import Machine
import Posts

/// Writes one batch of an import. It lives as long as the batch's transaction.
struct ImportWriter {
  private let db: Database
  private let pull: Pull
  private let now: Date
  private(set) var imported = Imported()

  /// A writer for the feed with this number.
  init(db: Database, feed: Feed, id: Int64, now: Date) {
    (self.db, self.now) = (db, now)
    // Its number is no row: an import has neither cursor nor coverage.
    pull = Pull(id: 0, feedID: id, feed: feed, goal: PullGoal(end: true))
  }

  /// A post as it was written, and what belongs to it.
  private struct Written {
    let post: WrittenPost
    let item: ImportItem
    let isNew: Bool
    let isChanged: Bool
    /// Whether the post may get files that its server does not show.
    let adds: Bool
    /// Whether it is a newer version of a stored post, which may have more files, or other ones.
    let isNewer: Bool
  }

  mutating func write(_ items: [ImportItem]) throws {
    var feedItems = FeedItems(db: db, pull: pull, now: UTC.text(now), count: items.count)
    let unreadable = UnreadableItems(db: db, feed: pull.feedID, now: now)
    var hasUnreadable = try unreadable.isAnyNamed
    let written = try PostWriter.scope(in: db, pictures: true, now: UTC.text(now)) { posts in
      var written: [Written] = []
      for item in items {
        switch item.item.content {
        case .post(let post):
          for name in hasUnreadable ? [item.item.id ?? post.uri] + item.paths : [] { try unreadable.forget(name) }
          written.append(try write(post, of: item, to: &feedItems, &posts))
        case .unreadable(let reason):
          imported.unreadable += 1
          hasUnreadable = true
          // An earlier version kept it under another name.
          for name in item.paths.dropFirst() { try unreadable.forget(name) }
          try unreadable.keep(item.item, reason: reason, posts.compressor)
        }
      }
      return written
    }
    feedItems.settleDates()
    try feedItems.writePinned()
    try feedItems.writeLoose()
    for post in written { try finish(post) }
    try mark(written)
  }

  /// Takes over what a person made of the posts elsewhere.
  private func mark(_ written: [Written]) throws {
    let marked = written.filter { !$0.item.marks.isEmpty || !$0.item.albums.isEmpty }
    guard !marked.isEmpty else { return }
    // As a rule does it: what the person said here is not replaced.
    let taking = Marker(machine: "import", program: .rule)
    var writer = try MarkWriter("import marks", by: taking, now: now, in: db)
    for one in marked {
      for mark in one.item.marks {
        // A file may say what cannot be a mark.
        guard let (column, value) = try? mark.written(now: UTC.text(now)) else { continue }
        try writer.set(column, [(one.post.id, value)])
      }
    }
    // Of a post that was here, the person may have renamed or deleted the albums since.
    let entries = marked.filter(\.isNew).flatMap { one in one.item.albums.map { (album: $0, post: one.post.id) } }
    for (album, entries) in Dictionary(grouping: entries, by: \.album).sorted(by: { $0.key < $1.key }) {
      var known: Set<Int64> = []
      try add(entries.map(\.post).filter { known.insert($0).inserted }, toAlbum: album, &writer)
    }
    _ = try writer.end()
  }

  /// Adds posts to an album, which is made if there is none of its name.
  private func add(_ posts: [Int64], toAlbum name: String, _ writer: inout MarkWriter) throws {
    guard let name = MarkName.plain(name) else { return }
    let albums = Albums(db: db)
    try albums.add(posts, to: albums.row(named: name)?.id ?? albums.create(name, &writer), &writer)
  }

  private func write(
    _ post: Post, of item: ImportItem, to feedItems: inout FeedItems, _ posts: inout PostWriter
  ) throws -> Written {
    let known = try ImportMatch(db: db).known(item, post)
    var written: WrittenPost
    let isNewer = known.map { ImportMatch.isNewer(item, than: $0) } ?? false
    if let known, !item.replaces, !isNewer {
      written = WrittenPost(id: known.id, createdAt: known.facts.createdAt, isDeleted: known.isDeleted)
      if known.facts.visibility == nil, let visibility = post.visibility {
        try db.run("UPDATE post SET visibility = $1 WHERE id = $2", [visibility.rawValue, known.id])
      }
      if known.facts.license == nil, let license = post.license {
        try db.run("UPDATE post SET license = $1 WHERE id = $2", [license.rawValue.storable, known.id])
      }
    } else {
      var post = post
      // A newer wording replaces an older one. The files of an import are matched by themselves.
      if isNewer { post.listsAttachments = false }
      written = try posts.write(post, raw: item.item.raw)
    }
    let by = try item.item.repetition.map { try posts.authors.write($0.by, of: post) }
    // Posts of several sources share the feed, and may have the same id.
    var shown = item.item
    shown.id = item.item.repetition == nil ? post.uri : "\(post.uri) \(item.item.id ?? "")"
    try feedItems.pass(shown, post: written, repeatedBy: by)
    try write(item.item.quoted, in: written, &posts)
    return Written(
      post: written, item: item, isNew: written.isNew, isChanged: written.isChanged,
      adds: known.map { ImportedPage.mayAdd(item, to: $0) } ?? false, isNewer: isNewer)
  }

  /// Stores a quoted post as a post of its own, unless the library has it.
  private func write(_ quotation: Quotation?, in post: WrittenPost, _ posts: inout PostWriter) throws {
    guard let quotation else { return }
    let quoted = try quotation.post.map { quoted in
      try posts.find(PostFacts(quoted), isDated: quoted.isDated)?.id
        ?? posts.write(quoted, raw: Array(quotation.slice)).id
    }
    try QuoteWriter(db: db).write(quotation, of: post.id, quoted: quoted)
  }

  /// Attaches the pictures, and counts.
  private mutating func finish(_ written: Written) throws {
    let (item, post) = (written.item, written.post.id)
    let match = ImportMatch(db: db)
    let (attached, lacking, compared) =
      written.post.isDeleted
      ? ([], [], []) : try match.attachments(of: item, in: post, adds: written.adds, isNewer: written.isNewer)
    var lacked = try match.unstored(lacking + compared, of: item, in: post)
    if written.isNewer, !written.post.isDeleted {
      lacked += try match.fetchable(lacking, of: item, in: post, beside: lacked)
      let isDescribed = try describe(item, attached, in: post)
      if isDescribed || !lacked.isEmpty { try AttachmentWriter.forgetReading(of: post, in: db) }
    }
    let added = try add(lacked.sorted(), of: item, to: post)
    let pictures =
      attached.compactMap { found in
        found.isStored ? nil : item.pictures[found.index].map { (found.row, $0) }
      } + added
    try PictureWriter(db: db, now: now).attach(pictures.map { ($1, .attachment($0), nil) })
    imported.pictures += pictures.count
    for found in attached where !found.isStored && item.pictures[found.index] == nil {
      guard let reason = item.leftOut[found.index] else { continue }
      try LimitWriter.leaveOut([found.row], for: reason, in: db)
      imported.leftOut += 1
    }
    if written.post.isDeleted {
      imported.deleted += 1
    } else if written.isNew {
      imported.new += 1
    } else if written.isChanged || !pictures.isEmpty {
      imported.updated += 1
    } else {
      imported.unchanged += 1
    }
  }

  /// Takes over what a newer version says of the files that the post has. What only its place tells may be another file.
  ///
  /// - Returns: Whether that changed any.
  private func describe(_ item: ImportItem, _ attached: [ImportMatch.Attached], in post: Int64) throws -> Bool {
    var isChanged = false
    for (index, file) in (item.item.post?.attachments ?? []).enumerated() {
      guard let alt = file.alt?.storable else { continue }
      let row = attached.first { $0.index == index && !$0.mayDiffer }?.row
      let rows: [Int64] = try db.values(
        """
        UPDATE attachment SET alt = $1 WHERE post = $2 AND alt IS DISTINCT FROM $1
          AND (id = $3 OR blob = (SELECT id FROM blob WHERE sha256 = $4))
        RETURNING id
        """,
        [alt, post, row, item.pictures[index]?.id.hex])
      isChanged = isChanged || !rows.isEmpty
    }
    return isChanged
  }

  /// Adds files of an item to a stored post.
  private func add(
    _ indexes: [Int], of item: ImportItem, to post: Int64
  ) throws -> [(row: Int64, picture: StoredBlob)] {
    guard let attachments = item.item.post?.attachments, !indexes.isEmpty else { return [] }
    var writer = AttachmentWriter(db: db, state: "pending")
    let rows = try writer.append(indexes.map { attachments[$0] }, to: post, isUnshown: true)
    return zip(rows, indexes).compactMap { row, index in item.pictures[index].map { (row, $0) } }
  }
}
