import FoundationEssentials
import JSONReading
import Posts

// The API's answers, https://docs.joinmastodon.org/entities/Status/. Every field is optional, whatever the
// documentation promises: compatible servers omit and mistype each of them.

/// An entry of a timeline: a status or a repeat of one.
struct MastodonStatus {
  var id, uri, url, content, spoilerText, language: String?
  var createdAt, editedAt: Date?
  var sensitive: Bool?
  var visibility: Visibility?
  var account: MastodonAccount?
  /// Their names.
  var tags: [String]
  var mediaAttachments: [MastodonAttachment]?
  /// The status that this one repeats, if any. A repeat within it is not read: nobody repeats a repeat, and a hostile
  /// answer could nest them at will.
  var reblog: [MastodonStatus]
  /// The status that this one quotes, if any. A quote within it is not read.
  var quote: MastodonQuote?
  /// The options of a poll, in order.
  var options: [String]

  /// The role of a status in an answer.
  enum Role { case shown, repeated, quoted }

  /// Reads a status. A repeated one has no repeat, and a quoted one has no repeat or quote.
  init(_ fields: JSONObject, as role: Role = .shown) {
    id = fields.text("id")
    uri = fields.string("uri")
    url = fields.string("url")
    content = fields.string("content")
    spoilerText = fields.string("spoiler_text")
    language = fields.string("language")
    createdAt = fields.moment("created_at")
    editedAt = fields.moment("edited_at")
    sensitive = fields.bool("sensitive")
    visibility = Visibility(ofStatus: fields)
    account = fields.object("account").map(MastodonAccount.init)
    tags = fields.list("tags", most: Bounds.tags).compactMap(Self.tag)
    let attachments = fields.value("media_attachments")?.elements(most: Bounds.attachments)
    mediaAttachments = attachments?.compactMap(\.object).map(MastodonAttachment.init)
    options = fields.object("poll")?.objects("options", most: Bounds.options).compactMap { $0.string("title") } ?? []
    reblog = role == .shown ? fields.object("reblog").map { [MastodonStatus($0, as: .repeated)] } ?? [] : []
    quote = role == .quoted ? nil : MastodonQuote(of: fields)
  }

  /// A tag's name; some servers send it bare.
  private static func tag(_ value: JSONValue) -> String? { value.string ?? value.object?.string("name") }
}

/// A status that another one quotes.
///
/// Since 4.4 Mastodon wraps it (https://docs.joinmastodon.org/entities/Quote/). Akkoma, Iceshrimp, Sharkey and Fedibird
/// return the status itself, Pleroma beside its own fields, and only its address if the server cannot show it.
struct MastodonQuote {
  /// The status; empty if the server only names it.
  var status: [MastodonStatus] = []
  var written: ArraySlice<UInt8> = []
  var url: String?

  /// Reads the quote of a status; nil if there is none, or none that may be shown.
  init?(of fields: JSONObject) {
    let own = fields.object("pleroma")
    url = own?.string("quote_url") ?? fields.string("quote_url")
    let given = [fields.value("quote"), own?.value("quote")].compactMap { $0 }.first { $0.object != nil }
    if let given, let wrapper = given.object {
      let isWrapped = wrapper.has("quoted_status") || wrapper.has("quoted_status_id")
      if isWrapped, let state = wrapper.string("state"), state != "accepted" { return nil }
      let value = isWrapped ? wrapper.value("quoted_status") : given
      if let value, let inner = value.object {
        status = [MastodonStatus(inner, as: .quoted)]
        written = value.written
      }
    }
    if status.isEmpty, url == nil { return nil }
  }
}

/// The author of a status, https://docs.joinmastodon.org/entities/Account/.
struct MastodonAccount {
  var id, uri, url, acct, username, displayName, avatar, avatarStatic: String?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    uri = fields.string("uri")
    url = fields.string("url")
    acct = fields.string("acct")
    username = fields.string("username")
    displayName = fields.string("display_name")
    avatar = fields.string("avatar")
    avatarStatic = fields.string("avatar_static")
  }
}

/// A picture, video or sound, https://docs.joinmastodon.org/entities/MediaAttachment/.
struct MastodonAttachment {
  var id, type, url, remoteURL, previewURL, description, blurhash: String?
  /// Only Pleroma and Akkoma send it.
  var mediaType: String?
  var width, height: Double?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    type = fields.string("type")
    url = fields.string("url")
    remoteURL = fields.string("remote_url")
    previewURL = fields.string("preview_url")
    description = fields.string("description")
    blurhash = fields.string("blurhash")
    mediaType = fields.object("pleroma")?.string("mime_type")
    let size = fields.object("meta")?.object("original")
    width = size?.number("width")
    height = size?.number("height")
  }
}
