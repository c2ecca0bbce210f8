import FoundationEssentials
import Posts

// Converts posts to the values that all sources share. Every value is untrusted and bounded.

extension InstagramMedia {
  /// The post as an entry of a page of `server`.
  ///
  /// It requires a date and an identity: the link, which is the same on every server, else the server's number, because
  /// posts shown only to friends had no link.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    let id = Bounds.word(id, bytes: Bounds.id)
    let address = Bounds.webAddress(link)
    guard let identity = address.map(Self.identity) ?? Self.identity(of: id, on: server) else {
      return PageItem(id: id, content: .unreadable(reason: "it has neither link nor id"), raw: raw)
    }
    guard let date = createdAt ?? caption?.createdAt else {
      return PageItem(id: id, content: .unreadable(reason: "it has no usable created_time"), raw: raw)
    }
    let post = Post(
      source: .instagram, uri: identity, url: address, server: server, remoteID: id,
      author: user?.author(on: server), createdAt: date,
      caption: Bounds.block(caption?.text, bytes: Bounds.caption) ?? "", visibility: user?.visibility, tags: tagNames,
      attachments: attachments(id))
    return PageItem(id: id, content: .post(post), raw: raw)
  }

  /// The link with one scheme, without `www.`, query and trailing slash, so that it is the same over time.
  static func identity(_ link: String) -> String {
    "https://\(WebIdentity.key(of: String(link.prefix { $0 != "?" && $0 != "#" })))"
  }

  /// The number as an identity.
  static func identity(of id: String?, on server: Server) -> String? {
    Bounds.identity(id.map { "\(server.origin)/media/\($0)" })
  }

  private var tagNames: [String] {
    var seen: Set<String> = []
    return tags.compactMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) }.filter { seen.insert($0).inserted }
  }

  private func attachments(_ id: String?) -> [Attachment] {
    if carousel.isEmpty { return [files.attachment(id)].compactMap { $0 } }
    return carousel.enumerated().compactMap { number, files in files.attachment(id.map { "\($0)/\(number + 1)" }) }
  }
}

extension InstagramUser {
  /// The user as an author; nil if they have no name.
  func author(on server: Server) -> Author? {
    guard let name = Bounds.word(username, bytes: Bounds.line) else { return nil }
    let handle = "\(name)@\(server.host)"
    let parts = [firstName, lastName].compactMap { Bounds.line($0) }
    let spoken = Bounds.line(fullName) ?? (parts.isEmpty ? nil : parts.joined(separator: " "))
    // An empty name means that there is none. A missing one means nothing.
    return Author(
      uri: "acct:\(handle)", handle: handle, name: spoken ?? name, avatarURL: Bounds.webAddress(picture),
      isNamed: spoken != nil || fullName != nil)
  }
}

extension InstagramFiles {
  /// The largest size, a video before its preview picture; nil if no address is valid.
  func attachment(_ id: String?) -> Attachment? {
    let film = type == "image" ? nil : videos?.largest
    let still = images?.largest
    guard let file = film ?? still else { return nil }
    let preview = film == nil ? images?.smaller : still
    return Attachment(
      kind: film == nil ? .image : .video, remoteID: id, url: file.address,
      previewURL: preview.flatMap { $0.address == file.address ? nil : $0.address },
      width: Bounds.pixels(file.width), height: Bounds.pixels(file.height))
  }
}

extension InstagramSizes {
  private var usable: [InstagramFile] { [high, standard, low, small].compactMap { $0 }.filter { $0.address != nil } }

  /// The size with the most pixels, or, if they are unknown, the one named the largest.
  var largest: InstagramFile? {
    usable.dropFirst().reduce(usable.first) { best, file in
      file.area > (best?.area ?? 0) && (best?.area ?? 0) > 0 ? file : best
    }
  }

  /// The preview size.
  var smaller: InstagramFile? { [low, small].compactMap { $0 }.first { $0.address != nil } }
}

extension InstagramFile {
  /// Its address.
  var address: String? { Bounds.webAddress(url) }

  /// Its pixels; 0 if unknown.
  var area: Int { (Bounds.pixels(width) ?? 0) * (Bounds.pixels(height) ?? 0) }
}
