import FoundationEssentials
import JSONReading
import Posts

// The API's answers from 2010 to 2018. Every field is optional, whatever the documentation said.

/// A post.
struct InstagramMedia {
  var id, link, type: String?
  var createdAt: Date?
  var caption: InstagramCaption?
  var user: InstagramUser?
  var tags: [String]
  var files: InstagramFiles
  /// Pictures and videos of a post that has several.
  var carousel: [InstagramFiles]

  init(_ fields: JSONObject) {
    id = fields.text("id")
    link = fields.string("link")
    type = fields.string("type")
    createdAt = fields.moment("created_time")
    caption = fields.value("caption").flatMap(InstagramCaption.init)
    user = fields.object("user").map(InstagramUser.init)
    tags = fields.list("tags", most: Bounds.tags).compactMap(\.string)
    files = InstagramFiles(fields)
    carousel = fields.objects("carousel_media", most: Bounds.attachments).map(InstagramFiles.init)
  }
}

/// The caption of a post. The first servers sent only its text.
struct InstagramCaption {
  var text: String?
  var createdAt: Date?

  init?(_ value: JSONValue) {
    let fields = value.object
    if fields == nil && value.string == nil { return nil }
    text = value.string ?? fields?.string("text")
    createdAt = fields?.moment("created_time")
  }
}

/// The author; in 2010 with first and last name.
struct InstagramUser {
  var id, username, fullName, firstName, lastName, picture: String?
  /// Whether only those whom they let in see their posts; nil if the answer does not say.
  var isPrivate: Bool?

  /// Who may see their posts.
  var visibility: Visibility? { isPrivate.map { $0 ? .followers : .public } }

  init(_ fields: JSONObject) {
    id = fields.text("id")
    username = fields.string("username")
    fullName = fields.string("full_name")
    firstName = fields.string("first_name")
    lastName = fields.string("last_name")
    picture = fields.string("profile_picture")
    isPrivate = fields.bool("is_private")
  }
}

/// One picture or video in its sizes.
struct InstagramFiles {
  var type: String?
  var images: InstagramSizes?
  var videos: InstagramSizes?

  init(_ fields: JSONObject) {
    type = fields.string("type")
    images = fields.object("images").map(InstagramSizes.init)
    videos = fields.object("videos").map(InstagramSizes.init)
  }
}

extension InstagramUser {
  /// Who may see the post of a stored answer, or of what instaloader wrote: it is its author's choice.
  static func visibility(of answer: JSONObject) -> Visibility? {
    (answer.object("user") ?? answer.object("node")?.object("owner")).flatMap { InstagramUser($0).visibility }
  }
}

/// The sizes of one picture or video.
struct InstagramSizes {
  var high, standard, low, small: InstagramFile?

  init(_ fields: JSONObject) {
    high = fields.value("high_resolution").flatMap(InstagramFile.init)
    standard = fields.value("standard_resolution").flatMap(InstagramFile.init)
    low = fields.value("low_resolution").flatMap(InstagramFile.init)
    small =
      fields.value("thumbnail").flatMap(InstagramFile.init) ?? fields.value("low_bandwidth").flatMap(InstagramFile.init)
  }
}

/// The address of a picture or video; in 2010 a bare string.
struct InstagramFile {
  var url: String?
  var width, height: Double?

  init?(_ value: JSONValue) {
    let fields = value.object
    if fields == nil && value.string == nil { return nil }
    url = value.string ?? fields?.string("url")
    width = fields?.number("width")
    height = fields?.number("height")
  }
}
