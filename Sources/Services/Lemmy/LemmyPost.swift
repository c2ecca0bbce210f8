import FoundationEssentials
import JSONReading
import Posts

// The APIs' answers: https://github.com/LemmyNet/lemmy-js-client/tree/main/src/types for Lemmy, `/api/alpha/swagger` of a
// server for PieFed. Every field is optional: the versions differ in their names.

/// A post with what an answer says of its author and its community.
struct LemmyPost {
  var id, uri, title, body, url, mediaType, kind, thumbnailURL, videoURL, alt: String?
  var createdAt, updatedAt: Date?
  var language: Int?
  /// Whether its author deleted it, or a moderator removed it.
  var isGone: Bool
  var isSensitive: Bool
  var isPinnedInCommunity, isPinnedOnSite: Bool
  var author: LemmyPerson?
  var visibility: Visibility?
  /// The tags that stand beside the text.
  var tags: [String]
  /// The choices of a poll, in order.
  var choices: [String]
  var size: LemmySize?

  /// Reads the view of a post; nil if it holds none.
  init?(_ view: JSONObject) {
    guard let fields = view.object("post") else { return nil }
    let community = view.object("community")
    id = fields.text("id")
    uri = fields.string("ap_id")
    title = fields.string("name") ?? fields.string("title")
    body = fields.string("body")
    url = fields.string("url")
    mediaType = fields.string("url_content_type")
    kind = fields.string("post_type")
    thumbnailURL = fields.string("thumbnail_url")
    videoURL = fields.string("embed_video_url")
    alt = fields.string("alt_text") ?? view.string("alt_text")
    createdAt = fields.moment("published_at") ?? fields.moment("published")
    updatedAt = fields.moment("updated_at") ?? fields.moment("updated")
    // PieFed numbers languages at each server anew.
    language = fields.has("name") ? fields.integer("language_id") : nil
    isGone = fields.bool("deleted") == true || fields.bool("removed") == true
    isSensitive = fields.bool("nsfw") == true || community?.bool("nsfw") == true
    isPinnedInCommunity = fields.bool("featured_community") ?? false
    isPinnedOnSite = fields.bool("featured_local") ?? false
    author = view.object("creator").map(LemmyPerson.init)
    visibility = community.flatMap(Self.visibility(ofCommunity:))
    tags = Self.tags(of: view, fields)
    choices =
      fields.object("poll")?.objects("choices", most: Bounds.options).compactMap { $0.string("choice_text") } ?? []
    size = (view.object("image_details") ?? fields.object("image_details")).map(LemmySize.init)
  }

  /// Those of Lemmy 1.0 are objects, those of PieFed a text: `#cats, #night sky`.
  private static func tags(of view: JSONObject, _ fields: JSONObject) -> [String] {
    let named = view.objects("tags", most: Bounds.tags).compactMap { $0.string("display_name") ?? $0.string("name") }
    let written = fields.string("tags").map { Bounds.cut($0, bytes: Bounds.block) } ?? ""
    return named + written.split { $0 == "," || $0 == "#" }.prefix(Bounds.tags).map(String.init)
  }

  /// Who may see the posts of communities, by the words of both versions.
  private static let visibilities: [String: Visibility] = [
    "public": .public, "unlisted": .unlisted, "private": .followers, "localonly": .local,
    "local_only_public": .local, "local_only_private": .local,
  ]

  /// Who may see the posts of a community; nil if it does not say. A word that nobody knows is the narrowest.
  private static func visibility(ofCommunity fields: JSONObject) -> Visibility? {
    guard let value = fields.value("visibility"), !value.isNull else {
      // PieFed says so of a private community.
      return fields.bool("hidden") == true ? .followers : nil
    }
    return value.string.flatMap { visibilities[$0.lowercased()] } ?? .direct
  }

  /// Who may see the post of a stored answer.
  static func visibility(of answer: JSONObject) -> Visibility? {
    answer.object("community").flatMap(visibility(ofCommunity:))
  }
}

/// The author of a post.
struct LemmyPerson {
  var uri, name, displayName, avatarURL: String?

  init(_ fields: JSONObject) {
    uri = fields.string("ap_id") ?? fields.string("actor_id")
    name = fields.string("name") ?? fields.string("user_name")
    displayName = fields.string("display_name") ?? fields.string("title")
    avatarURL = fields.string("avatar")
  }
}

/// The size of a picture.
struct LemmySize {
  /// The address of the picture; nil if it is the post's own.
  var address: String?
  var width, height: Double?
  var blurhash: String?

  init(_ fields: JSONObject) {
    address = fields.string("link")
    width = fields.number("width")
    height = fields.number("height")
    blurhash = fields.string("blurhash")
  }
}
