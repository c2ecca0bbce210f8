import FoundationEssentials
import HTTPTypes
import Hummingbird
import Posts
import Web

/// Flickr's API (https://www.flickr.com/services/api): one address for all methods, whose errors have status 200.
struct FlickrRoutes {
  let serverState: ServerState
  private let logins = FlickrLogins()
  /// A query shows so many photos, and then its last page again.
  private static let mostOfQuery = 4_000

  func add(to router: Router<DemoContext>) {
    router.get("/services/rest") { request, _ in
      let fields = request.query
      let isPerson = try person(behind: request) != nil
      guard let method = fields["method"], let answer = Self.methods[method] else { throw FlickrRefusal.noMethod }
      let wire = FlickrWire(wire: serverState.wire, isPerson: isPerson)
      return Response(json: try answer(fields, wire).adding(["stat": "ok"]))
    }
    router.post("/services/rest") { request, _ in try change(request) }
    router.get("/7/buddyicons/:file") { _, context in
      let id = try context.parameters.require("file").prefix(while: \.isNumber)
      return Response(status: .found, headers: [.location: "/avatars/\(id).png"])
    }
    router.get("/photos/:user/:id") { _, context in
      let id = Int64(try context.parameters.require("id"))
      guard let post = id.flatMap(serverState.wire.world.post) else { throw HTTPError(.notFound) }
      return Response(
        status: .found, headers: [.location: PostCard.page(of: post).pathEscaped.replacing("%2F", with: "/")])
    }
    FlickrLoginRoutes(serverState: serverState, logins: logins).add(to: router)
  }

  /// Who signed a request; nil for an app, which needs the key.
  private func person(behind request: Request) throws -> Person? {
    if let signature = FlickrSignature(request, at: serverState.origin) {
      guard let login = signature.token.flatMap(logins.login(of:)) else { throw FlickrRefusal.badToken }
      guard signature.isMade(with: login.secret) else { throw FlickrRefusal.badSignature }
      return login.person
    }
    guard request.query["api_key"] == FlickrLogins.key else { throw FlickrRefusal.badKey }
    return nil
  }

  /// Changes or deletes a photo of the person who asks.
  private func change(_ request: Request) throws -> Response {
    guard let person = try person(behind: request) else { throw FlickrRefusal.needsLogin }
    let fields = request.query
    let post = try Self.photo(fields, FlickrWire(wire: serverState.wire, isPerson: true))
    guard post.person.id == person.id else { throw FlickrRefusal.noPhoto }
    switch fields["method"] {
    case "flickr.photos.delete": serverState.world.withLock { $0.delete(post.id, at: serverState.now()) }
    case "flickr.photos.setMeta":
      let (caption, now) = (Caption(typed: fields["description"] ?? ""), serverState.now())
      serverState.world.withLock { $0.edit(post.id, to: caption, at: now, renumbering: false) }
    default: throw FlickrRefusal.noMethod
    }
    return Response(json: ["stat": "ok"])
  }

  private static let methods: [String: @Sendable (Fields, FlickrWire) throws -> JSON] = [
    "flickr.test.echo": { fields, _ in ["method": ["_content": .text(fields["method"] ?? "")]] },
    "flickr.photos.search": search,
    "flickr.photos.getInfo": { ["photo": $1.info(try photo($0, $1))] },
    "flickr.photos.getSizes": {
      ["sizes": ["canblog": 0, "canprint": 0, "candownload": 1, "size": .list($1.sizes(try photo($0, $1)))]]
    },
    "flickr.urls.lookupUser": { fields, wire in
      let name = fields["url"]?.split(separator: "/").last.flatMap { $0.percentDecoded } ?? ""
      return wire.user(try person { FlickrWire.alias(of: $0) == name || FlickrWire.account(of: $0) == name })
    },
    "flickr.urls.lookupGroup": { fields, wire in
      let name = fields["url"]?.split(separator: "/").last.flatMap { $0.percentDecoded } ?? ""
      guard let group = FlickrGroup.all.first(where: { $0.name == name || $0.id == name }) else {
        throw FlickrRefusal(1, "Group not found")
      }
      return ["group": ["id": .text(group.id), "groupname": ["_content": .text(group.name)]]]
    },
    "flickr.people.findByUsername": { fields, wire in
      wire.user(try person { $0.name.lowercased() == fields["username"]?.lowercased() })
    },
  ]

