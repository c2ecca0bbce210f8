import FoundationEssentials

/// Writes posts and people as Mastodon's JSON (https://docs.joinmastodon.org/entities/).
struct Wire: Sendable {
  let world: World
  /// The server's address without a final slash, as in every link.
  let origin: String
  var dialect = Dialect.mastodon

  /// This server's name among servers.
  var domain: String { String(origin.drop { $0 != "/" }.dropFirst(2)) }

  func status(_ post: DemoPost) -> JSON {
    guard let id = post.boosts, let original = world.posts[id] else { return plain(post, reblog: nil) }
    return plain(post, reblog: plain(original, reblog: nil))
  }

  private func plain(_ post: DemoPost, reblog: JSON) -> JSON {
    let shown = world.original(of: post)
    let repeats = post.boosts != nil
    let uri = repeats ? "\(post.person.uri(origin))/statuses/\(post.id)/activity" : post.uri(origin)
    return [
      "id": .text(String(post.shownID)), "created_at": .text(written(created(post), post)), "in_reply_to_id": nil,
      "in_reply_to_account_id": nil, "sensitive": .bool(!shown.warning.isEmpty), "spoiler_text": .text(shown.warning),
      "visibility": "public", "language": .text(shown.person.language), "uri": .text(uri),
      "url": .text(repeats ? uri : post.url(origin)), "replies_count": .number(shown.counts.z),
      "reblogs_count": .number(shown.counts.x), "favourites_count": .number(shown.counts.y), "quotes_count": 0,
      "edited_at": .maybe(shown.editedAt.map { written($0, shown) }), "content": .text(content(shown)),
      "reblog": reblog, "application": nil, "account": account(post.person),
      "media_attachments": .list(shown.pictures.map { picture($0, of: shown.person) }),
      "mentions": .list(mentions(in: shown.caption)), "tags": .list(shown.tags.map(tag)),
      "emojis": .list(emojis(in: shown.caption.plain)), "card": nil, "poll": nil, "quote": nil,
    ]
  }

  /// A time of a post as text.
  func written(_ date: Date, _ post: DemoPost) -> String { dialect.dates.text(date, post.id >> 16) }

  /// The date that a post carries. One in ten, the newest of a new demo among them, arrived a day late.
  func created(_ post: DemoPost) -> Date {
    let isLate = dialect.bringsLatePosts && post.boosts == nil && post.number % 10 == 0
    return isLate ? post.createdAt.addingTimeInterval(-86_400) : post.createdAt
  }

  func content(_ post: DemoPost) -> String {
    let script = dialect.speaksOfScripts && post.number % 17 == 0 ? Wire.script : ""
    return post.caption.html(origin: origin).markup + script
  }

  private static let script = "<p>&lt;script>alert(1)&lt;/script></p>"

  func picture(_ picture: DemoPicture, of person: Person) -> JSON {
    let remote = person.host.map { picture.url("https://" + $0) }
    return [
      "id": .text(String(picture.id)), "type": "image", "url": .text(picture.url(origin)),
      "preview_url": .text(picture.url(origin, preview: true)), "remote_url": .maybe(remote),
      "preview_remote_url": nil, "text_url": nil,
      "meta": ["original": Wire.size(picture.art.size), "small": Wire.size(picture.art.previewSize)],
      "description": .maybe(picture.alt), "blurhash": .text(picture.art.blurhash),
    ]
  }

  private static func size(_ size: (width: Int, height: Int)) -> JSON {
    [
      "width": .number(size.width), "height": .number(size.height), "size": .text("\(size.width)x\(size.height)"),
      "aspect": .decimal(Double(size.width) / Double(size.height)),
    ]
  }

  private func mentions(in caption: Caption) -> [JSON] {
    caption.parts.compactMap { part in
      guard case .mention(let index) = part else { return nil }
      let person = Person.everyone[index]
      return [
        "id": .text(String(person.id)), "username": .text(person.username), "url": .text(person.profile(origin)),
        "acct": .text(person.acct),
      ]
    }
  }

  private func tag(_ name: String) -> JSON {
    ["name": .text(name), "url": .text("\(origin)/tags/\(name.pathEscaped)")]
  }

  func emojis(in text: String) -> [JSON] { text.contains(":\(Emoji.shortcode):") ? [emoji] : [] }

  var emoji: JSON {
    let address = JSON.text("\(origin)/emoji/\(Emoji.shortcode).png")
    return [
      "shortcode": .text(Emoji.shortcode), "url": address, "static_url": address, "visible_in_picker": true,
      "category": "Demo",
    ]
  }
}

extension Date {
  /// RFC 3339 in UTC with milliseconds, as Mastodon writes times.
  var wire: String {
    formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
  }
}
