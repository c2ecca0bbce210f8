import FoundationEssentials
import JSONReading
import Posts

// The API's answers, https://misskey-hub.net/en/docs/for-developers/api/. Every field is optional: servers that descend
// from Misskey omit and add fields.

/// A note, or a boost of one.
struct MisskeyNote {
  var id, uri, url, text, warning, language: String?
  var createdAt, updatedAt: Date?
  var visibility: Visibility?
  var user: MisskeyUser?
  var tags: [String]
  var files: [MisskeyFile]?
  /// The choices of a poll, in order.
  var choices: [String]
  /// Whether its text and files are left out, because its author shows them only to some.
  var isHidden: Bool
  /// Whether it repeats a note and says nothing itself.
  var isBoost: Bool
  /// The note that it repeats or quotes, if the server shows it. A note within that is read only if it is quoted by a
  /// repeated one.
  var other: [MisskeyNote]
  /// That note as it was sent.
  var written: ArraySlice<UInt8> = []

  /// The role of a note in an answer.
  enum Role { case shown, repeated, quoted }

  init(_ fields: JSONObject, as role: Role = .shown) {
    id = fields.text("id")
    uri = fields.string("uri")
    url = fields.string("url")
    text = fields.string("text")
    warning = fields.string("cw")
    language = fields.string("lang")
    createdAt = fields.moment("createdAt")
    updatedAt = fields.moment("updatedAt")
    visibility = Self.ownVisibility(fields)
    user = fields.object("user").map(MisskeyUser.init)
    tags = fields.list("tags", most: Bounds.tags).compactMap(\.string)
    files = fields.value("files")?.elements(most: Bounds.attachments)?.compactMap(\.object).map(MisskeyFile.init)
    choices = fields.object("poll")?.objects("choices", most: Bounds.options).compactMap { $0.string("text") } ?? []
    isHidden = fields.bool("isHidden") ?? false
    isBoost = role == .shown && Self.isBoost(fields)
    other = []
    if role != .quoted, let value = fields.value("renote"), let renote = value.object {
      other = [MisskeyNote(renote, as: isBoost ? .repeated : .quoted)]
      written = value.written
    }
  }

  /// Whether a note repeats another one and has nothing of its own: neither text, warning, files nor poll.
  private static func isBoost(_ fields: JSONObject) -> Bool {
    guard fields.text("renoteId") != nil || fields.object("renote") != nil else { return false }
    return fields.string("text")?.isEmpty != false && fields.string("cw") == nil && fields.object("poll") == nil
      && fields.list("files", most: 1).isEmpty && fields.list("fileIds", most: 1).isEmpty
      && fields.text("replyId") == nil
  }

  /// Who may see the post of a stored answer. A boost is seen by those who may see what it repeats.
  static func visibility(of answer: JSONObject) -> Visibility? {
    // Mastodon's answers, which are kept under the same name, have it in other words.
    guard answer.has("createdAt") else { return nil }
    return ownVisibility(isBoost(answer) ? answer.object("renote") ?? answer : answer)
  }

  private static func ownVisibility(_ fields: JSONObject) -> Visibility? {
    let visibility = Visibility(ofStatus: fields)
    return visibility?.isWide == true && fields.bool("localOnly") == true ? .local : visibility
  }
}

/// The author of a note. A user of the server itself has no host.
struct MisskeyUser {
  var id, username, host, name, avatarURL: String?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    username = fields.string("username")
    host = fields.string("host")
    name = fields.string("name")
    avatarURL = fields.string("avatarUrl")
  }
}

/// A file of a note.
struct MisskeyFile {
  var id, type, name, url, thumbnailURL, comment, blurhash: String?
  var isSensitive: Bool
  var byteCount: Int?
  var width, height: Double?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    type = fields.string("type")
    name = fields.string("name")
    url = fields.string("url")
    thumbnailURL = fields.string("thumbnailUrl")
    comment = fields.string("comment")
    blurhash = fields.string("blurhash")
    isSensitive = fields.bool("isSensitive") ?? false
    byteCount = fields.integer("size")
    let properties = fields.object("properties")
    width = properties?.number("width")
    height = properties?.number("height")
  }
}
