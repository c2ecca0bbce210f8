import FoundationEssentials
import HTTP
import Machine
import Markup
import Posts

/// Converts a feed's document to a page of posts.
struct FeedMapping {
  let feed: Feed
  private var document: FeedDocument
  /// When the document was received: the date of items without one.
  let now: Date
  /// Who may see the items. A document that was opened by what lets one person in is for those whom its author lets in.
  private let visibility: Visibility?
  /// Ids that several items with different pages share. They identify nothing.
  private let sharedIDs: Set<String>
  /// Ids with dates that several items share.
  private let sharedDays: Set<String>
  /// Ids with files that items of several dates share, such as a logo or a script.
  private let sharedFiles: Set<String>
  /// Pages that several items link to, and the feed's own page. They identify no single item.
  private let sharedLinks: Set<String>
  private var latest: Author?
  /// The number of posts with an unusable date.
  private(set) var misdated = 0
  /// Number of items that lost their last pictures or the ends of long texts.
  private(set) var shortened = 0

  /// The number of entries released at once.
  private static let piece = 500

  /// - Parameters:
  ///   - document: The document.
  ///   - feed: Its feed.
  ///   - isForOne: Whether a login was sent with the request for it.
  ///   - now: When it was received.
  init(_ document: FeedDocument, of feed: Feed, isForOne: Bool = false, now: Date) {
    (self.feed, self.document, self.now) = (feed, document, now)
    visibility = isForOne || FeedAddress.holdsKey(feed.value) ? .followers : nil
    var (ids, links, days) = (Uses(), Uses(), Uses())
    for entry in document.entries {
      let fallback = "\(entry.title ?? "") \(entry.dateText)"
      let link = entry.link.map(WebIdentity.key)
      if let id = entry.id {
        if !document.hasUniqueIDs {
          ids.note(id, for: link ?? fallback)
          ids.note(id, entry)
        }
        days.note("\(id) \(entry.day)", for: fallback)
      }
      if let link {
        links.note(link, for: entry.id ?? fallback)
        links.note(link, entry)
      }
    }
    (sharedIDs, sharedDays) = (ids.shared, days.shared)
    sharedFiles = Self.sharedFiles(of: ids.shared, in: document.entries)
    let home = [document.home, feed.value, feed.server.origin].compactMap { $0 }.map(WebIdentity.key)
    sharedLinks = links.shared.union(home)
  }

  /// Which of the ids' files several items have that differ in more.
  private static func sharedFiles(of ids: Set<String>, in entries: [FeedEntry]) -> Set<String> {
    var files = Uses()
    for entry in entries {
      guard let id = entry.id, ids.contains(id) else { continue }
      let day = entry.dateText.isEmpty ? entry.title ?? "" : entry.day
      for file in entry.media {
        files.note("\(id) \(file.path)", for: "\(day) \(WebAddress.unsigned(file.url))")
      }
    }
    return files.shared
  }

  /// Which items use a name. The first use is kept as a hash, because a feed may have very many.
  private struct Uses {
    private(set) var shared: Set<String> = []
    private var first: [String: Int] = [:]
    private var heads: [String: [Head]] = [:]
    /// The most heads kept for each name for comparison, because a feed may have very many.
    private static let mostHeads = 8

    mutating func note(_ name: String, for use: String) {
      let known = first.updateValue(use.hashValue, forKey: name)
      if let known, known != use.hashValue { shared.insert(name) }
    }

    /// Items that differ in date, and in headline, text or file, are different items, even with the same name. If a feed
    /// holds an edited item in both forms, either may stay.
    mutating func note(_ name: String, _ entry: FeedEntry) {
      let head = Head(entry)
      guard head.isTelling, !shared.contains(name) else { return }
      let known = heads[name] ?? []
      if known.contains(where: head.isOther(than:)) { shared.insert(name) }
      if known.count < Self.mostHeads, !known.contains(head) { heads[name, default: []].append(head) }
    }
  }

  /// What distinguishes items with one name, as hashes.
  private struct Head: Equatable {
    let title, text, date, file: Int?

    init(_ entry: FeedEntry) {
      title = entry.title?.hashValue
      text = entry.html?.hashValue
      date = entry.dateText.isEmpty ? nil : entry.day.hashValue
      file = entry.media.isEmpty ? nil : entry.media.map { WebAddress.unsigned($0.url) }.hashValue
    }

    var isTelling: Bool { date != nil && (title != nil || text != nil || file != nil) }

    func isOther(than other: Head) -> Bool {
      let differ = { (one: Int?, other: Int?) in one != nil && other != nil && one != other }
      return differ(date, other.date)
        && (differ(title, other.title) || differ(text, other.text) || differ(file, other.file))
    }
  }

