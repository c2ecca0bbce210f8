import Posts

/// Posts of a page that are certainly new, inserted together before the page is written post by post. Where each statement
/// is an answer of a server to wait for, a page of new posts would otherwise wait some two hundred times.
struct NewPosts {
  private var written: [Key: WrittenPost] = [:]

  /// A name of a post: its identity, or an alias.
  private struct Key: Hashable {
    let source: String
    let name: String
  }

  /// A post of the page.
  private struct Candidate {
    let post: Post
    let raw: [UInt8]
    let facts: PostFacts
    /// Its names. An import may know it by its page, and the source of addresses.
    let keys: [Key]

    init(post: Post, raw: [UInt8], mayBeImported: Bool) {
      let facts = PostFacts(post)
      (self.post, self.raw, self.facts) = (post, raw, facts)
      let names = [facts.uri, facts.alias].compactMap(\.self).map { Key(source: facts.source, name: $0) }
      let pages = mayBeImported ? ImportedPage.names(of: facts) : []
      keys = names + pages.map { Key(source: SourceName.ofAddresses.rawValue, name: $0) }
    }
  }

  /// None.
  init() {}

  /// Inserts the posts of these items that neither the library nor another item of the page knows.
  ///
  /// - Parameters:
  ///   - items: The items of a page, in its order.
  ///   - writer: Writes the page.
  init(of items: [PageItem], by writer: inout PostWriter) throws {
    let hasImports = writer.hasImports
    let candidates = items.flatMap(Self.posts).map { Candidate(post: $0, raw: $1, mayBeImported: hasImports) }
    // A post that the page shows twice, under whatever name, is written in the page's order.
    let counts = Dictionary(candidates.flatMap { Set($0.keys) }.map { ($0, 1) }, uniquingKeysWith: +)
    let known = try Self.known(candidates.flatMap(\.keys), in: writer.db)
    let doubtful = try hasImports ? ImportedPage.times(of: candidates.map(\.facts), in: writer.db) : []
    let new = candidates.filter { candidate in
      !doubtful.contains(candidate.facts.createdAt)
        && candidate.keys.allSatisfy { counts[$0] == 1 && !known.contains($0) }
    }
    guard !new.isEmpty else { return }
    try writer.authors.prepare(new.map(\.post))
    let numbers = try writer.db.reserveNumbers(new.count, of: "post")
    let posts = try zip(new, numbers).map { candidate, id in
      let author = try candidate.post.author.map { try writer.authors.write($0, of: candidate.post) }
      return WrittenPost(id: id, createdAt: candidate.facts.createdAt, author: author, isNew: true)
    }
    try writer.insert(zip(posts, new).map { ($0, $1.post, $1.facts, $1.raw) })
    for (post, candidate) in zip(posts, new) { written[candidate.keys[0]] = post }
  }

  /// The post of these facts, if it was inserted. It is found once: a page tells of it once.
  mutating func removePost(_ facts: PostFacts) -> WrittenPost? {
    written.isEmpty ? nil : written.removeValue(forKey: Key(source: facts.source, name: facts.uri))
  }

  private static func posts(of item: PageItem) -> [(Post, [UInt8])] {
    guard case .post(let post) = item.content else { return [] }
    let quoted = item.quoted.flatMap { quotation in quotation.post.map { ($0, Array(quotation.slice)) } }
    return [(post, item.raw)] + (quoted.map { [$0] } ?? [])
  }

  /// Which of the names the library has.
  private static func known(_ keys: [Key], in db: Database) throws -> Set<Key> {
    var known: Set<Key> = []
    for source in Set(keys.map(\.source)).sorted() {
      let names: [String] = try db.values(
        """
        SELECT k.value FROM \(db.eachText)($1) k
        WHERE coalesce((SELECT id FROM post WHERE source = $2 AND uri = k.value),
          (SELECT post FROM post_alias WHERE source = $3 AND alias = k.value)) IS NOT NULL
        """,
        [keys.filter { $0.source == source }.map(\.name).jsonList, source, source])
      known.formUnion(names.map { Key(source: source, name: $0) })
    }
    return known
  }
}

extension PostWriter {
  /// Inserts the new posts of a page together, if that is worth it. An item of a known document may be one that the
  /// library has under another name.
  mutating func prepare(_ items: [PageItem], of pull: Pull) throws {
    let isDocument = pull.feed.kind == .url
    if isDocument, try db.hasRow("SELECT 1 FROM feed_post WHERE feed = $1 LIMIT 1", [pull.feedID]) {
      moved = MovedItems(items)
    } else if db.engine == .postgresql {
      new = try NewPosts(of: isDocument ? items.reversed() : items, by: &self)
    }
  }
}
