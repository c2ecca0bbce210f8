import FoundationEssentials
import JSONReading
import Markup
import Posts

// Mastodon's archive: an outbox of ActivityStreams (https://www.w3.org/TR/activitystreams-core/), with the files beside
// it. Other ActivityPub programs write the same outbox.

extension ArchiveForm {
  static let mastodon = ArchiveForm(
    "mastodon", "an archive of Mastodon, or an outbox of ActivityStreams",
    layout: { path, head in
      let start = String(decoding: head, as: UTF8.self)
      let isOutbox = start.contains("OrderedCollection") || start.contains("orderedItems")
      // People give an outbox any name.
      let isObject = start.first { !$0.isWhitespace } == "{"
      guard isOutbox ? isObject || path.hasSuffix(".json") : fileName(path) == "outbox.json" else { return nil }
      return ["likes.json", "bookmarks.json"].contains(fileName(path))
        ? nil : .array(member: "orderedItems", total: "totalItems", hasPages: true)
    },
    isAbout: { fileName($0) == "actor.json" },
    about: { About(owner: JSONObject($0).flatMap(MastodonNote.author)) }
  ) { element, origin in
    guard let activity = JSONObject(element) else {
      return JSONText.isString(element)
        ? [.leftOut("activities of which only the address is known")] : unreadable(element)
    }
    return [MastodonNote.element(activity, element, origin)]
  }

  /// Pixelfed's statuses: the answers of its API.
  static let pixelfed = ArchiveForm(
    "pixelfed", "the statuses that Pixelfed exports, or answers of Mastodon's API",
    layout: { path, head in
      let start = String(decoding: head, as: UTF8.self)
      let isArray = start.first { !$0.isWhitespace } == "["
      return path.hasSuffix(".json") && isArray && start.contains("\"visibility\"") && start.contains("\"account\"")
        ? .array(member: nil) : nil
    }
  ) { element, _ in
    guard let fields = JSONObject(element) else { return unreadable(element) }
    let uri = fields.string("uri") ?? fields.string("url")
    guard let host = uri.flatMap({ Bounds.webAddress($0) }).flatMap({ Server($0) }) else { return unreadable(element) }
    let item = MastodonStatus(fields).pageItem(on: host, raw: element)
    return [.post(FoundPost(item))]
  }
}

/// An activity of an outbox that created a post.
enum MastodonNote {
  static func element(_ activity: JSONObject, _ raw: [UInt8], _ origin: ArchiveForm.Origin) -> ArchiveForm.Element {
    switch activity.string("type") {
    case "Announce": return .leftOut("boosts, of which only the address is known")
    case "Create":
      guard let note = activity.object("object") else { return .leftOut("posts of which only the address is known") }
      return element(of: note, in: activity, raw, origin)
    case "Note", "Question", "Article", "Page", "Image", "Video", "Audio", "Event":
      return element(of: activity, in: activity, raw, origin)
    default: return .leftOut("activities that are no posts")
    }
  }

  private static func element(
    of note: JSONObject, in activity: JSONObject, _ raw: [UInt8], _ origin: ArchiveForm.Origin
  ) -> ArchiveForm.Element {
    let uri = Bounds.identity(note.string("id"))
    guard let uri else {
      return .post(FoundPost(PageItem(id: nil, content: .unreadable(reason: "it has neither uri nor url"), raw: raw)))
    }
    guard let date = note.moment("published") ?? activity.moment("published") else {
      return .post(FoundPost(PageItem(id: uri, content: .unreadable(reason: "it has no usable published"), raw: raw)))
    }
    // A note that has its text by languages need not have it once more.
    let content = note.string("content") ?? note.object("contentMap")?.members(most: 1).first?.value.string
    let html = content.map { Bounds.verbatim($0, bytes: Bounds.caption) }
    let attached = note.values("attachment", most: Bounds.attachments).compactMap(\.object).map(NotedFile.init)
    let media = attached.filter { !$0.isPage }
    let author = origin.owner ?? author(of: note, in: activity)
    let address = Bounds.webAddress(note.address("url"))
    // What is called a page may have the address of the one to which it leads, as Lemmy's were until 2022.
    let host = address.flatMap { WebIdentity.host(of: $0) }
    let isLink = note.string("type") == "Page" && host != nil && host != WebIdentity.host(of: uri)
    let links = attached.filter(\.isPage).map(\.attachment.url) + [isLink ? address : nil]
    let post = Post(
      source: .mastodon, uri: uri, url: isLink ? Bounds.webAddress(uri) : address ?? Bounds.webAddress(uri),
      author: author, createdAt: date, editedAt: note.moment("updated"), title: Bounds.line(note.string("name")),
      caption: caption(note, html, links: links.compactMap(\.self)), captionHTML: html,
      warning: Bounds.block(note.string("summary")) ?? "",
      sensitive: note.bool("sensitive") ?? false, language: language(note),
      visibility: Visibility(ofNote: note, in: activity), tags: tags(note),
      attachments: media.map(\.attachment))
    return .post(FoundPost(PageItem(id: uri, content: .post(post), raw: raw)), files: media.map(\.file))
  }

