import FoundationEssentials
import JSONReading
import Posts

// The API's answers, https://www.tumblr.com/docs/en/api/v2 and https://www.tumblr.com/docs/npf. Every field is optional.

/// A post of a blog: a page of blocks, or one of the older kinds, each with fields of its own.
struct TumblrPost {
  var id, url, title: String?
  var createdAt: Date?
  var visibility: Visibility?
  /// Whether the post does not say who may see it, and `visibility` is the narrowest that it may be.
  var assumesVisibility: Bool
  var isSensitive: Bool
  var warnings: [String]
  var tags: [String]
  var blog: TumblrBlog
  /// What the blog itself wrote.
  var own: TumblrContent
  /// What it reblogs: the posts before it, the oldest first.
  var trail: [TumblrTrail]

  /// Reads a post.
  ///
  /// - Parameter isOfPerson: Whether a person asked. The post does not say then whether its blog is shown to others, too.
  init(_ fields: JSONObject, isOfPerson: Bool) {
    id = Self.id(fields)
    url = fields.string("post_url")
    createdAt = fields.moment("timestamp")
    let said = Self.visibility(of: fields)
    assumesVisibility = isOfPerson && (said ?? .public) == .public
    visibility = assumesVisibility ? .followers : said
    blog = TumblrBlog(fields.object("blog"), name: fields.string("blog_name"))
    tags = fields.list("tags", most: Bounds.tags).compactMap(\.string)
    let labels = fields.object("community_labels")
    warnings = labels?.list("categories", most: 10).compactMap(\.string) ?? []
    isSensitive = fields.bool("is_nsfw") ?? false || labels?.bool("has_community_label") ?? false
    let isOfBlocks = fields.value("content")?.elements(most: 1) != nil
    title = isOfBlocks ? nil : fields.string("title")
    own = isOfBlocks ? TumblrContent(blocks: fields) : TumblrContent(older: fields)
    trail = isOfBlocks ? fields.objects("trail", most: TumblrTrail.most).map(TumblrTrail.init) : []
  }

  /// The id, which as a number may be beyond what other programs read exactly.
  static func id(_ fields: JSONObject) -> String? {
    Bounds.word(fields.string("id_string") ?? fields.text("id"), bytes: Bounds.id).flatMap { text in
      text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? text : nil
    }
  }

  /// Who may see a post: everybody once it is published, unless one has to pay for it.
  static func visibility(of fields: JSONObject) -> Visibility? {
    guard let state = fields.string("state") else { return nil }
    guard state == "published" else { return .direct }
    return fields.bool("is_paywalled") == true ? .followers : .public
  }
}

/// A blog. Its name may change, its identifier does not.
struct TumblrBlog {
  var uuid, name, title, url, avatar: String?

  init(_ fields: JSONObject?, name: String?) {
    uuid = fields?.string("uuid")
    self.name = fields?.string("name") ?? name
    title = fields?.string("title")
    url = fields?.string("url")
    let avatars = fields?.objects("avatar", most: 20) ?? []
    avatar = avatars.max { $0.number("width") ?? 0 < $1.number("width") ?? 0 }?.string("url")
  }
}

/// A post that another one reblogs, as far as that carries it.
struct TumblrTrail {
  /// The most posts of a trail that are read.
  static let most = 50

  var id: String?
  var blog: TumblrBlog
  var content: TumblrContent

  init(_ fields: JSONObject) {
    id = fields.object("post").flatMap(TumblrPost.id)
    blog = TumblrBlog(fields.object("blog"), name: fields.string("broken_blog_name"))
    content = TumblrContent(blocks: fields)
  }
}
