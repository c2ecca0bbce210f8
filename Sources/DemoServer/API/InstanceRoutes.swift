import Hummingbird

/// The server's description of itself (https://docs.joinmastodon.org/methods/instance/), and the empty lists that clients
/// request.
struct InstanceRoutes {
  let serverState: ServerState
  private static let title = "Media demo"
  private static let about =
    "A made-up server with made-up people, for trying things out. Nothing here leaves this machine."

  func add(to router: Router<DemoContext>) {
    router.get("/api/v1/instance") { _, _ in Response(json: first(serverState.wire)) }
    router.get("/api/v2/instance") { _, _ in Response(json: second(serverState.wire)) }
    NodeInfoRoutes(serverState: serverState).add(to: router)
    router.get("/api/v1/custom_emojis") { _, _ in Response(json: [serverState.wire.emoji]) }
    router.get("/api/v1/preferences") { _, context in
      let person = try context.person("read:accounts")
      return Response(json: [
        "posting:default:visibility": "public", "posting:default:sensitive": false,
        "posting:default:language": .text(person.language), "reading:expand:media": "default",
        "reading:expand:spoilers": false,
      ])
    }
    for name in ["filters", "lists", "notifications", "followed_tags", "bookmarks", "favourites", "mutes", "blocks"] {
      router.get("/api/v1/\(name)") { _, context in
        _ = try context.person("read:\(name)")
        return Response(json: [])
      }
    }
    router.get("/api/v2/filters") { _, context in
      _ = try context.person("read:filters")
      return Response(json: [])
    }
  }

  private func first(_ wire: Wire) -> JSON {
    let counts = counts(wire)
    return [
      "uri": .text(wire.domain), "title": .text(Self.title), "short_description": .text(Self.about),
      "description": .text(Self.about), "email": "nobody@demo.example", "version": .text(serverState.dialect.version),
      "urls": ["streaming_api": .text("ws://\(wire.domain)")],
      "stats": ["user_count": .number(counts.people), "status_count": .number(counts.posts), "domain_count": 8],
      "thumbnail": .text("\(wire.origin)/media/0/original/\(Art.header(of: Person.everyone[0]).name)"),
      "languages": ["en", "de", "es", "ar", "he", "ja"], "registrations": false, "approval_required": false,
      "invites_enabled": false, "configuration": configuration(wire),
      "contact_account": wire.account(Person.everyone[0]), "rules": .list(rules),
    ]
  }

  private func second(_ wire: Wire) -> JSON {
    [
      "domain": .text(wire.domain), "title": .text(Self.title), "version": .text(serverState.dialect.version),
      "source_url": "https://joinmastodon.org", "description": .text(Self.about),
      "usage": ["users": ["active_month": .number(counts(wire).people)]],
      "thumbnail": ["url": .text("\(wire.origin)/media/0/original/\(Art.header(of: Person.everyone[0]).name)")],
      "icon": [], "languages": ["en", "de", "es", "ar", "he", "ja"], "configuration": configuration(wire),
      "registrations": ["enabled": false, "approval_required": false, "message": nil, "url": nil],
      "api_versions": ["mastodon": 6],
      "contact": ["email": "nobody@demo.example", "account": wire.account(Person.everyone[0])],
      "rules": .list(rules),
    ]
  }

  private func counts(_ wire: Wire) -> (people: Int, posts: Int) {
    (Person.residents.count, wire.world.ids(on: .everything).count)
  }

  private var rules: [JSON] { [["id": "1", "text": "Be kind to the cats.", "hint": ""]] }

  private func configuration(_ wire: Wire) -> JSON {
    let open: JSON = ["local": "public", "remote": "public"]
    return [
      "urls": ["streaming": .text("ws://\(wire.domain)")],
      "accounts": ["max_featured_tags": 10, "max_pinned_statuses": 5],
      "statuses": ["max_characters": 500, "max_media_attachments": 4, "characters_reserved_per_url": 23],
      "media_attachments": [
        "supported_mime_types": ["image/jpeg", "image/png", "image/webp"], "image_size_limit": 16_777_216,
        "image_matrix_limit": 33_177_600, "video_size_limit": 103_809_024, "video_frame_rate_limit": 120,
        "video_matrix_limit": 8_294_400,
      ],
      "polls": ["max_options": 4, "max_characters_per_option": 50, "min_expiration": 300, "max_expiration": 2_629_746],
      "translation": ["enabled": false],
      "timelines_access": [
        "live_feeds": open, "hashtag_feeds": open, "trending_link_feeds": open,
      ],
      "limited_federation": false,
    ]
  }
}
