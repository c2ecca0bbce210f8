import Blobs
import FeedDocuments
import Glibc
import Posts
import Storage
import Web

/// A file as a site may have it.
package enum PublishedFile: Sendable {
  /// Its stored bytes.
  case stored
  /// A copy at a path of the program's own, which is removed once it is written.
  case copy(String)
  /// It must not be published.
  case leftOut
}

/// Posts as a site of static pages: lists by month, tag and author, a page for each post, its pictures, and a feed.
package struct Site {
  /// What the site is called.
  package let title: String
  /// The address at which it will be served; nil if only a folder has it. Only then can it have a map, and its feed links.
  package let base: String?
  private let folder: SiteFolder
  private let blobs: any BlobStoring
  private let published: @Sendable (StoredAttachment, BlobID) throws -> PublishedFile
  private let thumbnail: @Sendable (BlobID) async -> [UInt8]?

  /// Posts on a page of a list.
  private static let perPage = 60
  private static let mostInFeed = 50
  /// The most that a map may have (https://www.sitemaps.org/protocol.html).
  private static let mostInMap = 50_000

  /// A site.
  ///
  /// - Parameters:
  ///   - title: What it is called.
  ///   - base: The address at which it will be served, if any.
  ///   - folder: Where it is written.
  ///   - blobs: The library's blobs.
  ///   - published: The file of an attachment as the site may have it.
  ///   - thumbnail: Makes a small WebP picture of a blob; nil if it cannot.
  package init(
    title: String, base: String?, in folder: SiteFolder, blobs: any BlobStoring,
    published: @escaping @Sendable (StoredAttachment, BlobID) throws -> PublishedFile = { _, _ in .stored },
    thumbnail: @escaping @Sendable (BlobID) async -> [UInt8]?
  ) {
    (self.title, self.folder, self.blobs) = (title, folder, blobs)
    (self.published, self.thumbnail) = (published, thumbnail)
    self.base = base.map { $0.hasSuffix("/") ? $0 : "\($0)/" }
  }

  /// Writes the posts of a query that `takes` lets through. It keeps their numbers in memory, and reads the posts as it writes them.
  ///
  /// - Returns: How many posts the site has.
  package func write(_ query: PostQuery, of store: Store, where takes: (StoredPost) -> Bool = { _ in true })
    async throws -> Int
  {
    var lists = SiteLists()
    try store.eachPost(query) { if takes($0) { lists.add($0) } }
    try folder.put(Array(SiteStyle.text.utf8), at: "style.css")
    try await writePosts(lists.posts, store)
    try writeFirst(lists.posts, query, store)
    for (month, posts) in lists.months {
      try writeList(SiteLists.name(ofMonth: month), posts, store) { SiteName.month(month, page: $0) }
    }
    for (tag, posts) in lists.tags { try writeList("#\(tag)", posts, store) { SiteName.tag(tag, page: $0) } }
    for (author, posts) in lists.authors {
      try writeList(author, posts, store) { SiteName.author(author, page: $0) }
    }
    try writeContents(lists)
    try writeFeed(lists.posts, store)
    try writeMap(lists.posts)
    try folder.finish()
    return lists.posts.count
  }

  /// The first page has the newest posts. One album, and nothing else, is written whole, in its order.
  private func writeFirst(_ posts: [Int64], _ query: PostQuery, _ store: Store) throws {
    guard let album = query.filter?.filter.name(of: .album), !posts.isEmpty else {
      return try writeList(title, posts, store, atMost: 1) { _ in "index.html" }
    }
    let chosen = Set(posts)
    let ordered = try store.posts(ofAlbum: album).filter(chosen.contains)
    try writeList(title, ordered, store, SitePage.inOrder, name: SiteName.album)
  }

  private func writePosts(_ numbers: [Int64], _ store: Store) async throws {
    for start in stride(from: 0, to: numbers.count, by: Self.perPage) {
      for post in try store.posts(numbered: numbers[start..<min(start + Self.perPage, numbers.count)]) {
        try Task.checkCancellation()
        var media: Set<BlobID> = []
        for file in post.attachments {
          guard let blob = file.blob else { continue }
          if try put(file, blob) { media.insert(blob) }
          guard [.image, .video, .gifv].contains(file.kind), media.contains(blob) else { continue }
          let small = SiteName.thumbnail(blob)
          if folder.holds(small) {
            folder.keep(small)
          } else if let bytes = await thumbnail(blob) {
            try folder.put(bytes, at: small)
          }
        }
        let name = SiteName.post(post.id)
        try folder.put(shown(post, at: name).bytes, at: name)
      }
    }
  }

  /// Writes a file as it may be published. Returns whether it is there now.
  private func put(_ file: StoredAttachment, _ blob: BlobID) throws -> Bool {
    let name = SiteName.media(file, blob)
    if folder.isPart(name) { return true }
    switch try published(file, blob) {
    case .stored: return try folder.put(blob, of: blobs, at: name)
    case .copy(let path):
      defer { unlink(path) }
      try folder.put(fileAt: path, at: name)
      return true
    case .leftOut:
      folder.leaveOut(name)
      return false
    }
  }

  /// A post as the page of a name shows it. Its pictures were written before.
  private func shown(_ post: StoredPost, at name: String) -> SitePost {
    var media: Set<BlobID> = []
    var thumbnails: Set<BlobID> = []
    for file in post.attachments {
      guard let blob = file.blob else { continue }
      if folder.holds(SiteName.media(file, blob)) { media.insert(blob) }
      if folder.holds(SiteName.thumbnail(blob)) { thumbnails.insert(blob) }
    }
    return SitePost(post: post, page: SitePage(site: title, at: name), media: media, thumbnails: thumbnails)
  }

  private func writeList(
    _ heading: String, _ numbers: [Int64], _ store: Store, _ neighbours: SitePage.Neighbours = SitePage.byTime,
    atMost most: Int = .max, name: (Int) -> String
  ) throws {
    let pages = min(most, max(1, (numbers.count + Self.perPage - 1) / Self.perPage))
    for page in 0..<pages {
      let path = name(page)
      let part = numbers.dropFirst(page * Self.perPage).prefix(Self.perPage)
      let tiles = try posts(part, store).map { shown($0, at: path).tile }
      let bytes = SitePage(site: title, at: path).list(heading, tiles, page: page, of: pages, neighbours, name: name)
      try folder.put(bytes, at: path)
    }
  }

  /// Posts in the order of their numbers.
  private func posts(_ numbers: ArraySlice<Int64>, _ store: Store) throws -> [StoredPost] {
    let posts = try store.posts(numbered: Array(numbers)).map { ($0.id, $0) }
    let known = Dictionary(posts) { one, _ in one }
    return numbers.compactMap { known[$0] }
  }

  private func writeContents(_ lists: SiteLists) throws {
    let months = lists.months.sorted { $0.key > $1.key }.map {
      (name: SiteLists.name(ofMonth: $0.key), link: SiteName.month($0.key), count: $0.value.count)
    }
    let tags = lists.tags.sorted { $0.key < $1.key }.map {
      (name: "#\($0.key)", link: SiteName.tag($0.key), count: $0.value.count)
    }
    let authors = lists.authors.sorted { $0.key < $1.key }.map {
      (name: $0.key, link: SiteName.author($0.key), count: $0.value.count)
    }
    for (title, name, entries) in [
      ("Months", "months.html", months), ("Tags", "tags.html", tags), ("Authors", "authors.html", authors),
    ] {
      try folder.put(SitePage(site: self.title, at: name).contents(title, entries), at: name)
    }
  }

  private func writeFeed(_ numbers: [Int64], _ store: Store) throws {
    let facts = FeedFacts(
      id: "tag:media.invalid,2026:site?\(title.queryEncoded)", title: title, home: base,
      link: base.map { "\($0)feed.atom" })
    let items = try posts(numbers.prefix(Self.mostInFeed), store).map { post in
      FeedItem(
        post, link: base.map { "\($0)\(SiteName.post(post.id))" } ?? FeedItem.webAddress(post.url),
        files: post.attachments.compactMap { file in
          let own = base.flatMap { base in file.blob.map { "\(base)\(SiteName.media(file, $0))" } }
          return (own ?? FeedItem.webAddress(file.url)).map { (link: $0, attachment: file) }
        })
    }
    try folder.put(Array(AtomDocument.text(facts, items).utf8), at: "feed.atom")
  }

  private func writeMap(_ numbers: [Int64]) throws {
    guard let base else { return }
    let names = ["index.html"] + numbers.prefix(Self.mostInMap - 1).map(SiteName.post)
    let map: HTML = """
      <?xml version="1.0" encoding="UTF-8"?>
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      \(HTML.joined(names.map { "<url><loc>\(base)\($0)</loc></url>\n" }))</urlset>

      """
    try folder.put(Array(map.markup.utf8), at: "sitemap.xml")
  }
}