  /// The items as entries of a page, newest first, each once: one id means one item in a feed (RFC 4287, 4.1.1). The
  /// first of several items with the same id is the post, unless their dates of change tell which is. The others are
  /// kept as received, because they may be different items. Items are removed from the document meanwhile, because memory cannot hold a very long feed twice.
  ///
  /// The feed's own order stays unless every item has a date and the dates are out of order: some feeds begin with the
  /// oldest item.
  mutating func items() -> [PageItem] {
    var entries = document.entries
    document.entries = []
    let dates = entries.compactMap { $0.published ?? $0.updated }
    if dates.count == entries.count, zip(dates, dates.dropFirst()).contains(where: { $0 < $1 }) {
      let order = dates.indices.sorted { (dates[$0], $1) > (dates[$1], $0) }
      entries = order.map { entries[$0] }
    }
    var first: [String: Int] = [:]
    var items: [PageItem] = []
    items.reserveCapacity(entries.count)
    var pieces = stride(from: 0, to: entries.count, by: Self.piece).reversed().map {
      Array(entries[$0..<min($0 + Self.piece, entries.count)])
    }
    entries = []
    var index = 0
    var last = dates.first
    while let piece = pieces.popLast() {
      for entry in piece {
        let item = item(entry, at: index, near: last)
        last = entry.published ?? entry.updated ?? last
        index += 1
        let name = item.id ?? String(decoding: item.slice, as: UTF8.self)
        if let known = first[name] {
          // The store orders versions by their dates.
          let isVersion = item.post?.revisedAt != nil && items[known].post?.revisedAt != nil
          if items[known].slice != item.slice { items.append(isVersion ? item : Self.namesake(item)) }
        } else {
          first[name] = items.count
          items.append(item)
        }
      }
    }
    return items
  }

  private static func namesake(_ item: PageItem) -> PageItem {
    PageItem(id: nil, content: .unreadable(reason: "another item of its page bears its name"), slice: item.slice)
  }

  private mutating func item(_ entry: FeedEntry, at index: Int, near date: Date?) -> PageItem {
    let raw = entry.raw
    var entry = entry
    entry.html = entry.html.map(InlinePicture.shortened)
    guard raw.count <= Bounds.item else {
      let reason = "it is longer than \(Bounds.item) bytes"
      return PageItem(id: nil, content: .unreadable(reason: reason), slice: raw)
    }
    guard !entry.isBroken else {
      return PageItem(id: nil, content: .unreadable(reason: "it cannot be read"), slice: raw)
    }
    guard let identity = identity(of: entry) else {
      return PageItem(id: nil, content: .unreadable(reason: "it says nothing"), slice: raw)
    }
    let post = post(entry, identity, at: index, near: date)
    if entry.isShortened, !post.isAtBounds { shortened += 1 }
    return PageItem(id: identity, content: .post(post), slice: raw)
  }

  private mutating func post(_ entry: FeedEntry, _ identity: String, at index: Int, near date: Date?) -> Post {
    let html = entry.html.map { Bounds.verbatim($0, bytes: Bounds.caption) }
    // An item with an unreadable date is as old as its neighbours, not new. The first of several items without a date
    // is the newest of them.
    let stated = entry.dateText.isEmpty ? nil : date
    if !entry.dateText.isEmpty, entry.published == nil, entry.updated == nil { misdated += 1 }
    let guess = entry.updated ?? (stated ?? now).addingTimeInterval(-Double(index) / 1000)
    let created = entry.published ?? guess
    return Post(
      source: .feed, uri: identity, identity: .page, url: entry.link, server: feed.server,
      remoteID: remoteID(of: entry, identity),
      author: shared(author(of: entry)), createdAt: created, isDated: entry.published != nil,
      editedAt: entry.updated.flatMap { $0 > created ? $0 : nil }, revisedAt: entry.updated, title: entry.title,
      caption: Bounds.cut(Caption.plainText(html: html ?? ""), bytes: Bounds.caption), captionHTML: html,
      sensitive: entry.sensitive, language: Bounds.word(entry.language ?? document.language, bytes: 35),
      visibility: visibility, license: Bounds.license(entry.license),
      tags: tags(of: entry), attachments: attachments(of: entry))
  }

  // MARK: Identity

