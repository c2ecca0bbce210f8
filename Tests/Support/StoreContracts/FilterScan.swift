import Blobs
import Filters
import Foundation
import Posts
import PropertyTesting
import Storage

/// All posts of a library with what is known of them, read without any filter.
struct FilterScan {
  static let now = noon + 3600
  private static let utc = TimeZone(identifier: "UTC")!

  private let posts: [StoredPost]
  /// The feeds that brought a post, by its identity.
  private var feeds: [String: Set<String>] = [:]
  private var hidden: [HiddenName] = []

  init(filling library: NewLibrary, _ dice: inout Dice) throws {
    for feed in [cats, dogs] {
      let numbers = (0..<40).filter { _ in dice.below(3) > 0 }.reversed()
      // A post is the same in both feeds.
      let posts = numbers.map { number in
        var own = Dice(state: UInt64(number) &* 31 &+ 5)
        return Self.post(number, &own)
      }
      for post in posts { feeds[post.uri, default: []].insert(feed.name) }
      try library.pull(posts, of: feed)
    }
    try library.enter("alpha by hand", from: noon - 60, to: noon, tags: ["dogs"])
    try library.enter("beta to come", from: Self.now + 600, to: Self.now + 1200)
    let ids = try library.store.posts(PostQuery(limit: nil)).map(\.id)
    try library.store.delete(ids.filter { _ in dice.below(6) == 0 }, now: noon)
    try library.store.createAlbum("Winter", by: MarksContract.person, now: noon)
    for id in ids where dice.below(2) == 0 {
      let marks: [Mark] = [
        .favourite(dice.below(2) == 0), .rating(dice.below(6)), .seen(dice.below(2) == 0),
        .note(["alpha", "beta alphabet", ""].randomElement(using: &dice)!),
        .ownTag(["print", "scan"].randomElement(using: &dice)!), .hidden(dice.below(4) == 0),
      ]
      try library.store.mark([id], marks.filter { _ in dice.below(2) == 0 }, by: MarksContract.person, now: noon)
      if dice.below(3) == 0 { try library.store.add([id], toAlbum: "Winter", by: MarksContract.person, now: noon) }
    }
    for task in try library.store.pictures(ofPosts: ids, now: noon) where dice.below(2) == 0 {
      let bytes = dice.below(50)
      let blob = StoredBlob(id: BlobID(hashing: Array("\(bytes)".utf8)), byteCount: bytes)
      try library.store.attach([(task, blob)], now: noon)
    }
    hidden = [.tag("dogs"), .author("bob@social.example")].filter { _ in dice.below(3) == 0 }
    try library.store.hide([], hidden, by: MarksContract.person, now: noon)
    var query = PostQuery(limit: nil)
    query.deleted = .included
    posts = try library.other.posts(query)
  }

  private static func post(_ number: Int, _ dice: inout Dice) -> Post {
    let kinds: [Attachment.Kind] = [.image, .image, .video, .gifv, .audio, .file]
    var made = StoreContracts.post(
      number, tags: [["cats"], ["dogs"], ["cats", "dogs"], []].randomElement(using: &dice)!)
    made.caption = (0..<dice.below(3) + 1).map { _ in ["alpha", "beta", "alphabet", "x"].randomElement(using: &dice)! }
      .joined(separator: " ")
    if dice.below(2) == 0 {
      made.author = Author(uri: "https://social.example/users/bob", handle: "bob@social.example", name: "Bob")
    }
    made.createdAt += Double(dice.below(3)) * 43_200
    made.sensitive = dice.below(4) == 0
    made.language = [nil, "de", "de-AT", "den", "en"].randomElement(using: &dice)!
    made.visibility = [nil, .public, .unlisted, .followers, .direct].randomElement(using: &dice)!
    if dice.below(4) == 0 { made.editedAt = made.createdAt + 60 }
    made.attachments = (0..<dice.below(3)).map { index in
      Attachment(
        kind: kinds.randomElement(using: &dice)!, url: "https://files.example/\(number)-\(index)",
        alt: [nil, "", "described"].randomElement(using: &dice)!,
        width: [nil, 400, 800].randomElement(using: &dice)!, height: [nil, 400, 900].randomElement(using: &dice)!)
    }
    return made
  }