  /// The text, the addresses of pages that it does not name, and the answers of a poll.
  private static func caption(_ note: JSONObject, _ html: String?, links: [String]) -> String {
    let text = Caption.plainText(html: html ?? "", [.keepsSpaces, .showsHidden])
    let choices = note.values("oneOf", most: Bounds.options) + note.values("anyOf", most: Bounds.options)
    let answers = choices.compactMap { Bounds.line($0.object?.string("name")) }.map { "○ \($0)" }
    var named: Set<String> = []
    let unnamed = links.filter { !text.contains($0) && named.insert($0).inserted }
    let parts = ([text] + unnamed + [answers.joined(separator: "\n")]).filter { !$0.isEmpty }
    return Bounds.cut(parts.joined(separator: "\n\n"), bytes: Bounds.caption)
  }

  private static func tags(_ note: JSONObject) -> [String] {
    var seen: Set<String> = []
    return note.values("tag", most: Bounds.tags).compactMap(\.object).filter { $0.string("type") == "Hashtag" }
      .compactMap { $0.string("name").flatMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) } }
      .filter { seen.insert($0).inserted }
  }

  /// The language under which the note's map has the text that the note shows, else its first one.
  private static func language(_ note: JSONObject) -> String? {
    let texts = note.object("contentMap")?.members(most: 100) ?? []
    let content = note.string("content")
    return Bounds.word((texts.first { $0.value.string == content } ?? texts.first)?.name, bytes: 35)
  }

  /// The author of an archive (`actor.json`).
  static func author(_ actor: JSONObject) -> Author? {
    guard var author = author(named: actor.string("id")) else { return nil }
    // https://codeberg.org/fediverse/fep/src/branch/main/fep/2c59/fep-2c59.md
    if let handle = Bounds.word(actor.string("webfinger"), bytes: Bounds.line), handle.contains("@") {
      author.handle = handle
    } else if let name = Bounds.word(actor.string("preferredUsername"), bytes: Bounds.line),
      let host = author.handle.split(separator: "@").last
    {
      author.handle = "\(name)@\(host)"
    }
    author.name = Bounds.line(actor.string("name")) ?? author.name
    author.isNamed = actor.string("name") != nil
    author.url = Bounds.webAddress(actor.string("url")) ?? author.url
    return author
  }

  /// Who wrote a note. Some activities hold the actor, most only name it.
  private static func author(of note: JSONObject, in activity: JSONObject) -> Author? {
    if let actor = activity.object("actor"), let author = author(actor) { return author }
    return author(named: note.address("attributedTo") ?? activity.address("actor"))
  }

  /// An author of whom only the identity is known: `https://social.example/users/ada`.
  private static func author(named uri: String?) -> Author? {
    if let handle = Bounds.word(uri, bytes: Bounds.line), handle.hasPrefix("acct:"), handle.contains("@") {
      let name = handle.dropFirst("acct:".count)
      return Author(uri: handle, handle: String(name), name: String(name.prefix { $0 != "@" }), isNamed: false)
    }
    guard let uri = Bounds.webAddress(uri), let server = Server(uri), let last = uri.split(separator: "/").last else {
      return nil
    }
    let name = last.drop { $0 == "@" }
    return Author(uri: uri, handle: "\(name)@\(server.host)", name: String(name), isNamed: false)
  }
}

/// A file of a note, or a page to which it leads.
private struct NotedFile {
  private let fields: JSONObject
  private let url: String?
  private let type: String

  init(_ fields: JSONObject) {
    self.fields = fields
    url = fields.address("url") ?? fields.string("href")
    let link = fields.values("url", most: 1).first?.object
    type = fields.string("mediaType") ?? link?.string("mediaType") ?? ""
  }

  private var kind: Attachment.Kind {
    for (beginning, kind) in [("image/", Attachment.Kind.image), ("video/", .video), ("audio/", .audio)]
    where type.hasPrefix(beginning) { return kind }
    guard type.isEmpty else { return .file }
    switch fields.string("type") {
    case "Image": return .image
    case "Video": return .video
    case "Audio": return .audio
    default: return DownloadedPost.kind(ofFile: url ?? "")
    }
  }

  /// Whether it is a page to which the post leads, as Lemmy attaches them.
  var isPage: Bool { fields.string("type") == "Link" && kind == .file }

  var attachment: Attachment {
    Attachment(
      kind: kind, url: Bounds.webAddress(url), alt: Bounds.block(fields.string("name")),
      width: Bounds.pixels(fields.number("width")), height: Bounds.pixels(fields.number("height")),
      blurhash: Bounds.blurhash(fields.string("blurhash")))
  }

  /// The archive holds `media_attachments/files/…`. In the address, that stands below the server's `/system/`, or below
  /// the name of the bucket that holds the server's files.
  var file: ArchiveForm.File? {
    guard let url else { return nil }
    let path = url.contains("://") ? String(decoding: Bounds.path(of: url), as: UTF8.self) : url
    let bare = String(path.drop { $0 == "/" })
    if bare.isEmpty { return nil }
    let own = bare.firstRange(of: "media_attachments/").map { String(bare[$0.lowerBound...]) }
    let below = bare.hasPrefix("system/") ? String(bare.dropFirst("system/".count)) : nil
    return ArchiveForm.File(paths: [own, below, bare].compactMap(\.self))
  }
}

/// Whether JSON is a string.
private enum JSONText {
  static func isString(_ bytes: [UInt8]) -> Bool { bytes.first { $0 > 0x20 } == UInt8(ascii: "\"") }
}
