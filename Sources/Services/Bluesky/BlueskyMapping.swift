import FoundationEssentials
import JSONReading
import Posts

// Converts posts to the values that all sources share. Every value is untrusted and bounded.

extension BlueskyPost {
  /// An entry of an answer: a post, or an entry of an author's feed, which may be a repeat.
  static func pageItem(_ fields: JSONObject, in network: BlueskyNetwork, raw: [UInt8]) -> PageItem {
    let shown = BlueskyPost(fields.object("post") ?? fields)
    var item = shown.pageItem(in: network, raw: raw)
    if let reason = fields.object("reason"), let by = reason.object("by").map(BlueskyAuthor.init) {
      item.id = reason.string("uri").flatMap { Bounds.word($0, bytes: Bounds.line) } ?? item.id.map { "\($0)#repeat" }
      if let author = by.author(in: network), let at = reason.moment("indexedAt") {
        item.repetition = Repetition(by: author, at: at)
      }
    }
    item.pinned = fields.object("reason")?.string("$type")?.hasSuffix("reasonPin") == true
    return item
  }

  private func pageItem(in network: BlueskyNetwork, raw: [UInt8]) -> PageItem {
    var item: PageItem
    switch post(in: network) {
    case .success(let post):
      item = PageItem(id: post.uri, content: .post(post), raw: raw)
      item.quoted = quote?.quotation(in: network)
    case .failure(let why):
      item = PageItem(id: BlueskyURI(uri)?.text, content: .unreadable(reason: why.reason), raw: raw)
    }
    return item
  }

  /// The post in the form that all sources share. It requires an identity and a date.
  func post(in network: BlueskyNetwork) -> Result<Post, Unreadable> {
    guard let identity = BlueskyURI(uri) else { return .failure(Unreadable(reason: "it has no usable uri")) }
    guard author?.did == nil || author?.did == identity.did else {
      return .failure(Unreadable(reason: "its author is not the one of its uri"))
    }
    guard let date else { return .failure(Unreadable(reason: "it has no usable date")) }
    let author = author?.author(in: network)
    let home = author?.url ?? "\(network.pages)/profile/\(identity.did)"
    let warning = Self.warning(of: labels)
    return .success(
      Post(
        source: .bluesky, uri: identity.text, url: "\(home)/post/\(identity.key)",
        original: Bridge.original(named: record?.bridged, by: author?.handle), server: network.server,
        remoteID: identity.text, author: author, createdAt: date, caption: caption,
        warning: warning, sensitive: !warning.isEmpty, language: Bounds.word(record?.language, bytes: 35),
        visibility: self.author?.visibility, tags: tags,
        attachments: files.prefix(Bounds.attachments).map { $0.attachment(of: identity.did, in: network) },
        listsAttachments: record != nil))
  }

  /// Where the network sorts the post. Its author may have written any date, such as 1970 or one to come.
  private var date: Date? {
    guard let written = record?.createdAt, let indexedAt else { return record?.createdAt ?? indexedAt }
    return min(written, indexedAt)
  }

  /// The words with which the service itself warns of what authors and moderators label.
  private static let warnings: KeyValuePairs = [
    "porn": "Adult Content", "sexual": "Sexually Suggestive", "nudity": "Non-sexual Nudity",
    "graphic-media": "Graphic Media", "gore": "Graphic Media",
  ]

  private static func warning(of labels: [String]) -> String {
    if labels.isEmpty { return "" }
    var words: [String] = []
    for (label, word) in warnings where labels.contains(label) && !words.contains(word) { words.append(word) }
    return words.joined(separator: ", ")
  }

  /// The tags in the text, then those beside it.
  private var tags: [String] {
    var seen: Set<String> = []
    return record?.tagNames.filter { seen.insert($0).inserted } ?? []
  }

  /// The text, with links in full, and the address of a card that the text does not name.
  private var caption: String {
    let text = record?.fullText ?? ""
    let card = Bounds.webAddress(record?.card).flatMap { text.contains($0) ? nil : $0 }
    let whole = [text, card].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: "\n\n")
    return Bounds.block(whole, bytes: Bounds.caption) ?? ""
  }
}

