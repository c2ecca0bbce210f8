import FoundationEssentials
import JSONReading

// The answers of API v2, https://docs.x.com/x-api: posts, with the users and files that they refer to. Every field is
// optional, whatever the documentation promises.

/// A post.
struct XTweet {
  private var post = XPost()
  private var authorID: String?
  private var mediaKeys: [String]
  /// The id of the post that this one repeats. A repeat holds only the beginning of the other's text.
  private(set) var repeated: String?
  /// The id of the post that this one quotes.
  private(set) var quoted: String?
  /// The ids of its versions, oldest first.
  var versions: [String] { post.versions }

  init(_ fields: JSONObject) {
    post.id = fields.text("id")
    post.language = fields.string("lang")
    post.createdAt = fields.moment("created_at")
    post.sensitive = fields.bool("possibly_sensitive")
    post.versions = fields.list("edit_history_tweet_ids", most: 10).compactMap(\.string)
    authorID = fields.text("author_id")
    let attachments = fields.object("attachments")
    mediaKeys = attachments?.list("media_keys", most: Bounds.attachments).compactMap(\.string) ?? []
    let references = fields.objects("referenced_tweets", most: 10)
    repeated = references.first { $0.string("type") == "retweeted" }?.text("id")
    quoted = references.first { $0.string("type") == "quoted" }?.text("id")
    // For a long post `text` is only the beginning.
    let note = fields.object("note_tweet")
    post.text = note?.string("text") ?? fields.string("text")
    for entities in [fields.object("entities"), note?.object("entities")].compactMap({ $0.map(XEntities.init) }) {
      post.tags += entities.tags
      post.links.merge(entities.links) { _, later in later }
    }
    let own = ["photo", "video"].map { "/status/\(post.id ?? "")/\($0)/" }
    for (short, target) in post.links where own.contains(where: { target?.contains($0) == true }) {
      post.links[short] = .some(nil)
    }
  }

  /// The post with its author and files from the answer's `includes`.
  func post(with includes: XIncludes) -> XPost {
    var post = post
    post.author = authorID.flatMap { includes.users[$0] }
    post.files = mediaKeys.compactMap { includes.files[$0] }
    post.listsFiles = mediaKeys.isEmpty || !post.files.isEmpty
    return post
  }
}

/// The links and tags in a text, nearly the same in both APIs.
struct XEntities {
  var tags: [String]
  var links: [String: String?] = [:]

  init(_ fields: JSONObject) {
    // "tag" in v2, "text" in v1.1.
    tags = fields.objects("hashtags", most: Bounds.tags).compactMap { $0.string("tag") ?? $0.string("text") }
    for link in fields.objects("urls", most: Bounds.tags) {
      // Archives write the links of long posts in other words.
      let whole = link.string("expanded_url") ?? link.string("expandedUrl")
      guard let short = link.string("url") ?? link.string("shortUrl"), let target = Bounds.webAddress(whole) else {
        continue
      }
      links[short] = .some(link.string("media_key") == nil ? target : nil)
    }
    for link in fields.objects("media", most: Bounds.tags) {
      if let short = link.string("url") { links[short] = .some(nil) }
    }
  }
}

/// The objects beside the posts of a page.
struct XIncludes {
  var users: [String: XUser] = [:]
  var files: [String: XFile] = [:]
  /// The posts that others refer to, each with its verbatim answer.
  var posts: [String: (post: XTweet, raw: ArraySlice<UInt8>)] = [:]

  /// Nothing.
  init() {}

  init(_ fields: JSONObject) {
    for user in fields.objects("users", most: 4 * Bounds.posts).map(User.init) { users[user.id] = user.user }
    add(fields.objects("media", most: 20 * Bounds.posts))
    for value in fields.list("tweets", most: 2 * Bounds.posts) where value.written.count <= Bounds.post {
      guard let fields = value.object, let id = fields.text("id") else { continue }
      posts[id] = (XTweet(fields), value.written)
    }
  }

  /// What stands inside of a post, as `twarc2 flatten` writes it: its author and files, and the posts that it refers to with
  /// theirs.
  init(inside fields: JSONObject) {
    addInner(of: fields)
    for value in fields.list("referenced_tweets", most: 10) where value.written.count <= Bounds.post {
      guard let inner = value.object, let id = inner.text("id"), inner.has("text") else { continue }
      posts[id] = (XTweet(inner), value.written)
      addInner(of: inner)
    }
  }

  private mutating func addInner(of fields: JSONObject) {
    if let author = fields.object("author").map(User.init) { users[author.id] = author.user }
    add(fields.object("attachments")?.objects("media", most: Bounds.attachments) ?? [])
  }

  private mutating func add(_ media: [JSONObject]) {
    for file in media {
      let key = file.text("media_key") ?? ""
      files[key] = XFile(
        id: key, type: file.string("type"), url: file.string("url"), preview: file.string("preview_image_url"),
        alt: file.string("alt_text"), width: file.number("width"), height: file.number("height"),
        films: file.objects("variants", most: Bounds.attachments).map(XFilm.init))
    }
  }

  /// A user, https://docs.x.com/x-api/fundamentals/data-dictionary#user.
  struct User {
    var id: String
    var user: XUser

    init(_ fields: JSONObject) {
      id = fields.text("id") ?? ""
      user = XUser(
        id: id, name: fields.string("username"), spokenName: fields.string("name"),
        picture: fields.string("profile_image_url"), isProtected: fields.bool("protected"))
    }
  }
}
