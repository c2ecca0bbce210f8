import FoundationEssentials
import JSONReading
import Machine
import Posts

// The answers of API 1.1 in its extended mode. Every field is optional.

/// A post, or a repeat of one.
struct XStatus {
  private var post = XPost()
  /// The post that this one repeats, if any. A repeat within it is not read.
  private var repeated: [XStatus] = []
  /// The post that this one quotes, if any, and its verbatim answer. A quote within it is not read.
  private var quoted: [(post: XStatus, raw: ArraySlice<UInt8>)] = []

  /// The role of a post in an answer.
  enum Role { case shown, repeated, quoted }

  /// Reads a post. A repeated one has no repeat, and a quoted one has no repeat or quote.
  init(_ fields: JSONObject, as role: Role = .shown) {
    post.id = fields.string("id_str") ?? fields.text("id")
    // In compatibility mode the post itself holds only the beginning of its text.
    let whole = fields.object("extended_tweet") ?? fields
    post.text = whole.string("full_text") ?? fields.string("full_text") ?? fields.string("text")
    post.language = fields.string("lang")
    post.createdAt = fields.string("created_at").flatMap(Self.date)
    post.sensitive = fields.bool("possibly_sensitive")
    post.author = fields.object("user").map(Self.user)
    let parts = whole.object("entities") ?? fields.object("entities")
    let entities = parts.map(XEntities.init)
    post.tags = entities?.tags ?? []
    post.links = entities?.links ?? [:]
    // `entities` holds only the first file.
    let listed = whole.object("extended_entities") ?? fields.object("extended_entities") ?? parts
    let files = listed?.objects("media", most: Bounds.attachments) ?? []
    post.files = files.map(Self.file)
    for link in files.compactMap({ $0.string("url") }) { post.links[link] = .some(nil) }
    repeated = role == .shown ? fields.object("retweeted_status").map { [XStatus($0, as: .repeated)] } ?? [] : []
    if role != .quoted, let value = fields.value("quoted_status"), let inner = value.object {
      quoted = [(XStatus(inner, as: .quoted), value.written)]
    }
  }

  /// Who may see the post of a stored answer, of either API, or of what gallery-dl wrote: it is its author's choice.
  static func visibility(of answer: JSONObject) -> Visibility? {
    let shown = answer.object("retweeted_status") ?? answer
    let author = shown.object("user") ?? shown.object("author")
    return XUser(isProtected: author?.bool("protected")).visibility
  }

  /// The post as an entry of a page of `server`.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    let shown = repeated.first ?? self
    var item = shown.post.pageItem(on: server, raw: raw)
    if !repeated.isEmpty { item = post.repeating(item, on: server) }
    if let (quoted, slice) = shown.quoted.first { item.quoted = quoted.post.quotation(on: server, slice: slice) }
    return item
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Wed Aug 27 13:08:45 +0000 2008`.
  private static func date(_ text: String) -> Date? {
    let words = text.split(separator: " ")
    guard text.utf8.count <= 40, words.count == 6 else { return nil }
    if words[4] == "+0000", let month = months.firstIndex(of: String(words[1])) {
      if let date = UTC.date("\(words[5])-\((month + 1).digits(2))-\(words[2])T\(words[3])Z") { return date }
    }
    return FeedDate.read("\(words[2]) \(words[1]) \(words[5]) \(words[3]) \(words[4])")
  }

  private static func user(_ fields: JSONObject) -> XUser {
    XUser(
      id: fields.string("id_str") ?? fields.text("id"), name: fields.string("screen_name"),
      spokenName: fields.string("name"), picture: fields.string("profile_image_url_https"),
      isProtected: fields.bool("protected"))
  }

  static func file(_ fields: JSONObject) -> XFile {
    let size = fields.object("original_info")
    let films = fields.object("video_info")
    let address = fields.string("media_url_https")
    return XFile(
      id: fields.string("id_str") ?? fields.text("id"), type: fields.string("type"), url: address, preview: address,
      alt: fields.string("ext_alt_text"), width: size?.number("width"), height: size?.number("height"),
      films: films?.objects("variants", most: Bounds.attachments).map(XFilm.init) ?? [])
  }
}
