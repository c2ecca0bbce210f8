import FoundationEssentials

/// Writes posts and people as Lemmy's or PieFed's JSON.
struct LemmyWire {
  private let wire: Wire
  private var version: LemmyVersion { wire.dialect.lemmyVersion }

  init(_ wire: Wire) { self.wire = wire }

  var world: World { wire.world }

  /// A post's community: what it is about.
  private func community(of post: DemoPost) -> String { post.tags.first { $0 != Author.commonTag } ?? Author.commonTag }

  /// Whether only this server's people see the community.
  func isLocalOnly(_ post: DemoPost) -> Bool { community(of: post) == "stars" }

  /// Whether a post stands above the others of its community.
  func isPinned(_ post: DemoPost) -> Bool { post.number == 17 }

  func view(_ post: DemoPost) -> JSON {
    var members: [(String, JSON)] = [
      ("post", self.post(post)), ("creator", person(post.person)), ("community", community(post)),
      ("saved", false), ("read", false), ("hidden", false),
    ]
    if version != .v4 {
      members.append(("counts", ["post_id": .number(Int(post.id)), "score": .number(post.counts.y)]))
    } else {
      let tag: JSON = ["id": 1, "name": "weekly", "display_name": "Weekly Theme"]
      members.append(("tags", post.number % 7 == 0 ? [tag] : []))
    }
    return .object(members)
  }

  private func post(_ post: DemoPost) -> JSON {
    let isNew = version == .v4
    let name = JSON.text(title(of: post))
    var members: [(String, JSON)] = [
      ("id", .number(Int(post.id))), (version.isPieFed ? "title" : "name", name),
      ("creator_id", .number(post.person.id)), ("removed", false), ("locked", false), ("deleted", false),
      ("nsfw", .bool(!post.warning.isEmpty)), ("local", .bool(post.person.host == nil)),
      ("ap_id", .text("\(home(of: post.person))/post/\(post.id)")),
      (isNew ? "published_at" : "published", .text(wire.written(post.createdAt, post))),
      ("body", .text(body(of: post))),
      ("language_id", .number(version.isPieFed ? 1 : Self.languages[post.person.language] ?? 0)),
    ]
    if let edited = post.editedAt {
      members.append((isNew ? "updated_at" : "updated", .text(wire.written(edited, post))))
    }
    members += link(of: post)
    if version.isPieFed {
      members += [("post_type", post.pictures.isEmpty ? "Discussion" : "Image"), ("sticky", .bool(isPinned(post)))]
      members.append(("tags", .text(post.tags.map { "#\($0)" }.joined(separator: ", "))))
    } else {
      members += [("featured_community", .bool(isPinned(post))), ("featured_local", false)]
    }
    return .object(members)
  }

  /// The first picture, or a page that the text names.
  private func link(of post: DemoPost) -> [(String, JSON)] {
    guard let picture = post.pictures.first else {
      guard case .link(let address)? = post.caption.parts.first(where: { if case .link = $0 { true } else { false } })
      else { return [] }
      return [("url", .text(address)), ("url_content_type", "text/html")]
    }
    var members: [(String, JSON)] = [
      ("url", .text(address(of: picture, post))), ("thumbnail_url", .text(picture.url(wire.origin, preview: true))),
      ("alt_text", .maybe(picture.alt)),
    ]
    if !version.isPieFed { members.append(("url_content_type", .text(picture.art.format.contentType))) }
    return members
  }

  /// Pictures of other servers are shown smaller, through the proxy, except by PieFed.
  private func address(of picture: DemoPicture, _ post: DemoPost) -> String {
    let original = picture.url(wire.origin)
    guard post.person.host != nil, !version.isPieFed else { return original }
    return "\(wire.origin)/api/\(version == .v4 ? "v4/image/proxy" : "v3/image_proxy")?url=\(original.pathEscaped)"
  }

  private func title(of post: DemoPost) -> String {
    String(post.caption.plain.prefix { $0 != "\n" }.prefix(200))
  }

  /// The text in Markdown, with the pictures after the first.
  private func body(of post: DemoPost) -> String {
    let others = post.pictures.dropFirst().map { "![\($0.alt ?? "")](\(address(of: $0, post)))" }
    return ([post.caption.markdown(post.number)] + others).joined(separator: "\n\n")
  }

  private func community(_ post: DemoPost) -> JSON {
    let name = community(of: post)
    let address = JSON.text("\(wire.origin)/c/\(name.pathEscaped)")
    let members: JSON = ["id": 1, "name": .text(name), "title": .text(name), "nsfw": false, "local": true]
    switch version {
    case .v3: return members.adding(["actor_id": address, "visibility": isLocalOnly(post) ? "LocalOnly" : "Public"])
    case .v4:
      return members.adding(["ap_id": address, "visibility": isLocalOnly(post) ? "local_only_private" : "public"])
    case .alpha: return members.adding(["actor_id": address])
    }
  }

  func person(_ person: Person) -> JSON {
    let address = JSON.text("\(home(of: person))/u/\(person.username)")
    return [
      "id": .number(person.id), version.isPieFed ? "user_name" : "name": .text(person.username),
      version.isPieFed ? "title" : "display_name": .text(person.name), version == .v4 ? "ap_id" : "actor_id": address,
      "avatar": .text("\(wire.origin)/avatars/\(person.id).png"), "local": .bool(person.host == nil),
    ]
  }

  private func home(of person: Person) -> String { person.host.map { "https://\($0)" } ?? wire.origin }

  /// The numbers that Lemmy gives to languages.
  private static let languages = ["ar": 7, "de": 32, "en": 37, "es": 39, "he": 56, "ja": 73]
}

extension Caption {
  /// As people type it at Lemmy, some of it with signs.
  func markdown(_ number: Int) -> String {
    marked(number) { [$0, "**\($0)**", "# \($0)", "~~\($0)~~", "> \($0)"] }
  }

  /// With the first text in one of some styles, and each second link under other words.
  func marked(_ number: Int, _ styles: (String) -> [String]) -> String {
    var texts = 0
    return parts.map { part in
      switch part {
      case .text(let text):
        texts += 1
        return texts == 1 ? styles(text)[number % 5] : text
      case .link(let address): return number % 2 == 0 ? address : "[a page](\(address))"
      default: return Caption(parts: [part]).plain
      }
    }
    .joined()
  }
}
