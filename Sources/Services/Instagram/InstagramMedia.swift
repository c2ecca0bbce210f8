import Foundation
import JSONReading
import Posts

// The answers of the API as they stood from 2010 to 2018. Every field is optional, whatever was documented.

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

/// What people wrote under a post; the first servers sent its text alone.
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

/// Who posted; in 2010 with first and last name.
struct InstagramUser {
  var id, username, fullName, firstName, lastName, picture: String?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    username = fields.string("username")
    fullName = fields.string("full_name")
    firstName = fields.string("first_name")
    lastName = fields.string("last_name")
    picture = fields.string("profile_picture")
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

/// Where a picture or video lies; in 2010 its address alone.
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