  /// Lists, counts and months of the filter are those of the posts that match by themselves.
  func check(_ filter: Filter, in library: NewLibrary) throws {
    let list = list(filter)
    let wanted = sorted(posts.filter { isListed($0, by: filter) && matches($0, filter) }, by: filter.order).map(\.id)
    let window = try library.other.window(list, around: nil, before: 0, after: 200)
    let months = try library.other.months(of: list, in: Self.utc).reduce(0) { $0 + $1.count }
    guard window.rows.map(\.post.id) == wanted, window.total == .exactly(wanted.count), months == wanted.count else {
      throw BrokenClaim(
        description: "\(filter): \(window.rows.map(\.post.id)) \(window.total) \(months) instead of \(wanted)")
    }
    // What a command changes by a filter.
    let members = try library.other.members(of: list).ranges.joined().map(Int64.init)
    guard members == wanted.sorted() else {
      throw BrokenClaim(description: "\(filter) changes \(members), not \(wanted)")
    }
  }

  /// The same list is read in parts, forwards and backwards, from any of its rows, and as a stream.
  func checkParts(_ filter: Filter, in library: NewLibrary) throws {
    let list = list(filter)
    let whole = try library.other.window(list, around: nil, before: 0, after: 200).rows
    try expect(
      Set(whole.map(\.post.id)), Set(posts.filter { isListed($0, by: filter) && matches($0, filter) }.map(\.id)))
    for (index, row) in whole.enumerated() {
      let part = try library.other.window(list, around: row.key, before: 3, after: 4).rows
      try expect(part, Array(whole[max(index - 3, 0)..<min(index + 4, whole.count)]))
      try expect(try library.other.key(ofPost: row.post.id, on: list), row.key)
    }
    var query = PostQuery(limit: nil)
    (query.filter, query.planned, query.hidden) = (list.filter, list.planned, list.hidden)
    var streamed: [Int64] = []
    try library.other.eachPost(query) { streamed.append($0.id) }
    try expect(streamed, whole.map(\.post.id))
    query.before = whole.first?.post.id
    try expect(try library.other.posts(query).map(\.id), Array(streamed.dropFirst()))
  }

  /// A saved search has its order.
  func checkSaved(_ name: String, _ filter: Filter, in library: NewLibrary) throws {
    let saved = try library.other.window(list(.term(.init(.saved, [.word(name)]))), around: nil, before: 0, after: 200)
    try expect(
      saved.rows.map(\.key), try library.other.window(list(filter), around: nil, before: 0, after: 200).rows.map(\.key))
  }

  private func list(_ filter: Filter) -> PostListQuery {
    var list = PostListQuery()
    list.filter = PostFilter(filter, now: Self.now, zone: Self.utc, searchesNotes: true)
    return list.listed(at: Self.now)
  }

  /// Posts that stand newest first, in another order.
  private func sorted(_ posts: [StoredPost], by order: String?) -> [StoredPost] {
    func rank(_ post: StoredPost) -> Int {
      switch order {
      case "rating": -post.marks.rating
      case "size": -(post.attachments.compactMap(\.byteCount).max() ?? 0)
      default: 0
      }
    }
    if order == "oldest" { return posts.reversed() }
    // Swift's sort is stable, but does not promise it.
    return posts.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
  }

  /// Whether a list has posts of this state at all.
  private func isListed(_ post: StoredPost, by filter: Filter) -> Bool {
    func names(_ state: String) -> Bool { filter.terms.contains { $0.key == .is && $0.values.contains(.word(state)) } }
    if post.isDeleted, !names("deleted") { return false }
    if isHidden(post), !names("hidden") { return false }
    return Self.seeksPlanned(filter) || !(post.isManual && post.createdAt > Self.now)
  }

  /// Whether words, times that end, or states that lists leave out are asked for, not only denied.
  private static func seeksPlanned(_ filter: Filter) -> Bool {
    switch filter {
    case .all(let parts), .any(let parts): parts.contains(where: seeksPlanned)
    case .not: false
    case .words: true
    case .term(let term):
      term.key == .before || term.key == .on
        || term.key == .is && !Set(term.values).isDisjoint(with: [.word("planned"), .word("deleted")])
    }
  }

  private func isHidden(_ post: StoredPost) -> Bool {
    post.marks.isHidden
      || hidden.contains { name in
        switch name {
        case .tag(let tag): post.tags.contains(tag) || brought(post, by: ["tag:\(tag)@social.example"])
        case .author(let handle): post.author?.handle == handle
        }
      }
  }

  private func matches(_ post: StoredPost, _ filter: Filter) -> Bool {
    switch filter {
    case .all(let parts):
      // Words that no index holds ask for nothing, unless nothing else is asked for in words.
      let words = parts.filter { if case .words = $0 { true } else { false } }
      if !words.isEmpty, words.allSatisfy({ isSilent($0) }) { return false }
      return parts.allSatisfy { isSilent($0) || matches(post, $0) }
    case .any(let parts): return parts.contains { matches(post, $0) }
    case .not(let inner): return !matches(post, inner)
    case .words(let words):
      return !isSilent(filter) && [post.caption, post.marks.note ?? ""].contains { found(words, in: $0) }
    case .term(let term): return term.values.contains { matches(post, term.key, $0) }
    }
  }

