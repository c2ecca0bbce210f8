import FoundationEssentials
import Posts

// Converts posts of either API to the values that all sources share. Every value is untrusted and bounded.

extension XTweet {
  /// The post as an entry of a page of `server`. If it repeats a post in the same answer, the entry is that post.
  func pageItem(with includes: XIncludes, on server: Server, raw: [UInt8]) -> PageItem {
    let own = post(with: includes)
    guard let (original, slice) = repeated.flatMap({ includes.posts[$0] }) else {
      var item = own.pageItem(on: server, raw: raw)
      item.quoted = quotation(with: includes, on: server)
      return item
    }
    var item = own.repeating(original.post(with: includes).pageItem(on: server, raw: Array(slice)), on: server)
    item.quoted = original.quotation(with: includes, on: server)
    return item
  }

  private func quotation(with includes: XIncludes, on server: Server) -> Quotation? {
    guard let quoted else { return nil }
    guard let (post, slice) = includes.posts[quoted] else { return XPost(id: quoted).quotation(on: server, slice: []) }
    return post.post(with: includes).quotation(on: server, slice: slice)
  }
}

extension XPost {
  /// The post as a quoted post. Without its text it is only named.
  func quotation(on server: Server, slice: ArraySlice<UInt8>) -> Quotation? {
    guard let post = post(on: server) else { return nil }
    return slice.isEmpty ? Quotation(uri: post.uri, url: post.url) : Quotation(of: post, slice: slice)
  }

  /// The entry of a page in which this post repeats another.
  func repeating(_ original: PageItem, on server: Server) -> PageItem {
    var item = original
    item.id = id.flatMap { XPost.number($0) == nil ? nil : $0 }
    if let by = author?.author(on: server), let at = createdAt ?? item.post?.createdAt {
      item.repetition = Repetition(by: by, at: at)
    }
    return item
  }

  /// The post as an entry of a page of `server`. It requires an id, which is its identity, and a date, which newer ids
  /// contain.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    let id = id.flatMap { XPost.number($0) == nil ? nil : $0 }
    guard let post = post(on: server) else {
      let lack = id == nil ? "id" : "created_at"
      return PageItem(id: id, content: .unreadable(reason: "it has no usable \(lack)"), raw: raw)
    }
    return PageItem(id: id, content: .post(post), raw: raw)
  }

  /// The post; nil if it lacks an id or a date.
  ///
  /// An edit is a separate post with a new id. All versions share the first one's id, which also gives the date of
  /// writing: `created_at` is the date of the edit.
  func post(on server: Server) -> Post? {
    guard let id, XPost.number(id) != nil, let createdAt = createdAt ?? XPost.moment(of: id) else { return nil }
    let first = versions.first.flatMap { XPost.number($0) == nil ? nil : $0 } ?? id
    let home = server.isX ? "https://x.com" : server.origin
    let writer = author?.author(on: server)
    let isEdited = first != id
    let isDated = self.createdAt != nil
    let written = isEdited ? XPost.moment(of: first) ?? createdAt : createdAt
    return Post(
      source: .x, uri: "\(home)/i/status/\(first)",
      url: "\(home)/\(author?.pathName.map { "\($0)/status" } ?? "i/web/status")/\(id)", server: server, remoteID: id,
      author: writer, createdAt: min(written, createdAt), isDated: isDated, editedAt: isEdited ? createdAt : nil,
      caption: XText.plain(text ?? "", links: links), sensitive: sensitive ?? false, language: spokenLanguage,
      visibility: author?.visibility, tags: tagNames,
      attachments: files.prefix(Bounds.attachments).compactMap(\.attachment),
      listsAttachments: listsFiles)
  }

  /// Ids are 64-bit integers.
  static func number(_ id: String) -> UInt64? {
    id.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(id) : nil
  }

  /// The date in an id. Since November 2010 ids hold milliseconds from X's own epoch, shifted left by 22 bits.
  private static func moment(of id: String) -> Date? {
    guard let number = number(id), number > 30_000_000_000 else { return nil }
    return Date(timeIntervalSince1970: Double((number >> 22) + 1_288_834_974_657) / 1000)
  }

  /// `und`, `zxx` and codes that begin with q are not languages.
  private var spokenLanguage: String? {
    guard let language, language != "und", language != "zxx", language.count == 2 || language.first != "q" else {
      return nil
    }
    return Bounds.word(language, bytes: 35)
  }

  private var tagNames: [String] {
    var seen: Set<String> = []
    return tags.compactMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) }.filter { seen.insert($0).inserted }
  }
}

extension XUser {
  /// The name as used in addresses; nil for anything but letters, digits and underscores.
  var pathName: String? {
    guard let name, (1...64).contains(name.utf8.count) else { return nil }
    return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } ? name : nil
  }

  /// The user as an author; nil if they have no name. Their number identifies them, because people rename themselves.
  func author(on server: Server) -> Author? {
    guard let name = pathName else { return nil }
    let home = server.isX ? "https://x.com" : server.origin
    let handle = "\(name)@\(server.isX ? "x.com" : server.host)"
    let number = id.flatMap { XPost.number($0) == nil ? nil : "\(home)/i/user/\($0)" }
    // The small picture is 48 pixels wide.
    let picture = Bounds.webAddress(picture)?.replacing("_normal.", with: "_400x400.")
    return Author(
      uri: number ?? "acct:\(handle)", handle: handle, name: Bounds.line(spokenName) ?? name, url: "\(home)/\(name)",
      avatarURL: picture)
  }
}

extension XFile {
  /// The file in the form that all sources share; nil if it has no address.
  var attachment: Attachment? {
    let film = kind == .image ? nil : best
    let still = Bounds.webAddress(kind == .image ? url : preview)
    guard let address = film ?? (kind == .image ? still : nil) ?? still else { return nil }
    let isPhoto = film == nil && address == still
    return Attachment(
      kind: film == nil ? .image : kind, remoteID: number,
      url: isPhoto ? XFile.sized(address, "orig") ?? address : address,
      alternateURL: isPhoto && XFile.sized(address, "orig") != nil ? address : nil,
      previewURL: isPhoto ? XFile.sized(address, "small") : still, alt: Bounds.block(alt), width: Bounds.pixels(width),
      height: Bounds.pixels(height))
  }

  private var kind: Attachment.Kind {
    switch type {
    case "video": .video
    case "animated_gif": .gifv
    default: .image
    }
  }

  /// The mp4 with the highest bit rate. Playlists do not count.
  private var best: String? {
    let usable = films.filter { $0.type == "video/mp4" && Bounds.webAddress($0.url) != nil }
    return usable.max { ($0.rate ?? 0) < ($1.rate ?? 0) }.flatMap { Bounds.webAddress($0.url) }
  }

  /// The newer API writes the kind before the number: `3_1136048014974423040`.
  private var number: String? { Bounds.word(id?.split(separator: "_").last.map(String.init), bytes: Bounds.id) }

  /// X's own picture host offers each picture in several sizes.
  private static func sized(_ address: String, _ size: String) -> String? {
    guard WebIdentity.host(of: address) == "pbs.twimg.com", !address.contains("?") else { return nil }
    return "\(address)?name=\(size)"
  }
}
