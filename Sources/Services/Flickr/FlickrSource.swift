import HTTP
import JSONReading
import Posts

/// Flickr's API: tags, users, groups and searches, with the key of a person's own app or as a person.
///
/// It keeps nothing between two calls except the ids of users and groups that it looked up. It sends requests only to the API's host,
/// and builds each address itself.
public struct FlickrSource: Source {
  /// The most photos a server gives at once.
  public static let largestPage = 500
  /// The most photos in one lookup. Each is two requests.
  static let largestLookup = 10
  /// What precedes the name of a group, as people write it: `!birds`.
  static let groupMark: Character = "!"
  /// A query shows so many photos, and then the same ones again.
  private static let mostOfQuery = 4_000

  let server: Server
  let token: Secret?
  private let transport: Transport
  private let time: TimeSource
  /// The ids of users and groups by their names.
  private let accounts = KnownAccounts()

  /// Creates a source for `server`, with the app's key or a person's token as `token`, or without one.
  public init(server: Server, token: Secret?, transport: Transport, time: TimeSource) {
    self.server = server
    self.token = token
    self.transport = transport
    self.time = time
  }

  /// Fetches the page after `cursor`, newest first, at most 500. Each page is the first one of a query up to a second: the
  /// numbers of pages shift while photos come.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let position = try cursor.map { cursor throws(SourceError) in try SecondPosition(cursor, from: server) }
    // Pages of a second are counted, so that their size may not change.
    let asked = position?.page == nil ? min(max(1, size ?? Self.largestPage), Self.largestPage) : Self.largestPage
    let query = try await query(of: feed) + Self.fields + Self.part(position) + [("per_page", String(asked))]
    let body = try await answer(to: "photos.search", query, name(of: feed), missing: [2, 5])
    let ranges: [Range<Int>]
    do { ranges = try JSONSlices.elements(ofMember: "photo", in: "photos", of: body) } catch {
      throw .unreadable(server, reason: error.message(asked: asked))
    }
    var items = try await items(at: ranges, in: body)
    let marks = items.map { SecondPosition.Mark($0) }
    items.removeAll { item in item.id.map { position?.known.contains($0) == true } ?? false }
    let counts = Counts(body)
    let number = position?.page ?? 1
    let isFull = (marks.count >= asked || counts.pages > number) && number * asked < Self.mostOfQuery
    var next = SecondPosition.next(after: position, marks, .upTo(isFull: isFull))
    if case .astray(let reason) = next { return .astray(items, reason: reason) }
    // A page of none that are said to be there says nothing of what is below. Photos are added to a group's pool long after
    // they were posted, so that it is never read whole.
    if next == .end, counts.total > 0 || isGroup(feed) { next = .horizon }
    return Page(items: try await addingVideos(to: items), next: next)
  }

  /// What an answer says of its query, if it can be believed.
  private struct Counts {
    let pages, total: Int

    init(_ body: [UInt8]) {
      let photos = JSONObject(body)?.object("photos")
      let count = { (text: String?) in text.flatMap(Int.init) ?? 0 }
      (pages, total) = (count(photos?.text("pages")), count(photos?.text("total")))
    }
  }

  /// The part of a feed that a page begins with.
  private static func part(_ position: SecondPosition?) -> [(String, String)] {
    guard let position else { return [] }
    let second = String(position.bound)
    let single = position.page.map { [("min_upload_date", second), ("page", String($0))] } ?? []
    return [("max_upload_date", second)] + single
  }

  private static let fields = [
    ("sort", "date-posted-desc"),
    (
      "extras",
      "description,license,date_upload,date_taken,owner_name,icon_server,last_update,geo,tags,machine_tags,"
        + "media,path_alias,content_type,safety_level,needs_interstitial,"
        + FlickrFile.sizes.map { "url_\($0)" }.joined(separator: ",")
    ),
  ]

  // MARK: Answers

  /// The body of a successful answer.
  ///
  /// - Parameters:
  ///   - what: What is asked for, as text for people.
  ///   - missing: The codes with which the method says that there is none.
  func answer(
    to method: String, _ query: [(String, String)], _ what: String, missing: Set<Int> = [1]
  ) async throws(SourceError) -> [UInt8] {
    let request = server.flickrRequest(method, query, token: token)
    let response = try await transport.answer(to: request, from: server)
    let apiError = FlickrAPIError(response, hiding: token)
    if let error = apiError.error(from: server, hasToken: token != nil, what: what, missing: missing, time: time) {
      throw error
    }
    return response.body.hiding(token)
  }

  func items(at ranges: [Range<Int>], in body: [UInt8]) async throws(SourceError) -> [PageItem] {
    let server = server
    return try await PageItems.read(ranges, in: body, as: "photo", hiding: token) { raw in
      JSONObject(raw).map { FlickrPhoto($0).pageItem(on: server, raw: raw) }
    }
  }

  /// The items with the files of their videos, which lists leave out. A video whose files are not shown keeps none.
  func addingVideos(to items: [PageItem]) async throws(SourceError) -> [PageItem] {
    var items = items
    for index in items.indices {
      guard let id = items[index].id, var post = items[index].post, post.attachments.first?.kind == .video else {
        continue
      }
      if let file = try await file(of: id, isVideo: true) {
        post.attachments = [file.attachment]
      } else {
        // One that is stored stays.
        post.listsAttachments = false
      }
      items[index].content = .post(post)
    }
    return items
  }

  /// The largest file that is shown of a photo or video; nil if none is.
  func file(of id: String, isVideo: Bool) async throws(SourceError) -> FlickrFile? {
    do {
      let body = try await answer(to: "photos.getSizes", [("photo_id", id)], "photo \(id)", missing: [1, 2])
      let sizes = JSONObject(body)?.object("sizes")?.objects("size", most: 100) ?? []
      return FlickrFile(of: sizes, isVideo: isVideo)
    } catch {
      switch error {
      case .notFound, .forbidden, .unreadable: return nil
      default: throw error
      }
    }
  }

  // MARK: Feeds

  private func query(of feed: Feed) async throws(SourceError) -> [(String, String)] {
    switch feed.kind {
    // A machine tag, https://www.flickr.com/services/api/flickr.photos.search.html
    case .tag where feed.value.contains(":") && feed.value.contains("="): [("machine_tags", feed.value)]
    case .tag: [("tags", feed.value), ("tag_mode", "all")]
    case .search: [("text", feed.value)]
    case .user where isGroup(feed): [("group_id", try await group(feed))]
    case .user: [("user_id", try await user(feed))]
    case .url, .import: throw .notFound(server, what: "timeline for \(feed.label)")
    }
  }

  /// The feed's name in messages about its server.
  private func name(of feed: Feed) -> String {
    isGroup(feed) ? "group \(Bounds.reason(feed.value))" : feed.label
  }

  private func isGroup(_ feed: Feed) -> Bool { feed.kind == .user && feed.value.first == Self.groupMark }

  /// The id of a user, who may be named by it, by the name in their addresses, or by their screen name.
  private func user(_ feed: Feed) async throws(SourceError) -> String {
    try await account(feed.value, of: feed) { () async throws(SourceError) -> JSONObject? in
      let page = "\(server.flickrSite)/photos/\(Request.percentEncoded(feed.value))"
      let body: [UInt8]
      do throws(SourceError) {
        body = try await answer(to: "urls.lookupUser", [("url", page)], feed.label)
      } catch {
        guard case .notFound = error else { throw error }
        body = try await answer(to: "people.findByUsername", [("username", feed.value)], feed.label)
      }
      return JSONObject(body)?.object("user")
    }
  }

  /// The id of a group, which may be named by it or by the name in its address.
  private func group(_ feed: Feed) async throws(SourceError) -> String {
    let name = String(feed.value.dropFirst())
    return try await account(name, of: feed) { () async throws(SourceError) -> JSONObject? in
      let page = "\(server.flickrSite)/groups/\(Request.percentEncoded(name))/"
      return JSONObject(try await answer(to: "urls.lookupGroup", [("url", page)], self.name(of: feed)))?.object("group")
    }
  }

  private func account(
    _ name: String, of feed: Feed, lookedUp: () async throws(SourceError) -> JSONObject?
  ) async throws(SourceError) -> String {
    if let id = FlickrPhoto.account(name.uppercased()) { return id }
    if let id = accounts[feed.value] { return id }
    guard let id = FlickrPhoto.account(try await lookedUp()?.string("id")) else {
      throw .unreadable(server, reason: "it does not say which account \(Bounds.reason(feed.value)) is")
    }
    accounts[feed.value] = id
    return id
  }
}