  private func isSilent(_ filter: Filter) -> Bool {
    if case .words(let words) = filter { !words.text.contains(where: \.isLetter) } else { false }
  }

  private func found(_ words: Filter.Words, in caption: String) -> Bool {
    let (wanted, there) = (words.text.split(separator: " "), caption.split(separator: " "))
    return there.indices.contains { start in
      let part = there[start...].prefix(wanted.count)
      guard part.count == wanted.count, let last = part.last else { return false }
      return part.dropLast().elementsEqual(wanted.dropLast())
        && (words.isPrefix ? last.hasPrefix(wanted[wanted.count - 1]) : last == wanted[wanted.count - 1])
    }
  }

  private func matches(_ post: StoredPost, _ key: FilterKey, _ value: FilterValue) -> Bool {
    switch value {
    case .word(let word): return matches(post, key, word)
    case .number(let comparison, let number): return matches(post, key, comparison, number)
    case .area: return false
    case .date(let date):
      let parts = [date.year, date.month, date.day].compactMap(\.self)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = Self.utc
      let found = calendar.dateComponents([.year, .month, .day], from: post.createdAt)
      let written = [found.year!, found.month!, found.day!].prefix(parts.count)
      return switch key {
      case .since: !written.lexicographicallyPrecedes(parts)
      case .before: written.lexicographicallyPrecedes(parts)
      default: written.elementsEqual(parts)
      }
    }
  }

  private func matches(_ post: StoredPost, _ key: FilterKey, _ word: String) -> Bool {
    let kinds = post.attachments.map(\.kind)
    switch key {
    case .tag: return post.tags.contains(word) || brought(post, by: ["tag:\(word)@social.example"])
    case .by: return post.author.map { $0.handle == word || $0.handle.hasPrefix("\(word)@") } ?? false
    case .feed: return brought(post, by: [word])
    case .source: return post.source.rawValue == word
    case .server: return post.server == word || post.server == "https://\(word)"
    case .lang:
      return post.language.map {
        $0.lowercased() == word.lowercased() || $0.lowercased().hasPrefix(word.lowercased() + "-")
      }
        ?? false
    case .kind: return kinds.contains { $0.rawValue == word }
    case .ratio: return post.attachments.contains { Self.ratio($0) == word }
    case .visibility: return post.visibility?.rawValue == word
    case .own: return post.marks.ownTags.contains(word)
    case .album: return post.marks.albums.contains { $0.lowercased() == word }
    case .has where word == "note": return post.marks.note != nil
    case .has where word == "alt": return post.attachments.contains { $0.alt?.isEmpty == false }
    case .has:
      return kinds.contains { $0.rawValue == (word == "picture" ? "image" : word) || $0 == .gifv && word == "video" }
    case .is:
      return switch word {
      case "deleted": post.isDeleted
      case "edited": post.editedAt != nil || post.revisionCount > 0
      case "manual": post.isManual
      case "planned": post.isManual && post.createdAt > Self.now
      case "private": post.visibility.map { ![.public, .unlisted].contains($0) } ?? false
      case "sensitive": post.sensitive
      case "favourite": post.marks.isFavourite
      case "hidden": isHidden(post)
      case "seen": post.marks.seenAt != nil
      case "unseen": post.marks.seenAt == nil
      default: false
      }
    case .sort: return true
    default: return false
    }
  }

  private func brought(_ post: StoredPost, by names: Set<String>) -> Bool {
    !names.isDisjoint(with: feeds[post.uri] ?? [])
  }

  private static func ratio(_ file: StoredAttachment) -> String? {
    guard let width = file.width, let height = file.height else { return nil }
    return width > height ? "landscape" : width < height ? "portrait" : "square"
  }

  private func matches(
    _ post: StoredPost, _ key: FilterKey, _ comparison: FilterValue.Comparison, _ number: Int64
  ) -> Bool {
    func holds(_ one: Double, _ other: Double) -> Bool {
      switch comparison {
      case .less: one < other
      case .atMost: one <= other
      case .equal: one == other
      case .atLeast: one >= other
      case .more: one > other
      }
    }
    let other = Double(number)
    switch key {
    case .width: return post.attachments.contains { $0.width.map { holds(Double($0), other) } ?? false }
    case .height: return post.attachments.contains { $0.height.map { holds(Double($0), other) } ?? false }
    case .rating: return holds(Double(post.marks.rating), other)
    case .stored: return holds(Self.now.timeIntervalSince(post.storedAt), other)
    default: return false
    }
  }
}
