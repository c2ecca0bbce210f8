import FoundationEssentials
import JSONReading
import Posts

/// A post of X, from either API.
struct XPost {
  var id, text, language: String?
  /// The ids of its versions, oldest first; empty if it has only one.
  var versions: [String] = []
  var createdAt: Date?
  var sensitive: Bool?
  /// Shortened links and their targets; nil for links to the post's own pictures.
  var links: [String: String?] = [:]
  var tags: [String] = []
  var author: XUser?
  var files: [XFile] = []
  /// Whether the answer holds the files that the post names.
  var listsFiles = true
}

/// The author of a post.
struct XUser {
  var id, name, spokenName, picture: String?
  /// Whether only those whom they let in see their posts; nil if the answer does not say.
  var isProtected: Bool?

  /// Who may see their posts.
  var visibility: Visibility? { isProtected.map { $0 ? .followers : .public } }
}

/// A picture or video of a post.
struct XFile {
  var id, type, url, preview, alt: String?
  var width, height: Double?
  var films: [XFilm] = []
}

/// One encoding of a video.
struct XFilm {
  var url, type: String?
  var rate: Double?

  init(_ fields: JSONObject) {
    url = fields.string("url")
    type = fields.string("content_type")
    rate = fields.number("bit_rate") ?? fields.number("bitrate")
    // Archives write it as text.
    rate = rate ?? fields.string("bitrate").flatMap { Int($0) }.map(Double.init)
  }
}
