import FoundationEssentials
import Posts

// Converts posts to the values that all sources share. Every value is untrusted and bounded.

extension TumblrPost {
  /// The post as an item of a page. A reblog is its blog's own post, with what it reblogs below: the answer lacks too much of
  /// the reblogged post, such as its tags, to stand for it. Its identity is kept as that of a quoted post.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    guard let id, let blogID = blog.identifier, let createdAt else {
      let reason = id == nil ? "it has no id" : createdAt == nil ? "it has no usable timestamp" : "it names no blog"
      return PageItem(id: id, content: .unreadable(reason: reason), raw: raw)
    }
    let address = Bounds.webAddress(url)
    let post = Post(
      source: .tumblr, uri: Self.identity(id, on: server), url: address ?? blog.page(of: id, on: server),
      server: server,
      remoteID: "\(blogID)/\(id)", author: blog.author(on: server), createdAt: createdAt,
      title: Bounds.line(title), caption: caption,
      warning: Bounds.line(warnings.joined(separator: ", ").replacing("_", with: " ")) ?? "", sensitive: isSensitive,
      visibility: visibility, assumesVisibility: assumesVisibility, tags: tagNames, attachments: files)
    var item = PageItem(id: id, content: .post(post), raw: raw)
    if let root = trail.first, let id = root.id {
      item.quoted = Quotation(uri: Self.identity(id, on: server), url: root.blog.page(of: id, on: server))
    }
    return item
  }

  /// Ids are unique among all blogs, whose names change.
  private static func identity(_ id: String, on server: Server) -> String { "\(server.tumblrSite)/post/\(id)" }

  /// The blog's own text, then what it reblogs, each with its blog's name.
  private var caption: String {
    let others = trail.compactMap { trail -> String? in
      guard !trail.content.text.isEmpty else { return nil }
      return "\(Bounds.line(trail.blog.name) ?? "?"):\n\(trail.content.text)"
    }
    return Bounds.block(([own.text] + others).filter { !$0.isEmpty }.joined(separator: "\n\n"), bytes: Bounds.caption)
      ?? ""
  }

  /// Its own files, then those that it reblogs.
  private var files: [Attachment] {
    ([own] + trail.map(\.content)).flatMap(\.files).prefix(Bounds.attachments).map(\.attachment)
  }

  /// Tags may have several words.
  private var tagNames: [String] {
    var seen: Set<String> = []
    return tags.compactMap { Bounds.line($0).map(Feed.tagName) }.filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}

extension TumblrBlog {
  /// What the API knows it by.
  var identifier: String? { word(uuid) ?? word(name) }

  private func word(_ text: String?) -> String? {
    Bounds.word(text, bytes: Bounds.id).flatMap { $0.contains("/") ? nil : $0 }
  }

  func author(on server: Server) -> Author? {
    guard let name = word(name), let identifier, !name.contains("@") else { return nil }
    return Author(
      uri: "\(server.tumblrSite)/blog/\(identifier)", handle: "\(name)@\(server.host)",
      name: Bounds.line(title) ?? name, url: Bounds.webAddress(url) ?? "\(server.tumblrSite)/\(name)",
      avatarURL: Bounds.webAddress(avatar))
  }

  /// The page of one of its posts.
  func page(of id: String, on server: Server) -> String? {
    word(name).flatMap { Bounds.webAddress("\(server.tumblrSite)/\($0)/\(id)") }
  }
}
