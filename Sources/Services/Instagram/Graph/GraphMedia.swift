import Foundation
import Posts

// The answers of Meta's Graph API about the posts of a hashtag. Every field is optional, whatever was documented.

/// A post.
struct GraphMedia: Decodable {
  var id, caption, permalink: String?
  var createdAt: Date?
  /// The one picture or video of a post that has no children.
  var file: GraphFile
  /// Pictures and videos of a post that has several.
  var children: [GraphFile]

  private enum Key: String, CodingKey {
    case id, caption, permalink, children, data
    case createdAt = "timestamp"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = fields.text(.id)
    caption = fields.lossy(.caption)
    permalink = fields.lossy(.permalink)
    createdAt = fields.moment(.createdAt)
    file = try GraphFile(from: decoder)
    let album = fields.object(.children)
    children = album?.list(.data, most: Bounds.attachments) ?? []
  }
}

/// A picture or video. Its address is left out of what somebody else has rights in.
struct GraphFile: Decodable {
  var id, type, url: String?

  private enum Key: String, CodingKey {
    case id
    case type = "media_type"
    case url = "media_url"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = fields.text(.id)
    type = fields.lossy(.type)
    url = fields.lossy(.url)
  }
}

/// Where older posts begin.
struct GraphPaging: Decodable {
  var after, next: String?

  private enum Key: String, CodingKey { case cursors, after, next }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    after = (try? fields.nestedContainer(keyedBy: Key.self, forKey: .cursors))?.text(.after)
    next = fields.lossy(.next)
  }
}