  private static func person(_ isMeant: (Person) -> Bool) throws -> Person {
    guard let person = Person.everyone.first(where: isMeant) else { throw FlickrRefusal(1, "User not found") }
    return person
  }

  private static func photo(_ fields: Fields, _ wire: FlickrWire) throws -> DemoPost {
    guard let post = fields["photo_id"].flatMap({ Int64($0) }).flatMap(wire.wire.world.post), wire.shows(post) else {
      throw FlickrRefusal.noPhoto
    }
    return post
  }

  @Sendable private static func search(_ fields: Fields, _ wire: FlickrWire) throws -> JSON {
    let span =
      (fields["min_upload_date"].flatMap { Int($0) } ?? 0)...(fields["max_upload_date"].flatMap { Int($0) } ?? .max)
    let photos = try found(fields, wire).filter { wire.shows($0) && span.contains(FlickrWire.second(of: $0)) }
    let size = max(1, fields.count("per_page", atMost: 500) ?? 100)
    let pages = (photos.count + size - 1) / size
    let page = max(1, fields.count("page", atMost: 1_000_000) ?? 1)
    let start = min(page - 1, max(0, mostOfQuery / size - 1)) * size
    let shown = photos.dropFirst(start).prefix(size).map(wire.photo)
    // The total is a text here and a number there.
    let total: JSON = photos.count % 2 == 0 ? .number(photos.count) : .text(String(photos.count))
    return [
      "photos": [
        "page": .number(page), "pages": .number(pages), "perpage": .number(size), "total": total, "photo": .list(shown),
      ]
    ]
  }

  /// The photos that a search asks for, the newest first.
  private static func found(_ fields: Fields, _ wire: FlickrWire) throws -> [DemoPost] {
    let world = wire.wire.world
    let newestFirst = { (timeline: World.Timeline) in world.ids(on: timeline).reversed().compactMap { world.posts[$0] }
    }
    if let account = fields["user_id"] {
      guard let person = Person.everyone.first(where: { FlickrWire.account(of: $0) == account }) else {
        throw FlickrRefusal(2, "Unknown user")
      }
      return newestFirst(.person(person.id - 1001))
    }
    if let id = fields["group_id"] {
      guard let group = FlickrGroup.all.first(where: { $0.id == id }) else { throw FlickrRefusal(2, "Unknown group") }
      return newestFirst(.everything).filter(group.has)
    }
    if let text = fields["text"]?.lowercased(), !text.isEmpty {
      return newestFirst(.everything).filter { $0.caption.plain.lowercased().contains(text) }
    }
    guard let tags = fields["tags"]?.split(separator: ",").map(String.init), !tags.isEmpty else {
      throw FlickrRefusal(3, "Parameterless searches have been disabled. Please use flickr.photos.getRecent instead.")
    }
    return newestFirst(.everything).filter { post in
      let own = Set(FlickrWire.tags(of: post))
      return tags.allSatisfy { tag in
        tag.hasPrefix("-") ? !own.contains(FlickrWire.normal(tag)) : own.contains(FlickrWire.normal(tag))
      }
    }
  }
}

/// A group, whose pool has some of the photos.
private struct FlickrGroup {
  let id, name: String
  /// It has each photo whose number this divides.
  let share: Int64

  static let all = [
    FlickrGroup(id: "41@N25", name: "everyday", share: 2), FlickrGroup(id: "42@N25", name: "rare", share: 9),
  ]

  @Sendable func has(_ post: DemoPost) -> Bool { post.id % share == 0 }
}

/// An error in Flickr's form.
struct FlickrRefusal: APIRefusal {
  let status = HTTPResponse.Status.ok
  let code: Int
  let message: String

  init(_ code: Int, _ message: String) { (self.code, self.message) = (code, message) }

  static let badKey = FlickrRefusal(100, "Invalid API Key (Key has invalid format)")
  static let badToken = FlickrRefusal(98, "Invalid auth token")
  static let badSignature = FlickrRefusal(96, "Invalid signature")
  static let needsLogin = FlickrRefusal(99, "User not logged in / Insufficient permissions")
  static let noPhoto = FlickrRefusal(1, "Photo not found")
  static let noMethod = FlickrRefusal(112, "Method not found")

  var answer: Response {
    Response(json: ["stat": "fail", "code": .number(code), "message": .text(message)])
  }
}
