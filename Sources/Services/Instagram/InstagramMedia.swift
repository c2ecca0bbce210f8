import Foundation
import Posts

// The answers of the API as they stood from 2010 to 2018. Every field is optional, whatever was documented.

/// A post.
struct InstagramMedia: Decodable {
  var id, link, type: String?
  var createdAt: Date?
  var caption: InstagramCaption?
  var user: InstagramUser?
  var tags: [String]
  var files: InstagramFiles
  /// Pictures and videos of a post that has several.
  var carousel: [InstagramFiles]

  private enum Key: String, CodingKey {
    case id, link, type, caption, user, tags
    case createdAt = "created_time"
    case carousel = "carousel_media"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = fields.text(.id)
    link = fields.lossy(.link)
    type = fields.lossy(.type)
    createdAt = fields.moment(.createdAt)
    caption = fields.lossy(.caption)
    user = fields.lossy(.user)
    tags = fields.list(.tags, most: Bounds.tags)
    files = try InstagramFiles(from: decoder)
    carousel = fields.list(.carousel, most: Bounds.attachments)
  }
}

/// What people wrote under a post; the first servers sent its text alone.
struct InstagramCaption: Decodable {
  var text: String?
  var createdAt: Date?

  private enum Key: String, CodingKey {
    case text
    case createdAt = "created_time"
  }

  init(from decoder: any Decoder) throws {
    // What nearly all are is tried first: an attempt that fails takes longer than one that does not.
    if let fields = try? decoder.container(keyedBy: Key.self) {
      text = fields.lossy(.text)
      createdAt = fields.moment(.createdAt)
    } else {
      text = try decoder.singleValueContainer().decode(String.self)
    }
  }
}

/// Who posted; in 2010 with first and last name.
struct InstagramUser: Decodable {
  var id, username, fullName, firstName, lastName, picture: String?

  private enum Key: String, CodingKey {
    case id, username
    case fullName = "full_name"
    case firstName = "first_name"
    case lastName = "last_name"
    case picture = "profile_picture"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = fields.text(.id)
    username = fields.lossy(.username)
    fullName = fields.lossy(.fullName)
    firstName = fields.lossy(.firstName)
    lastName = fields.lossy(.lastName)
    picture = fields.lossy(.picture)
  }
}

/// One picture or video in its sizes.
struct InstagramFiles: Decodable {
  var type: String?
  var images: InstagramSizes?
  var videos: InstagramSizes?

  private enum Key: String, CodingKey { case type, images, videos }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    type = fields.lossy(.type)
    images = fields.lossy(.images)
    videos = fields.lossy(.videos)
  }
}

/// The sizes of one picture or video.
struct InstagramSizes: Decodable {
  var standard, low, small: InstagramFile?

  private enum Key: String, CodingKey {
    case standard = "standard_resolution"
    case low = "low_resolution"
    case thumbnail
    case bandwidth = "low_bandwidth"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    standard = fields.lossy(.standard)
    low = fields.lossy(.low)
    small = fields.lossy(.thumbnail) ?? fields.lossy(.bandwidth)
  }
}

/// Where a picture or video lies; in 2010 its address alone.
struct InstagramFile: Decodable {
  var url: String?
  var width, height: Double?

  private enum Key: String, CodingKey { case url, width, height }

  init(from decoder: any Decoder) throws {
    if let fields = try? decoder.container(keyedBy: Key.self) {
      url = fields.lossy(.url)
      width = fields.lossy(.width)
      height = fields.lossy(.height)
    } else {
      url = try decoder.singleValueContainer().decode(String.self)
    }
  }
}
