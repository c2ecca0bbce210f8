import FoundationEssentials
import JSONReading

// The answers of Meta's Graph API for a hashtag's posts. Every field is optional, whatever the documentation says.

/// A post.
struct GraphMedia {
  var id, caption, permalink: String?
  var createdAt: Date?
  /// The only picture or video of a post without children.
  var file: GraphFile
  /// Pictures and videos of a post that has several.
  var children: [GraphFile]

  init(_ fields: JSONObject) {
    id = fields.text("id")
    caption = fields.string("caption")
    permalink = fields.string("permalink")
    createdAt = fields.moment("timestamp")
    file = GraphFile(fields)
    let album = fields.object("children")
    children = album?.objects("data", most: Bounds.attachments).map(GraphFile.init) ?? []
  }
}

/// A picture or video. It has no address if somebody else holds rights in it.
struct GraphFile {
  var id, type, url: String?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    type = fields.string("media_type")
    url = fields.string("media_url")
  }
}
