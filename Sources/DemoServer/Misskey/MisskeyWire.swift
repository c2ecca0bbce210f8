import FoundationEssentials

/// Writes posts and people as Misskey's JSON. What Misskey leaves out is left out.
struct MisskeyWire {
  private let wire: Wire
  /// Who asks; nil for strangers.
  private let viewer: Person?

  init(_ wire: Wire, viewer: Person?) { (self.wire, self.viewer) = (wire, viewer) }

  var world: World { wire.world }

  /// Whether a post's text and pictures are left out: its author shows them only to people who are logged in.
  func isHidden(_ post: DemoPost) -> Bool { viewer == nil && post.person.username == "katya" }

  /// A note. Those that it repeats or quotes are written without theirs.
  func note(_ post: DemoPost, isWhole: Bool = true) -> JSON {
    let other = isWhole ? world.posts[post.boosts ?? quoted(by: post) ?? 0] : nil
    var members: [(String, JSON)] = [
      ("id", .text(MisskeyID.text(post.id))), ("createdAt", .text(post.createdAt.wire)),
      ("userId", .text(MisskeyID.text(Int64(post.person.id)))), ("user", user(post.person)),
    ]
    members += isHidden(post) ? Self.hidden : content(post)
    members += [
      ("visibility", post.number % 11 == 7 ? "home" : "public"), ("localOnly", false), ("reactionAcceptance", nil),
      ("renoteCount", .number(post.counts.x)), ("repliesCount", .number(post.counts.z)),
      ("reactionCount", .number(post.counts.y)), ("reactions", .object([])), ("reactionEmojis", .object([])),
      ("replyId", nil), ("renoteId", .maybe(other.map { MisskeyID.text($0.id) })),
    ]
    if post.person.host != nil {
      members += [("uri", .text(post.uri(wire.origin))), ("url", .text(post.url(wire.origin)))]
    }
    if let other { members.append(("renote", note(other, isWhole: false))) }
    return .object(members)
  }

  private static let hidden: [(String, JSON)] = [
    ("text", nil), ("cw", nil), ("fileIds", []), ("files", []), ("isHidden", true),
  ]

  private func content(_ post: DemoPost) -> [(String, JSON)] {
    let text = post.boosts == nil ? JSON.text(post.caption.mfm(post.number)) : nil
    let pictures = post.boosts == nil ? post.pictures : []
    var members: [(String, JSON)] = [
      ("text", text), ("cw", post.warning.isEmpty ? nil : .text(post.warning)),
      ("fileIds", .list(pictures.map { .text(MisskeyID.text($0.id)) })),
      ("files", .list(pictures.map { file($0, of: post) })),
    ]
    if !post.tags.isEmpty { members.append(("tags", .list(post.tags.map(JSON.text)))) }
    if let editedAt = post.editedAt { members.append(("updatedAt", .text(editedAt.wire))) }
    if post.boosts == nil, post.number % 19 == 3 { members.append(("poll", Self.poll)) }
    return members
  }

  private static let poll: JSON = [
    "multiple": false, "expiresAt": nil,
    "choices": [
      ["text": "Yes", "votes": 3, "isVoted": false], ["text": "Of course", "votes": 14, "isVoted": false],
    ],
  ]

  /// The post below it with the common tag, which some posts quote.
  private func quoted(by post: DemoPost) -> Int64? {
    guard post.boosts == nil, post.number % 13 == 4 else { return nil }
    return world.ids(on: .tag(Author.commonTag)).last { $0 < post.id }
  }

  func user(_ person: Person) -> JSON {
    [
      "id": .text(MisskeyID.text(Int64(person.id))), "name": .text(person.name), "username": .text(person.username),
      "host": .maybe(person.host), "avatarUrl": .text("\(wire.origin)/avatars/\(person.id).png"),
      "avatarBlurhash": nil, "avatarDecorations": [], "isBot": .bool(person.username == "skywatch"),
      "isCat": .bool(person.username == "catpatrol"), "emojis": .object([]), "onlineStatus": "unknown",
    ]
  }

  /// A file. Some of other servers are shown through the proxy, which makes them smaller.
  private func file(_ picture: DemoPicture, of post: DemoPost) -> JSON {
    let original = picture.url(wire.origin)
    let isProxied = post.person.host != nil && post.number % 7 == 2
    let proxied = "\(wire.origin)/proxy/image.webp?url=\(original.pathEscaped)"
    let size = picture.art.size
    return [
      "id": .text(MisskeyID.text(picture.id)), "createdAt": .text(post.createdAt.wire),
      "name": .text(picture.art.name), "type": .text(picture.art.format.contentType),
      "isSensitive": .bool(!post.warning.isEmpty), "blurhash": .text(picture.art.blurhash),
      "properties": ["width": .number(size.width), "height": .number(size.height)],
      "url": .text(isProxied ? proxied : original), "thumbnailUrl": .text(picture.url(wire.origin, preview: true)),
      "comment": .maybe(picture.alt), "folderId": nil, "folder": nil, "userId": nil, "user": nil,
    ]
  }
}

extension Caption {
  /// As people type it at Misskey, some of it with effects.
  func mfm(_ number: Int) -> String {
    marked(number) { [$0, "**\($0)**", "$[tada.speed=2s \($0)]", "<small>\($0)</small>", $0] }
  }
}
