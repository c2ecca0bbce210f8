import FoundationEssentials
import HTTP
import Posts

// Converts notes to the values that all sources share. Every value is untrusted and bounded.

extension MisskeyNote {
  /// The note as an entry of a page of `server`. A boost is the note that it repeats, with who repeated it.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    let shown = isBoost ? other.first : self
    let content: PageItem.Content =
      switch shown?.post(on: server) {
      case .success(let post)?: .post(post)
      case .failure(let why)?: .unreadable(reason: why.reason)
      case nil: .unreadable(reason: "it repeats a note that is not shown")
      }
    var item = PageItem(id: Bounds.word(id, bytes: Bounds.id), content: content, raw: raw)
    if item.post != nil { item.quoted = shown?.quotation(on: server) }
    if isBoost, let by = user?.author(on: server), let createdAt { item.repetition = Repetition(by: by, at: createdAt) }
    return item
  }

  /// The note as a post.
  ///
  /// A note whose text is left out is none: it would replace what somebody with a login has stored.
  private func post(on server: Server) -> Result<Post, Unreadable> {
    if isHidden { return .failure(Unreadable(reason: "its author does not show it to everybody")) }
    guard let id = Bounds.word(id, bytes: Bounds.id) else { return .failure(Unreadable(reason: "it has no id")) }
    guard let createdAt else { return .failure(Unreadable(reason: "it has no usable createdAt")) }
    let page = "\(server.origin)/notes/\(Request.percentEncoded(id))"
    let remote = Bounds.identity(uri)
    return .success(
      Post(
        source: SourceDescriptor.misskey.network,
        uri: remote ?? page,
        url: remote == nil ? page : Bounds.webAddress(url) ?? Bounds.webAddress(uri) ?? page,
        original: remote.flatMap { Bridge.original(ofActivity: $0) },
        server: server,
        remoteID: id,
        author: user?.author(on: server),
        createdAt: createdAt,
        editedAt: updatedAt.flatMap { $0 > createdAt ? $0 : nil },
        caption: Bounds.caption(Bounds.block(MFM.plainText(text), bytes: Bounds.caption) ?? "", options: choices),
        warning: Bounds.block(MFM.plainText(warning)) ?? "",
        // A warning hides the files, too, even if it is empty.
        sensitive: warning != nil || files?.contains(where: \.isSensitive) == true,
        language: Bounds.word(language, bytes: 35),
        visibility: visibility,
        tags: tagNames,
        attachments: files?.map(\.attachment) ?? [],
        listsAttachments: files != nil
      )
    )
  }

  private func quotation(on server: Server) -> Quotation? {
    guard !isBoost, case .success(let post)? = other.first?.post(on: server) else { return nil }
    return Quotation(of: post, slice: written)
  }

  private var tagNames: [String] {
    var seen: Set<String> = []
    return tags.compactMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) }.filter { seen.insert($0).inserted }
  }
}

extension MisskeyUser {
  /// The user as an author; nil if there is no name.
  func author(on server: Server) -> Author? {
    guard let name = Bounds.word(username, bytes: Bounds.line), !name.contains("@") else { return nil }
    let home = Bounds.word(host, bytes: Bounds.line)
    let handle = "\(name)@\(home ?? server.host)"
    let (account, id) = ("acct:\(handle)", Bounds.word(id, bytes: Bounds.id))
    return Author(
      // Of an author of another server, a note does not tell the identity.
      uri: home == nil ? id.map { "\(server.origin)/users/\(Request.percentEncoded($0))" } ?? account : account,
      handle: handle,
      name: Bounds.line(self.name) ?? name,
      url: Bounds.webAddress("\(server.origin)/@\(name)\(home.map { "@\($0)" } ?? "")"),
      avatarURL: Bounds.webAddress(avatarURL)
    )
  }
}

extension MisskeyFile {
  /// The file in the form that all sources share.
  var attachment: Attachment {
    let addresses = addresses
    return Attachment(
      kind: .of(name: nil, mediaType: type, addresses: addresses),
      remoteID: Bounds.word(id, bytes: Bounds.id),
      url: addresses.first,
      alternateURL: addresses.dropFirst().first,
      previewURL: Bounds.webAddress(thumbnailURL),
      alt: Bounds.block(comment),
      width: Bounds.pixels(width),
      height: Bounds.pixels(height),
      blurhash: Bounds.blurhash(blurhash),
      name: name.flatMap(Attachment.name(ofFile:)),
      byteCount: byteCount
    )
  }

  /// The addresses of the original, best first. A server may show files of others through a proxy, which makes a smaller
  /// WebP of each: `/proxy/image.webp?url=…` names the original.
  private var addresses: [String] {
    guard let shown = Bounds.webAddress(url) else { return [] }
    guard let there = Bounds.original(of: shown, behindAnyOf: ["/image.webp"]) else { return [shown] }
    return [there, shown]
  }
}
