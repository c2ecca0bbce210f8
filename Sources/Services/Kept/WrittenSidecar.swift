import JSONReading
import Posts

extension Visibility {
  /// Reads a word that was written beside a file. What was not known then cannot be looked up here, and counts as the
  /// narrowest, as what nobody knows does.
  init(written word: String) {
    let visibility = Visibility(stored: word)
    self = visibility == .pending ? .direct : visibility
  }
}

/// A post as this program writes it beside an exported file.
struct WrittenSidecar {
  private let fields: JSONObject

  init(_ fields: JSONObject) { self.fields = fields }

  /// The post; nil if it does not say its identity, as earlier versions did not, or if its source is unknown.
  var post: Post? {
    let source = SourceName(rawValue: fields.string("source") ?? "")
    guard source == .manual || Catalogue.entry(source) != nil, let uri = Bounds.identity(fields.string("uri")),
      let date = fields.moment("created_at")
    else { return nil }
    var seen: Set<String> = []
    return Post(
      source: source, uri: uri, identity: Catalogue.entry(source)?.identity ?? .address,
      url: Bounds.webAddress(fields.string("url")),
      server: fields.string("server").flatMap { Server($0) },
      remoteID: Bounds.word(fields.string("remote_id"), bytes: Bounds.id), author: author, createdAt: date,
      endsAt: fields.moment("ends_at"), editedAt: fields.moment("edited_at"),
      title: Bounds.line(fields.string("title")),
      caption: Bounds.block(fields.string("caption"), bytes: Bounds.caption) ?? "",
      warning: Bounds.block(fields.string("warning")) ?? "", sensitive: fields.bool("sensitive") ?? false,
      language: Bounds.word(fields.string("language"), bytes: 35), visibility: visibility,
      license: Bounds.license(fields.string("license")),
      tags: fields.list("tags", most: Bounds.tags).compactMap(\.string)
        .compactMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) }.filter { seen.insert($0).inserted },
      attachments: fields.objects("attachments", most: Bounds.attachments).map(Self.attachment))
  }

  private var visibility: Visibility? { fields.string("visibility").map { Visibility(written: $0) } }

  private var author: Author? {
    guard let author = fields.object("author"), let handle = Bounds.word(author.string("handle"), bytes: Bounds.line)
    else { return nil }
    return Author(uri: "acct:\(handle)", handle: handle, name: Bounds.line(author.string("name")) ?? handle)
  }

  private static func attachment(_ file: JSONObject) -> Attachment {
    Attachment(
      kind: file.string("kind").flatMap(Attachment.Kind.init(rawValue:)) ?? .file,
      url: Bounds.webAddress(file.string("url")),
      alt: Bounds.block(file.string("alt")), width: Bounds.pixels(file.number("width")),
      height: Bounds.pixels(file.number("height")),
      name: file.string("name").flatMap(Attachment.name(ofFile:)))
  }
}
