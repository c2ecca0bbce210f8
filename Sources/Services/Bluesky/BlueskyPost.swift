import FoundationEssentials
import JSONReading
import Posts

// The API's answers, https://docs.bsky.app/docs/api/app-bsky-feed-get-posts. Every field is optional, whatever the
// documentation promises: anybody may write any record.

/// A post as a server of the network shows it, or a repeat of one.
struct BlueskyPost {
  var uri: String?
  var author: BlueskyAuthor?
  var record: BlueskyRecord?
  var indexedAt: Date?
  /// What labels say of it, each once: the author's own and those of moderators.
  var labels: [String]
  var files: [BlueskyFile]
  /// The post that this one quotes, if any. A quote within it is not read.
  var quote: BlueskyQuote?

  /// The role of a post in an answer.
  enum Role { case shown, quoted }

  /// Reads a post view, or the view of a quoted record.
  init(_ fields: JSONObject, as role: Role = .shown) {
    let written = fields.object("record") ?? fields.object("value")
    record = written.map(BlueskyRecord.init)
    let embed = record?.embed
    let view = fields.object("embed") ?? fields.objects("embeds", most: 1).first
    uri = fields.string("uri")
    author = fields.object("author").map(BlueskyAuthor.init)
    indexedAt = fields.moment("indexedAt")
    labels = Self.labels(of: fields) + (record?.labels ?? [])
    files = BlueskyFile.all(in: embed, shownAs: view)
    quote = role == .quoted ? nil : BlueskyQuote(shownIn: view) ?? BlueskyQuote(writtenIn: embed)
  }

  /// The values of labels that apply (https://atproto.com/specs/label).
  static func labels(of fields: JSONObject) -> [String] {
    fields.objects("labels", most: Bounds.options).filter { $0.bool("neg") != true }.compactMap { $0.string("val") }
  }
}

/// What the author wrote: https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/post.json
struct BlueskyRecord {
  var text: String?
  var createdAt: Date?
  var language: String?
  var facets: [BlueskyFacet]
  /// Tags that stand beside the text.
  var tags: [String]
  /// What the author says of it.
  var labels: [String]
  /// What stands below the text.
  var embed: JSONObject?
  /// The address of a card there.
  var card: String?
  /// The address of what Bridgy Fed copied it from (https://fed.brid.gy/docs).
  var bridged: String?

  init(_ fields: JSONObject) {
    text = fields.string("text")
    createdAt = fields.moment("createdAt")
    language = fields.list("langs", most: 10).lazy.compactMap(\.string).first
    facets = fields.objects("facets", most: Bounds.tags).compactMap(BlueskyFacet.init)
    tags = fields.list("tags", most: Bounds.tags).compactMap(\.string)
    labels = fields.object("labels")?.objects("values", most: Bounds.options).compactMap { $0.string("val") } ?? []
    embed = fields.object("embed")
    card = (embed?.object("external") ?? embed?.object("media")?.object("external"))?.string("uri")
    bridged = fields.string("bridgyOriginalUrl")
  }
}

/// A part of a text that is a link or a tag, by its UTF-8 bytes (https://docs.bsky.app/docs/advanced-guides/post-richtext).
struct BlueskyFacet {
  var start, end: Int
  var link, tag: String?

  init?(_ fields: JSONObject) {
    guard let index = fields.object("index"), let start = index.integer("byteStart"),
      let end = index.integer("byteEnd"), start >= 0, start < end
    else { return nil }
    (self.start, self.end) = (start, end)
    for feature in fields.objects("features", most: 10) {
      link = link ?? feature.string("uri")
      tag = tag ?? feature.string("tag")
    }
    if link == nil, tag == nil { return nil }
  }
}

/// Who wrote a post.
struct BlueskyAuthor {
  var did, handle, displayName, avatar: String?
  /// Whether the author asks that only people who are logged in see the posts.
  var isForMembers: Bool

  init(_ fields: JSONObject) {
    did = fields.string("did")
    handle = fields.string("handle")
    displayName = fields.string("displayName")
    avatar = fields.string("avatar")
    isForMembers = BlueskyPost.labels(of: fields).contains("!no-unauthenticated")
  }
}

/// A picture or video of a post.
struct BlueskyFile {
  var kind: Attachment.Kind
  /// The name of its bytes, which its author's server has.
  var cid: String?
  /// A smaller copy, and one for lists.
  var shown, preview: String?
  var alt: String?
  var width, height: Double?
  var byteCount: Int?

  /// The files of a record, with the addresses under which a server shows them.
  static func all(in embed: JSONObject?, shownAs view: JSONObject?) -> [BlueskyFile] {
    let own = embed?.object("media") ?? embed
    let seen = view?.object("media") ?? view
    let written = own?.objects("images", most: Bounds.attachments) ?? []
    let pictures = seen?.objects("images", most: Bounds.attachments) ?? []
    let images = (0..<max(written.count, pictures.count)).map { index in
      BlueskyFile(
        picture: index < written.count ? written[index] : nil, shownAs: index < pictures.count ? pictures[index] : nil)
    }
    let isVideo = own?.has("video") == true || seen?.has("playlist") == true
    return isVideo ? images + [BlueskyFile(video: own, shownAs: seen)] : images
  }

  private init(picture: JSONObject?, shownAs view: JSONObject?) {
    self.init(.image, picture?.object("image"), picture, view)
    shown = view?.string("fullsize")
    preview = view?.string("thumb")
  }

  private init(video: JSONObject?, shownAs view: JSONObject?) {
    let isMoving = (video?.string("presentation") ?? view?.string("presentation")) == "gif"
    self.init(isMoving ? .gifv : .video, video?.object("video"), video, view)
    cid = cid ?? view?.string("cid")
    preview = view?.string("thumbnail")
  }

  private init(_ kind: Attachment.Kind, _ blob: JSONObject?, _ written: JSONObject?, _ view: JSONObject?) {
    self.kind = kind
    // Until 2023 a blob was named without `ref`.
    cid = blob?.object("ref")?.string("$link") ?? blob?.string("cid")
    byteCount = blob?.integer("size")
    alt = written?.string("alt") ?? view?.string("alt")
    let ratio = written?.object("aspectRatio") ?? view?.object("aspectRatio")
    width = ratio?.number("width")
    height = ratio?.number("height")
  }
}

/// A post that another one quotes.
struct BlueskyQuote {
  var uri: String
  /// The post; empty if the server only names it.
  var post: [BlueskyPost] = []
  var written: ArraySlice<UInt8> = []

  /// Reads the quote that a server shows: the post, or that it is gone or blocked. nil if there is none, and if the author
  /// of the quoted post withdrew it.
  init?(shownIn view: JSONObject?) {
    // Beside pictures, the quote is one level deeper.
    let outer = view?.object("record")
    let isBesidePictures = view?.has("media") == true
    guard let value = isBesidePictures ? outer?.value("record") : view?.value("record"), let fields = value.object,
      fields.bool("detached") != true, let uri = fields.string("uri")
    else { return nil }
    self.uri = uri
    if fields.has("value") {
      post = [BlueskyPost(fields, as: .quoted)]
      written = value.written
    }
  }

  /// Reads the quote that a record names.
  init?(writtenIn embed: JSONObject?) {
    let outer = embed?.object("record")
    guard let uri = (outer?.object("record") ?? outer)?.string("uri") else { return nil }
    self.uri = uri
  }
}
