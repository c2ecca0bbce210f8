import FoundationEssentials
import Web

extension Wire {
  func account(_ person: Person) -> JSON {
    let avatar = JSON.text("\(origin)/avatars/\(person.id).png")
    let header = JSON.text("\(origin)/media/0/original/\(Art.header(of: person).name)")
    let ids = world.ids(on: .person(person.id - 1001))
    return [
      "id": .text(String(person.id)), "username": .text(person.username), "acct": .text(person.acct),
      "display_name": .text(person.name), "locked": false, "bot": .bool(person.username == "skywatch"),
      "discoverable": true, "indexable": true, "group": false, "created_at": "2023-05-01T00:00:00.000Z",
      "note": .text(("<p>\(person.note)</p>" as HTML).markup), "url": .text(person.profile(origin)),
      "uri": .text(person.uri(origin)), "avatar": avatar, "avatar_static": avatar, "header": header,
      "header_static": header, "followers_count": .number(person.id * 37 % 900),
      "following_count": .number(person.id % 97),
      "statuses_count": .number(ids.count), "last_status_at": .maybe(lastDay(ids.last)), "hide_collections": false,
      "noindex": false, "emojis": .list(emojis(in: person.name + person.note)), "roles": [], "fields": [],
    ]
  }

  /// The account as only its owner sees it.
  func ownAccount(_ person: Person) -> JSON {
    let source: JSON = [
      "privacy": "public", "sensitive": false, "language": .text(person.language), "note": .text(person.note),
      "fields": [], "follow_requests_count": 0, "discoverable": true, "indexable": true, "hide_collections": false,
    ]
    let role: JSON = ["id": "-99", "name": "", "permissions": "0", "color": "", "highlighted": false]
    return account(person).adding(["source": source, "role": role])
  }

  private func lastDay(_ id: Int64?) -> String? {
    id.flatMap { world.posts[$0] }.map { String($0.createdAt.wire.prefix(10)) }
  }
}

extension Art {
  /// The wide picture on a person's profile.
  static func header(of person: Person) -> Art {
    Art(topic: person.topics[0], seed: UInt64(person.id) &* 0x9e37_79b9, format: .jpeg)
  }
}
