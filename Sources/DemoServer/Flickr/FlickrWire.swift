import FoundationEssentials

/// Writes posts and people as Flickr's JSON. A post is its first picture: a photo has one.
struct FlickrWire {
  let wire: Wire
  /// Whether a person asks. Keys see what is safe alone.
  let isPerson: Bool

  /// Whether a post is a photo that the caller may see. Nobody repeats photos.
  func shows(_ post: DemoPost) -> Bool {
    post.boosts == nil && !post.pictures.isEmpty && (isPerson || post.warning.isEmpty)
  }

  /// The second of a photo. Those of one hour share it: people upload many at once.
  static func second(of post: DemoPost) -> Int { Int(post.createdAt.timeIntervalSince1970) / 3600 * 3600 }

  /// Whether it is known when a photo was taken: two days before, or else the day of posting is written.
  private static func knowsDay(of post: DemoPost) -> Bool { post.number % 3 != 0 }

  private static func taken(_ post: DemoPost) -> String {
    let moment = knowsDay(of: post) ? post.createdAt - 2 * 86_400 : post.createdAt
    return String(Date.ISO8601FormatStyle(dateTimeSeparator: .space).format(moment).prefix(19))
  }

  /// Where a photo was taken, as some people say: in Vienna, Lisbon, Kyoto or Oslo.
  private static func location(of post: DemoPost) -> (latitude: String, longitude: String)? {
    let towns = [("48.2085", "16.3725"), ("38.7078", "-9.1366"), ("35.0116", "135.7681"), ("59.9139", "10.7522")]
    return post.number % 3 == 1 ? towns[post.number / 3 % towns.count] : nil
  }

  static func account(of person: Person) -> String { "\(person.id)@N00" }

  /// The name in a person's addresses, which not everybody has chosen.
  static func alias(of person: Person) -> String? { person.host == nil ? person.username : nil }

  /// A tag as Flickr compares it: without spaces and punctuation, in small letters.
  static func normal(_ tag: String) -> String { tag.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// The tags of a photo, some of which have two words.
  static func tags(of post: DemoPost) -> [String] { post.tags.map { normal($0 == "stars" ? "night sky" : $0) } }

  func user(_ person: Person) -> JSON {
    let account = JSON.text(Self.account(of: person))
    return ["user": ["id": account, "nsid": account, "username": ["_content": .text(person.name)]]]
  }

  /// A photo as lists show it.
  func photo(_ post: DemoPost) -> JSON {
    let second = String(Self.second(of: post))
    var members: [(String, JSON)] = [
      ("id", .text(String(post.id))), ("owner", .text(Self.account(of: post.person))), ("secret", "0123456789"),
      ("server", "65535"), ("farm", 66), ("title", .text(Self.title(post))), ("ispublic", 1), ("isfriend", 0),
      ("isfamily", 0), ("license", "4"), ("description", ["_content": .text(post.caption.plain)]),
      ("dateupload", .text(second)), ("lastupdate", .text(second)), ("datetaken", .text(Self.taken(post))),
      ("datetakengranularity", 0), ("datetakenunknown", Self.knowsDay(of: post) ? "0" : "1"),
      ("ownername", .text(post.person.name)),
      ("iconserver", "7"), ("iconfarm", 1), ("tags", .text(Self.tags(of: post).joined(separator: " "))),
      ("machine_tags", ""), ("context", 0), ("media", "photo"),
      ("media_status", "ready"), ("pathalias", .maybe(Self.alias(of: post.person))), ("content_type", "0"),
      ("safety_level", .text(post.warning.isEmpty ? "0" : "1")),
    ]
    // Of a photo without a place they are numbers.
    members +=
      Self.location(of: post).map {
        [("latitude", .text($0.latitude)), ("longitude", .text($0.longitude)), ("accuracy", "16")]
      }
      ?? [("latitude", 0), ("longitude", 0), ("accuracy", 0)]
    for size in files(post) {
      let name = size.letter
      members += [
        ("url_\(name)", .text(size.url)), ("height_\(name)", .number(size.height)),
        ("width_\(name)", .number(size.width)),
      ]
    }
    return .object(members)
  }

  /// A photo by itself.
  func info(_ post: DemoPost) -> JSON {
    let tags = post.tags.indices.map { index -> JSON in
      [
        "id": .text("\(post.id)-\(index)"), "raw": .text(post.tags[index]),
        "_content": .text(Self.tags(of: post)[index]), "machine_tag": 0,
      ]
    }
    let second = JSON.text(String(Self.second(of: post)))
    let info: JSON = [
      "id": .text(String(post.id)), "secret": "0123456789", "server": "65535", "farm": 66, "dateuploaded": second,
      "isfavorite": 0, "license": "4", "safety_level": .text(post.warning.isEmpty ? "0" : "1"), "rotation": 0,
      "owner": [
        "nsid": .text(Self.account(of: post.person)), "username": .text(post.person.name), "realname": "",
        "location": nil, "iconserver": "7", "iconfarm": 1, "path_alias": .maybe(Self.alias(of: post.person)),
      ],
      "title": ["_content": .text(Self.title(post))], "description": ["_content": .text(post.caption.plain)],
      "visibility": ["ispublic": 1, "isfriend": 0, "isfamily": 0],
      "dates": [
        "posted": second, "taken": .text(Self.taken(post)), "takengranularity": 0,
        "takenunknown": Self.knowsDay(of: post) ? "0" : "1", "lastupdate": second,
      ], "views": .text(String(post.counts.y)), "tags": ["tag": .list(tags)], "media": "photo",
    ]
    guard let location = Self.location(of: post) else { return info }
    return info.adding([
      "location": ["latitude": .text(location.latitude), "longitude": .text(location.longitude), "accuracy": "16"]
    ])
  }

  /// The files of a photo.
  func sizes(_ post: DemoPost) -> [JSON] {
    files(post).reversed().map { size in
      [
        "label": .text(size.label), "width": .number(size.width), "height": .text(String(size.height)),
        "source": .text(size.url), "url": .text("\(wire.origin)\(PostCard.page(of: post))"), "media": "photo",
      ]
    }
  }

  private typealias Size = (letter: String, label: String, url: String, width: Int, height: Int)

  /// The sizes of the picture, the largest first. Who lives elsewhere has a free account, which offers no original.
  private func files(_ post: DemoPost) -> [Size] {
    guard let picture = post.pictures.first else { return [] }
    let (size, small) = (picture.art.size, picture.art.previewSize)
    let isFree = post.person.host != nil
    return [
      (isFree ? "l" : "o", isFree ? "Large" : "Original", picture.url(wire.origin), size.width, size.height),
      ("z", "Medium 640", picture.url(wire.origin, preview: true), small.width, small.height),
    ]
  }

  private static func title(_ post: DemoPost) -> String {
    let plain = post.caption.plain
    return post.number % 4 == 0 ? "IMG_\(1000 + post.number)" : String(plain.prefix { !".!?。؟\n#".contains($0) })
  }
}