extension BlueskyRecord {
  /// The tags in the text, then those beside it, as feeds name them.
  var tagNames: [String] {
    (facets.compactMap(\.tag) + tags).compactMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) }
  }

  /// The text with the addresses of links that its app shortened.
  var fullText: String {
    guard let text else { return "" }
    let shortened = facets.filter { $0.link != nil }.sorted { $0.start < $1.start }
    if shortened.isEmpty { return text }
    let bytes = Array(text.utf8)
    var (whole, done): ([UInt8], Int) = ([], 0)
    for facet in shortened where facet.start >= done && facet.end <= bytes.count {
      let shown = bytes[facet.start..<facet.end]
      guard shown.ends(with: "...".utf8) || shown.ends(with: "…".utf8), let address = Bounds.webAddress(facet.link)
      else {
        continue
      }
      whole += bytes[done..<facet.start] + Array(address.utf8)
      done = facet.end
      if whole.count > Bounds.caption { break }
    }
    return String(decoding: whole + bytes[done...], as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with ending: String.UTF8View) -> Bool { suffix(ending.count).elementsEqual(ending) }
}

extension BlueskyAuthor {
  /// The account in the form that all sources share; nil if it has no identity.
  func author(in network: BlueskyNetwork) -> Author? {
    guard let did = Bounds.word(did, bytes: Bounds.line), BlueskyURI.isDID(did) else { return nil }
    // An account whose handle does not lead back to it has none.
    let name = Bounds.word(handle, bytes: Bounds.line).flatMap { Self.isHandle($0) ? $0.lowercased() : nil } ?? did
    return Author(
      uri: did, handle: name, name: Bounds.line(displayName) ?? name, url: "\(network.pages)/profile/\(name)",
      avatarURL: Bounds.webAddress(avatar))
  }

  /// https://atproto.com/specs/handle
  private static func isHandle(_ text: String) -> Bool {
    text != "handle.invalid" && text.contains(".")
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "0123456789.-".utf8.contains(byte)
      }
  }

  /// Who may see the author's posts. The network has no narrower circle.
  var visibility: Visibility { isForMembers ? .local : .public }
}

extension BlueskyFile {
  /// The file in the form that all sources share: its author's own bytes first, then the server's copy.
  func attachment(of did: String, in network: BlueskyNetwork) -> Attachment {
    let name = Bounds.word(cid, bytes: Bounds.id).flatMap { $0.utf8.allSatisfy(Self.isInName) ? $0 : nil }
    let addresses = [name.map { network.file($0, of: did) }, Bounds.webAddress(shown)].compactMap(\.self)
    return Attachment(
      kind: kind, remoteID: name, url: addresses.first, alternateURL: addresses.dropFirst().first,
      previewURL: Bounds.webAddress(preview), alt: Bounds.block(alt), width: pixels(width), height: pixels(height),
      byteCount: byteCount.flatMap { $0 > 0 ? $0 : nil })
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private func pixels(_ number: Double?) -> Int? {
    number.flatMap { (1...1_000_000).contains($0) ? Int($0) : nil }
  }
}

extension BlueskyQuote {
  /// The quote in the form that all sources share; nil if it names no post, but a list or a feed.
  func quotation(in network: BlueskyNetwork) -> Quotation? {
    guard let identity = BlueskyURI(uri) else { return nil }
    if let quoted = post.first, case .success(let post) = quoted.post(in: network) {
      return Quotation(of: post, slice: written)
    }
    return Quotation(uri: identity.text, url: "\(network.pages)/profile/\(identity.did)/post/\(identity.key)")
  }
}

extension BlueskyPost {
  /// Who may see the post of a stored answer.
  static func visibility(of answer: JSONObject) -> Visibility? {
    (answer.object("post") ?? answer).object("author").map { BlueskyAuthor($0).visibility }
  }
}
