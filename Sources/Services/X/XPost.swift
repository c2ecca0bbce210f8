import Foundation
import JSONReading
import Posts

/// A post of X, of whichever API it came.
struct XPost {
  var id, text, language: String?
  /// The ids of its versions, the first one first; empty where it has one.
  var versions: [String] = []
  var createdAt: Date?
  var sensitive: Bool?
  /// Shortened links and where they lead; nil for those that stand for the post's own pictures.
  var links: [String: String?] = [:]
  var tags: [String] = []
  var author: XUser?
  var files: [XFile] = []
  /// Whether the answer holds the files that the post names.
  var listsFiles = true
}

/// Who wrote a post.
struct XUser {
  var id, name, spokenName, picture: String?
}

/// A picture or video of a post.
struct XFile {
  var id, type, url, preview, alt: String?
  var width, height: Double?
  var films: [XFilm] = []
}

/// One of the forms a video comes in.
struct XFilm {
  var url, type: String?
  var rate: Double?

  init(_ fields: JSONObject) {
    url = fields.string("url")
    type = fields.string("content_type")
    rate = fields.number("bit_rate") ?? fields.number("bitrate")
  }
}
