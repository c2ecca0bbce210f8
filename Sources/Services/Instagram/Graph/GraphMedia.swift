import Foundation
import JSONReading
import Posts

// The answers of Meta's Graph API about the posts of a hashtag. Every field is optional, whatever was documented.

/// A post.
struct GraphMedia {
  var id, caption, permalink: String?
  var createdAt: Date?
  /// The one picture or video of a post that has no children.
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

/// A picture or video. Its address is left out of what somebody else has rights in.
struct GraphFile {
  var id, type, url: String?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    type = fields.string("media_type")
    url = fields.string("media_url")
  }
}