  /// The item's id from the feed, else its page, else a digest of what hardly changes: of an id that several share with
  /// a file or the date that no other has. Returns nil if it has none of these.
  ///
  /// The identity is valid only within its feed. Many feeds number their items from 1, and an id that looks like a web
  /// address is untrusted: with it, any feed could overwrite the posts of another.
  private func identity(of entry: FeedEntry) -> String? {
    if let id = entry.id?.trimmed, !id.isEmpty, !sharedIDs.contains(id) { return scoped(id) }
    if let link = entry.link.map(WebIdentity.key), !sharedLinks.contains(link) { return scoped(link) }
    if let id = entry.id, sharedIDs.contains(id) {
      let isDay = !entry.dateText.isEmpty && !sharedDays.contains("\(id) \(entry.day)")
      let file = entry.media.lazy.map(\.path).first { !sharedFiles.contains("\(id) \($0)") }
      if let part = file ?? (isDay ? entry.day : nil) { return "\(scope)#\(digest("\(id)\n\(part)"))" }
    }
    let facts = [entry.title ?? "", entry.dateText] + entry.media.map(\.url)
    let text = facts.allSatisfy(\.isEmpty) ? entry.html ?? "" : facts.joined(separator: "\n")
    return text.isEmpty ? nil : "\(scope)#\(digest(text))"
  }

  private func scoped(_ id: String) -> String {
    // Joined, because the joined text takes no more memory than it needs.
    let identity = [scope, Request.percentEncoded(id)].joined(separator: "#")
    return identity.utf8.count <= Bounds.address ? identity : "\(scope)#\(digest(id))"
  }

  /// The item's id at the site: its page if no other item has it, so that feed ids may change, else its identity.
  private func remoteID(of entry: FeedEntry, _ identity: String) -> String {
    guard let link = entry.link, !sharedLinks.contains(WebIdentity.key(of: link)) else { return identity }
    let page = WebIdentity.page(of: link)
    return page.contains("/") ? page : identity
  }

  /// `feed://birds.example/rss.xml`, with a digest of the query, because it may hold a key.
  private var scope: String {
    let address = feed.value.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "#" }
    let path = address.prefix { $0 != "?" }
    guard path.endIndex < address.endIndex else { return "feed://\(path)" }
    return "feed://\(path)?\(digest(String(address[path.endIndex...])))"
  }

  private func digest(_ text: String) -> String { "sha256:\(base64URL(Digest.sha256(Array(text.utf8))))" }

  // MARK: Parts

  /// Reuses the previous item's author if it is equal: most of very many items have one author.
  private mutating func shared(_ author: Author) -> Author {
    if let latest, latest == author { return latest }
    latest = author
    return author
  }

  /// The item's author, or the feed itself if it names nobody.
  private func author(of entry: FeedEntry) -> Author {
    let host = feed.server.host
    let address = entry.author?.address
    guard let name = Bounds.line(entry.author?.name) ?? address.map(WebIdentity.key) else {
      let title = document.title.flatMap { Bounds.line($0) } ?? host
      return Author(
        uri: "\(scope)#", handle: host, name: title, url: document.home, avatarURL: document.icon)
    }
    // A feed may have many authors. The host alone could not distinguish or select them.
    let word = name.split(whereSeparator: \.isWhitespace).joined(separator: ".")
    let mail = entry.author?.mail.map { "mail:\(digest("\(scope) \($0.lowercased())"))" }
    return Author(
      uri: "\(scope)#by:\(address.map(Request.percentEncoded) ?? mail ?? Request.percentEncoded(name))",
      handle: "\(word)@\(host)", name: name,
      url: address, avatarURL: entry.author?.avatar)
  }

  private func tags(of entry: FeedEntry) -> [String] {
    var seen: Set<String> = []
    return entry.tags.prefix(Bounds.tags).compactMap { Bounds.line($0).map(Feed.tagName) }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Media RSS pictures first, then enclosures, then those in the text. Several sizes of a picture count as one.
  private func attachments(of entry: FeedEntry) -> [Attachment] {
    let shown = entry.html.map { FeedHTMLMedia($0, base: entry.base).all } ?? []
    var all = entry.media + shown
    if !all.contains(where: { $0.kind == .image || $0.kind == .video }) { all += [entry.thumbnail].compactMap { $0 } }
    var found: [FeedMedia] = []
    var indices: [String: Int] = [:]
    for media in all where found.count < Bounds.attachments {
      let key = media.name.key
      if let index = indices[key] {
        found[index] = found[index].joined(with: media)
      } else {
        indices[key] = found.count
        found.append(media)
      }
    }
    return found.map(\.attachment)
  }
}

extension FeedEntry {
  /// The date as an identity's part: the feed may write it in another zone.
  fileprivate var day: String { (published ?? updated).map(UTC.text) ?? dateText }
}

extension FeedMedia {
  /// Its address without what changes at each build.
  fileprivate var path: String { WebAddress.path(url).bare }
}
