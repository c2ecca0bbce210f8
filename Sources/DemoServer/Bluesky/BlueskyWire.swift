import FoundationEssentials

/// Writes posts and people as Bluesky's JSON (https://docs.bsky.app/docs/api/app-bsky-feed-get-posts).
struct BlueskyWire: Sendable {
  /// The collection of posts.
  static let collection = "app.bsky.feed.post"

  let world: World
  let origin: String

  /// The post of an identity.
  func post(_ uri: String) -> DemoPost? {
    let parts = uri.split(separator: "/")
    guard parts.count == 4, let id = BlueskyNames.id(parts[3]), let post = world.posts[id], post.boosts == nil,
      uri == self.uri(post)
    else { return nil }
    return post
  }

  /// Posts that contain a text, or a word of a hashtag, newest first, indexed before a moment.
  ///
  /// Bluesky finds posts by the words of a hashtag, whether or not they carry it.
  func posts(matching text: String, before until: String?) -> [DemoPost] {
    let wanted = text.drop { $0 == "#" }.lowercased()
    let form = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let end = until.flatMap { try? form.parse($0) } ?? .distantFuture
    return world.ids(on: .everything).reversed().compactMap { world.posts[$0] }.filter {
      $0.boosts == nil && $0.createdAt < end && $0.caption.plain.lowercased().contains(wanted)
    }
  }

  func uri(_ post: DemoPost) -> String { "at://\(post.person.did)/\(Self.collection)/\(BlueskyNames.key(post.id))" }

  /// A post as the server shows it.
  func view(_ post: DemoPost, _ files: [Art: BlueskyBlob]) -> JSON {
    let record = record(post, files)
    let view: JSON = [
      "uri": .text(uri(post)), "cid": .text(Self.cid(of: record)),
      "author": author(post.person), "record": record, "replyCount": .number(post.counts.z),
      "repostCount": .number(post.counts.x), "likeCount": .number(post.counts.y), "quoteCount": 0,
      "indexedAt": .text(post.createdAt.wire), "labels": .list(post.warning.isEmpty ? [] : [label(of: post)]),
    ]
    guard !post.pictures.isEmpty else { return view }
    return view.adding([
      "embed": ["$type": "app.bsky.embed.images#view", "images": .list(post.pictures.map(shown))]
    ])
  }

  /// Who repeated a post, and when.
  func reason(_ boost: DemoPost) -> JSON {
    [
      "$type": "app.bsky.feed.defs#reasonRepost", "by": author(boost.person),
      "uri": .text("at://\(boost.person.did)/app.bsky.feed.repost/\(BlueskyNames.key(boost.id))"),
      "indexedAt": .text(boost.createdAt.wire),
    ]
  }

  private func author(_ person: Person) -> JSON {
    let label: JSON = [
      "src": .text(person.did), "uri": .text("at://\(person.did)/app.bsky.actor.profile/self"),
      "val": "!no-unauthenticated", "cts": "2025-01-01T00:00:00.000Z",
    ]
    return [
      "did": .text(person.did), "handle": .text(person.blueskyHandle), "displayName": .text(person.name),
      "avatar": .text("\(origin)/avatars/\(person.id).png"), "labels": .list(person.isForMembers ? [label] : []),
      "createdAt": "2023-05-01T00:00:00.000Z",
    ]
  }

  /// What the author says of the post, as a moderator's labels are shown.
  private func label(of post: DemoPost) -> JSON {
    [
      "src": .text(post.person.did), "uri": .text(uri(post)), "val": "graphic-media",
      "cts": .text(post.createdAt.wire),
    ]
  }

  // MARK: The record

  /// The name of a record's version.
  static func cid(of record: JSON) -> String { BlueskyNames.cid(sha256(record.bytes), isRecord: true) }

  /// A post as its author wrote it.
  func record(_ post: DemoPost, _ files: [Art: BlueskyBlob]) -> JSON {
    let text = BlueskyText(post.caption)
    var record: JSON = [
      "$type": .text(Self.collection), "text": .text(text.text), "createdAt": .text(claimed(post)),
      "langs": [.text(post.person.language)], "facets": .list(text.facets),
    ]
    if !post.warning.isEmpty {
      record = record.adding([
        "labels": ["$type": "com.atproto.label.defs#selfLabels", "values": [["val": "graphic-media"]]]
      ])
    }
    let images = post.pictures.compactMap { picture in files[picture.art].map { written(picture, $0) } }
    guard !images.isEmpty else { return record }
    return record.adding(["embed": ["$type": "app.bsky.embed.images", "images": .list(images)]])
  }

  /// The date that the author claims. One in twenty claims tomorrow.
  private func claimed(_ post: DemoPost) -> String {
    let date = post.number % 20 == 5 ? post.createdAt.addingTimeInterval(86_400) : post.createdAt
    return DateStyle.mixed.text(date, post.id >> 16)
  }

  private func written(_ picture: DemoPicture, _ blob: BlueskyBlob) -> JSON {
    [
      "alt": .text(picture.alt ?? ""), "aspectRatio": ratio(picture),
      "image": [
        "$type": "blob", "ref": ["$link": .text(blob.cid)], "mimeType": .text(picture.art.format.contentType),
        "size": .number(blob.byteCount),
      ],
    ]
  }

  private func shown(_ picture: DemoPicture) -> JSON {
    [
      "thumb": .text(picture.url(origin, preview: true)), "fullsize": .text(picture.url(origin)),
      "alt": .text(picture.alt ?? ""), "aspectRatio": ratio(picture),
    ]
  }

  private func ratio(_ picture: DemoPicture) -> JSON {
    ["width": .number(picture.art.size.width), "height": .number(picture.art.size.height)]
  }
}

/// A text with the parts that are links, tags and mentions, by their UTF-8 bytes
/// (https://docs.bsky.app/docs/advanced-guides/post-richtext). Links are shortened, as the app does.
struct BlueskyText {
  private(set) var text = ""
  private(set) var facets: [JSON] = []

  init(_ caption: Caption) {
    for part in caption.parts {
      switch part {
      case .text(let words): text += words
      case .lineBreak: text += "\n"
      case .paragraph: text += "\n\n"
      case .tag(let name): add("#\(name)", ["$type": "app.bsky.richtext.facet#tag", "tag": .text(name)])
      case .mention(let index):
        let person = Person.everyone[index]
        add("@\(person.blueskyHandle)", ["$type": "app.bsky.richtext.facet#mention", "did": .text(person.did)])
      case .link(let address):
        add(Self.shortened(address), ["$type": "app.bsky.richtext.facet#link", "uri": .text(address)])
      }
    }
  }

  private mutating func add(_ words: String, _ feature: JSON) {
    let start = text.utf8.count
    text += words
    facets.append([
      "index": ["byteStart": .number(start), "byteEnd": .number(text.utf8.count)], "features": [feature],
    ])
  }

  private static func shortened(_ address: String) -> String {
    let bare = address.drop { $0 != "/" }.dropFirst(2)
    return bare.count > 28 ? "\(bare.prefix(25))..." : String(bare)
  }
}
