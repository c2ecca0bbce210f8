import FoundationEssentials

/// Writes posts and people as Tumblr's JSON: in blocks, or as the older kinds.
struct TumblrWire {
  let wire: Wire
  let isOfBlocks: Bool

  /// The second of a post. Posts of one hour share it: at Tumblr, queues publish several posts at once.
  static func second(of post: DemoPost) -> Int { Int(post.createdAt.timeIntervalSince1970) / 3600 * 3600 }

  /// What a blog is known by, whatever its name.
  static func identifier(of person: Person) -> String { "t:demo\(person.id)" }

  func blog(_ person: Person) -> JSON {
    let avatar = "\(wire.origin)/avatars/\(person.id).png"
    return [
      "name": .text(person.username), "title": .text(person.name), "uuid": .text(Self.identifier(of: person)),
      "url": .text("\(wire.origin)/@\(person.acct)"),
      "avatar": [["width": 64, "height": 64, "url": .text(avatar)]],
    ]
  }

  /// A post. A boost is a reblog that adds nothing.
  func post(_ post: DemoPost) -> JSON {
    let isReblog = post.boosts != nil
    var members: [(String, JSON)] = [
      ("object_type", "post"), ("type", isOfBlocks ? "blocks" : "photo"), ("blog_name", .text(post.person.username)),
      ("blog", blog(post.person)), ("id", .number(Int(post.id))), ("id_string", .text(String(post.id))),
      ("is_blocks_post_format", .bool(isOfBlocks)), ("post_url", .text("\(wire.origin)\(PostCard.page(of: post))")),
      ("timestamp", .number(Self.second(of: post))), ("state", "published"), ("reblog_key", "d3m0"),
      ("tags", .list(post.tags.map { .text($0 == "stars" ? "night sky" : $0) })),
      ("note_count", .number(post.counts.y)),
      ("is_nsfw", .bool(!post.warning.isEmpty)),
    ]
    if isOfBlocks {
      let trail = isReblog ? [trail(wire.world.original(of: post))] : []
      members += [("content", .list(isReblog ? [] : blocks(post))), ("layout", []), ("trail", .list(trail))]
    } else {
      members += [("caption", .text(wire.content(post))), ("photos", .list(post.pictures.map(photo)))]
    }
    return .object(members)
  }

  private func trail(_ post: DemoPost) -> JSON {
    [
      "post": ["id": .text(String(post.id)), "timestamp": .number(Self.second(of: post))], "blog": blog(post.person),
      "content": .list(blocks(post)), "layout": [],
    ]
  }

  private func blocks(_ post: DemoPost) -> [JSON] {
    let texts = post.caption.plain.components(separatedBy: "\n\n").map { text -> JSON in
      ["type": "text", "text": .text(text)]
    }
    return post.pictures.map(image) + texts
  }

  /// The sizes of a picture, widest first.
  private func image(_ picture: DemoPicture) -> JSON {
    let block: JSON = ["type": "image", "media": .list(sizes(picture))]
    return picture.alt.map { block.adding(["alt_text": .text($0)]) } ?? block
  }

  private func photo(_ picture: DemoPicture) -> JSON {
    ["caption": .text(picture.alt ?? ""), "original_size": sizes(picture)[0], "alt_sizes": .list(sizes(picture))]
  }

  private func sizes(_ picture: DemoPicture) -> [JSON] {
    [false, true].map { isPreview in
      let size = isPreview ? picture.art.previewSize : picture.art.size
      return [
        "type": .text(picture.art.format.contentType), "width": .number(size.width), "height": .number(size.height),
        "url": .text(picture.url(wire.origin, preview: isPreview)),
      ]
    }
  }
}
