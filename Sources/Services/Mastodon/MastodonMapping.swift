import FoundationEssentials
import Markup
import Posts

// Converts posts to the values that all sources share. Every value is untrusted and bounded.

extension MastodonStatus {
  /// The status as an entry of a page of `server`.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    let shown = reblog.first ?? self
    let content: PageItem.Content =
      switch shown.post(on: server) {
      case .success(let post): .post(post)
      case .failure(let why): .unreadable(reason: why.reason)
      }
    var item = PageItem(id: Bounds.word(id, bytes: Bounds.id), content: content, raw: raw)
    if item.post != nil { item.quoted = shown.quote?.quotation(on: server) }
    if !reblog.isEmpty, let by = account?.author(on: server), let at = createdAt ?? shown.createdAt {
      item.repetition = Repetition(by: by, at: at)
    }
    return item
  }
}

/// Why a status is not a post.
struct Unreadable: Error {
  let reason: String
}

extension MastodonStatus {
  /// The status as a post.
  ///
  /// It requires an identity, because otherwise each pull would store it anew, and a date, because an invented one
  /// would misplace it and change with each pull.
  func post(on server: Server) -> Result<Post, Unreadable> {
    let address = Bounds.webAddress(url) ?? Bounds.webAddress(uri)
    guard let identity = Bounds.identity(uri) ?? address else {
      return .failure(Unreadable(reason: "it has neither uri nor url"))
    }
    guard let createdAt else { return .failure(Unreadable(reason: "it has no usable created_at")) }
    let html = content.map { Bounds.verbatim($0, bytes: Bounds.caption) }
    return .success(
      Post(
        source: .mastodon,
        uri: identity,
        url: address,
        original: Bridge.original(ofActivity: identity),
        server: server,
        remoteID: Bounds.word(id, bytes: Bounds.id),
        author: account?.author(on: server),
        createdAt: createdAt,
        editedAt: editedAt,
        caption: caption(of: html, quotes: quote?.quotation(on: server) != nil),
        captionHTML: html,
        warning: Bounds.block(spoilerText) ?? "",
        sensitive: sensitive ?? false,
        language: Bounds.word(language, bytes: 35),
        visibility: visibility,
        tags: tagNames,
        attachments: mediaAttachments?.map(\.attachment) ?? [],
        listsAttachments: mediaAttachments != nil
      )
    )
  }

  /// The text as typed, which servers show, followed by the options of a poll.
  ///
  /// Mastodon removes scripts; snac's API returns the text as typed, tags included. If a quote is stored, the link that
  /// stands for it (Mastodon 4.4) is redundant.
  private func caption(of html: String?, quotes: Bool) -> String {
    let reading: Caption.Options =
      quotes ? [.keepsSpaces, .showsHidden, .leavesOutQuoteFallback] : [.keepsSpaces, .showsHidden]
    return Bounds.caption(Caption.plainText(html: html ?? "", reading), options: options)
  }

  private var tagNames: [String] {
    var seen: Set<String> = []
    return tags.compactMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) }
      .filter { seen.insert($0).inserted }
  }
}

extension MastodonQuote {
  /// The quote in the form that all sources share; nil if it names no post.
  func quotation(on server: Server) -> Quotation? {
    if let quoted = status.first, case .success(let post) = quoted.post(on: server) {
      return Quotation(of: post, slice: written)
    }
    let address = Bounds.webAddress(url) ?? Bounds.webAddress(status.first?.url)
    return (Bounds.identity(status.first?.uri) ?? address).map { Quotation(uri: $0, url: address) }
  }
}

extension MastodonAccount {
  /// The account as an author; nil if it has no name.
  func author(on server: Server) -> Author? {
    guard let handle = handle(on: server) else { return nil }
    let address = Bounds.webAddress(url)
    return Author(
      uri: Bounds.identity(uri) ?? address ?? "acct:\(handle)",
      handle: handle,
      name: Bounds.line(displayName) ?? String(handle.prefix { $0 != "@" }),
      url: address,
      avatarURL: Bounds.webAddress(avatar) ?? Bounds.webAddress(avatarStatic)
    )
  }

  /// `acct`, to which servers add no host for their own users.
  private func handle(on server: Server) -> String? {
    guard let given = Bounds.word(acct, bytes: Bounds.line) ?? Bounds.word(username, bytes: Bounds.line) else {
      return nil
    }
    let bare = given.drop { $0 == "@" }
    if bare.isEmpty || bare.hasSuffix("@") { return nil }
    return bare.contains("@") ? String(bare) : "\(bare)@\(server.host)"
  }
}

extension MastodonAttachment {
  /// The attachment in the form that all sources share.
  var attachment: Attachment {
    let addresses = addresses
    return Attachment(
      kind: kind,
      remoteID: Bounds.word(id, bytes: Bounds.id),
      url: addresses.first,
      alternateURL: addresses.dropFirst().first,
      previewURL: Bounds.webAddress(previewURL),
      alt: Bounds.block(description),
      width: Bounds.pixels(width),
      height: Bounds.pixels(height),
      blurhash: Bounds.blurhash(blurhash)
    )
  }

  /// Mastodon says `unknown` of pictures of other servers that it did not copy, Pleroma and Akkoma of all that their
  /// API has no word for.
  private var kind: Attachment.Kind { .of(name: type, mediaType: mediaType, addresses: addresses) }

  /// The addresses of the original, best first.
  ///
  /// A `/media_proxy/` URL makes the server fetch the original first, at most thirty in ten minutes, so the author's
  /// own server is better.
  private var addresses: [String] {
    let here = Bounds.webAddress(url)
    let there = Bounds.webAddress(remoteURL)
    let isProxied = here.map { Bounds.path(of: $0).starts(with: "/media_proxy/".utf8) } ?? false
    let addresses = (isProxied ? [there, here] : [here, there]).compactMap { $0 }
    return addresses.count == 2 && addresses[0] == addresses[1] ? [addresses[0]] : addresses
  }
}
