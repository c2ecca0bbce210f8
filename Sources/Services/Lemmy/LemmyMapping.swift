import FoundationEssentials
import HTTP
import Posts

// Converts posts to the values that all sources share. Every value is untrusted and bounded.

extension LemmyPost {
  /// The post as an entry of a page of `server`.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    let content: PageItem.Content =
      switch post(on: server) {
      case .success(let post): .post(post)
      case .failure(let why): .unreadable(reason: why.reason)
      }
    return PageItem(id: Bounds.word(id, bytes: Bounds.id), content: content, raw: raw)
  }

  /// The post in the form that all sources share.
  ///
  /// What is left of a post that is gone is none: it would replace what is stored.
  private func post(on server: Server) -> Result<Post, Unreadable> {
    if isGone { return .failure(Unreadable(reason: "its author deleted it, or a moderator removed it")) }
    guard let id = Bounds.word(id, bytes: Bounds.id) else { return .failure(Unreadable(reason: "it has no id")) }
    guard let createdAt else { return .failure(Unreadable(reason: "it has no usable date")) }
    let page = "\(server.origin)/post/\(Request.percentEncoded(id))"
    let markdown = Markdown(body)
    let file = file
    return .success(
      Post(
        source: SourceDescriptor.lemmy.network, uri: Bounds.identity(uri) ?? page, url: Bounds.webAddress(uri) ?? page,
        server: server,
        remoteID: id, author: author?.author(on: server), createdAt: createdAt,
        editedAt: updatedAt.flatMap { $0 > createdAt ? $0 : nil }, title: Bounds.line(title),
        caption: caption(markdown.text, beside: file), sensitive: isSensitive,
        language: language.flatMap(Self.language), visibility: visibility, tags: tagNames(in: markdown.text),
        attachments: Self.files(file, markdown.pictures)))
  }

  /// The text, the address of a page that it does not name, and the choices of a poll.
  private func caption(_ text: String, beside file: Attachment?) -> String {
    let isFile = file != nil && file?.url == Self.originals(of: url).first
    let link = isFile ? nil : Bounds.webAddress(url).flatMap { text.contains($0) ? nil : $0 }
    let whole = [Bounds.block(text, bytes: Bounds.caption), link].compactMap(\.self).joined(separator: "\n\n")
    return Bounds.caption(whole, options: choices)
  }

  /// The tags in the title and in the text, then those beside them.
  private func tagNames(in text: String) -> [String] {
    var seen: Set<String> = []
    let written = [Bounds.line(title) ?? "", text].flatMap(Markdown.tags)
    return (written + tags.compactMap { Bounds.line($0) }).prefix(Bounds.tags).map(Feed.tagName)
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  // MARK: Files

  /// The post's own file, then the pictures in its text.
  private static func files(_ file: Attachment?, _ pictures: [Markdown.Picture]) -> [Attachment] {
    var files = [file].compactMap(\.self)
    var known = Set(files.compactMap(\.url))
    for picture in pictures.prefix(Bounds.attachments - 1) {
      let addresses = originals(of: picture.address)
      guard let address = addresses.first, known.insert(address).inserted else { continue }
      files.append(
        Attachment(
          kind: .image, url: address, alternateURL: addresses.dropFirst().first, alt: Bounds.block(picture.alt)))
    }
    return files
  }

  /// The file that the post shows; nil if it leads to a page. The thumbnail of a page is not the post's picture.
  private var file: Attachment? {
    let own = Self.file(at: url, mediaType: mediaType, kind: kind) ?? Self.file(at: videoURL)
    guard var file = own, let address = file.url else { return nil }
    file.alt = Bounds.block(alt)
    let preview = Bounds.webAddress(thumbnailURL)
    file.previewURL = preview == address ? nil : preview
    if let size, size.address == nil || size.address == address || size.address == file.alternateURL {
      (file.width, file.height) = (Bounds.pixels(size.width), Bounds.pixels(size.height))
      file.blurhash = Bounds.blurhash(size.blurhash)
    }
    return file
  }

  /// The file at an address; nil if there is a page. Pages, too, may have the ending of a picture.
  private static func file(at address: String?, mediaType: String? = nil, kind: String? = nil) -> Attachment? {
    let addresses = originals(of: address)
    guard let first = addresses.first else { return nil }
    let isImage = kind == "Image"
    let found = Attachment.Kind.of(name: isImage ? "image" : nil, mediaType: mediaType, addresses: addresses)
    let isPage = mediaType.map { Attachment.Kind.of(name: nil, mediaType: $0, addresses: []) == .file } ?? false
    guard found != .file, isImage || !isPage else { return nil }
    return Attachment(kind: found, url: first, alternateURL: addresses.dropFirst().first)
  }

  /// The addresses of a picture's original, best first. A server may show those of others through a proxy, and its own in
  /// another size and format by parameters: `/pictrs/image/ID.png?format=webp&thumbnail=256`.
  private static func originals(of address: String?) -> [String] {
    guard let shown = Bounds.webAddress(address) else { return [] }
    if let there = Bounds.original(of: shown, behindAnyOf: ["/image_proxy", "/image/proxy"]) { return [there, shown] }
    guard let query = shown.firstIndex(of: "?"), shown[..<query].contains("/pictrs/image/") else { return [shown] }
    return [String(shown[..<query]), shown]
  }
}

extension LemmyPerson {
  /// The account as an author; nil if there is no name. Its host is that of its address.
  func author(on server: Server) -> Author? {
    guard let name = Bounds.word(name, bytes: Bounds.line), !name.contains("@") else { return nil }
    let address = Bounds.webAddress(uri)
    let home = address.map { String($0.dropFirst($0.hasPrefix("https") ? 8 : 7).prefix { !"/?#".contains($0) }) }
    let handle = "\(name)@\(home ?? server.host)"
    return Author(
      uri: Bounds.identity(uri) ?? "acct:\(handle)", handle: handle, name: Bounds.line(displayName) ?? name,
      url: address ?? Bounds.webAddress("\(server.origin)/u/\(Request.percentEncoded(name))"),
      avatarURL: Bounds.webAddress(avatarURL))
  }
}

extension LemmyPost {
  /// The language of a number, which is the same at every server of Lemmy: its place in this list (`language` in
  /// https://github.com/LemmyNet/lemmy/tree/main/migrations). Returns nil for 0, which is none.
  private static func language(_ number: Int) -> String? {
    languages.indices.contains(number - 1) ? String(languages[number - 1]) : nil
  }

  private static let languages = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et \
    eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk \
    kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny \
    oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk \
    tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split(separator: " ")
}
