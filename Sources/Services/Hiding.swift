import HTTP
import Posts

// Answers are stored as received, pictures are requested and texts are shown. None of them may hold a token that the
// server repeats.

extension [UInt8] {
  /// JSON with `<secret>` in place of each occurrence of the token, escaped ones included.
  func hiding(_ token: Secret?) -> [UInt8] { SecretSearch(token)?.hidden(inJSON: self) ?? self }
}

extension PageItem {
  /// The item without any text or address that holds the secret. Its bytes held none, but a text may once markup and
  /// control characters are removed.
  func hiding(_ search: SecretSearch?) -> PageItem {
    guard let search else { return self }
    var item = self
    if case .post(let post) = content {
      item.content =
        post.isNamed(by: search) ? .unreadable(reason: "its identity holds the token") : .post(post.hiding(search))
    }
    item.id = search.passing(id)
    item.repetition?.by.hide(search)
    item.quoted = item.post == nil ? nil : quoted?.hiding(search)
    return item
  }
}

extension Quotation {
  /// Returns nil if its identity holds the secret.
  fileprivate func hiding(_ search: SecretSearch) -> Quotation? {
    guard !search.isPart(of: uri), post?.isNamed(by: search) != true else { return nil }
    var quotation = self
    quotation.url = search.passing(url)
    quotation.post = post?.hiding(search)
    return quotation
  }
}

extension Post {
  /// Whether one of its names holds the secret.
  fileprivate func isNamed(by search: SecretSearch) -> Bool {
    [uri, remoteID].compactMap(\.self).contains(where: search.isPart)
  }

  fileprivate func hiding(_ search: SecretSearch) -> Post {
    var post = self
    post.url = search.passing(url)
    post.title = title.map(search.hidden)
    post.caption = search.hidden(in: caption)
    post.captionHTML = captionHTML.map(search.hidden)
    post.warning = search.hidden(in: warning)
    post.language = search.passing(language)
    post.tags.removeAll(where: search.isPart)
    post.author?.hide(search)
    post.attachments = attachments.map { $0.hiding(search) }
    return post
  }
}

extension Author {
  fileprivate mutating func hide(_ search: SecretSearch) {
    (uri, handle, name) = (search.hidden(in: uri), search.hidden(in: handle), search.hidden(in: name))
    (url, avatarURL) = (search.passing(url), search.passing(avatarURL))
  }
}

extension Attachment {
  fileprivate func hiding(_ search: SecretSearch) -> Attachment {
    var attachment = self
    attachment.remoteID = search.passing(remoteID)
    attachment.url = search.passing(url)
    attachment.alternateURL = search.passing(alternateURL)
    attachment.previewURL = search.passing(previewURL)
    attachment.alt = alt.map(search.hidden)
    attachment.blurhash = search.passing(blurhash)
    return attachment
  }
}

extension SecretSearch {
  /// The text; nil if it holds the secret.
  fileprivate func passing(_ text: String?) -> String? { text.flatMap { isPart(of: $0) ? nil : $0 } }
}
