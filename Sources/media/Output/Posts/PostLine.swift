import Blobs
import FoundationEssentials
import Machine
import Storage

/// A post as `media list --json` prints it. Every key is always present; null if the post has no value. A deleted post, and one that a search
/// found by the text in its pictures, has one more key that says so, and an attachment with a name one for it, and ones for
/// what its file says of itself, for the text that a machine read in it, and for what a model found in it. A line beside a file has two more: the post's
/// identity, and which of its files that is.
struct PostLine: Encodable {
  private struct AuthorLine: Encodable {
    let author: StoredAuthor
    enum CodingKeys: String, CodingKey { case handle, name, avatar }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(author.handle, forKey: .handle)
      try container.encode(author.name, forKey: .name)
      try container.encode(author.avatar?.path, forKey: .avatar)
    }
  }

  private struct AttachmentLine: Encodable {
    let attachment: StoredAttachment
    let boxes: Bool
    let isOwners: Bool
    enum CodingKeys: String, CodingKey {
      case kind, url, alt, width, height, sha256, path, state, name, file, text, machine
      case skippedFor = "skipped_for"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(attachment.kind, forKey: .kind)
      try container.encode(attachment.url, forKey: .url)
      try container.encode(attachment.alt, forKey: .alt)
      try container.encode(attachment.width, forKey: .width)
      try container.encode(attachment.height, forKey: .height)
      try container.encode(attachment.blob?.hex, forKey: .sha256)
      try container.encode(attachment.blob?.path, forKey: .path)
      try container.encode(attachment.state.rawValue, forKey: .state)
      try container.encode(attachment.skippedFor, forKey: .skippedFor)
      try container.encodeIfPresent(attachment.name, forKey: .name)
      // Where it was taken is told by no text that may be handed on.
      try container.encodeIfPresent(attachment.facts.map(FactsLine.init), forKey: .file)
      try container.encodeIfPresent(attachment.text.map { TextLine($0, boxes: boxes) }, forKey: .text)
      // As marks, what the person's model finds is for the person.
      if isOwners { try container.encodeIfPresent(attachment.findings.map(MachineLine.init), forKey: .machine) }
    }
  }

  private struct TextLine: Encodable {
    let read_by, text: String
    let boxes: [[Int]]?

    init(_ text: PictureText, boxes: Bool) {
      (read_by, self.text, self.boxes) = (text.engine, text.text, boxes ? text.lines.map(\.box) : nil)
    }
  }

  private struct FactsLine: Encodable {
    let taken_at, taken_by, gps_by, camera, artist, copyright, caption, origin: String?
    let offset, duration: Int?
    let keywords, codecs: [String]
    let sound: Bool?
    let gps: Bool

    init(_ facts: FileFacts) {
      (taken_at, camera, artist, copyright) = (facts.takenAt, facts.camera, facts.artist, facts.copyright)
      (taken_by, gps_by) = (facts.takenBy, facts.placeBy)
      (caption, origin, offset, duration) = (facts.caption, facts.origin, facts.offset, facts.duration)
      (keywords, codecs, sound, gps) = (facts.keywords, facts.codecs, facts.hasSound, facts.latitude != nil)
    }
  }

  /// What a model found.
  private struct MachineLine: Encodable {
    private struct Tag: Encodable {
      let tag: String
      let score: Double
    }

    private let tags: [Tag]
    private let caption: String?
    private let sensitive: Double?

    init(_ findings: ModelFindings) {
      tags = findings.tags.map { Tag(tag: $0.name, score: $0.score) }
      (caption, sensitive) = (findings.caption, findings.sensitive)
    }
  }

  private struct QuoteLine: Encodable {
    let quote: StoredQuote
    enum CodingKeys: String, CodingKey { case id, uri, url }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(quote.post, forKey: .id)
      try container.encode(quote.uri, forKey: .uri)
      try container.encode(quote.url, forKey: .url)
    }
  }

  private struct LinkLine: Encodable {
    let id: Int64
    let address: String
  }

  private let post: StoredPost
  /// The index of the file beside which the line stands; nil in a list.
  private let file: Int?
  private let boxes: Bool
  private let facts: [PostFact]
  /// How alike it is to what was asked for; nil in other lists.
  private let score: Double?
  /// Whether it tells what is for the owner alone.
  private let isOwners: Bool

  /// A post, with what the person made of it or without.
  ///
  /// - Parameters:
  ///   - score: How alike it is to what was asked for.
  ///   - boxes: Whether it tells where in a picture each line of its text stands.
  init(_ post: StoredPost, file: Int? = nil, marks: Bool = true, score: Double? = nil, boxes: Bool = false) {
    (self.post, self.file, self.score, self.boxes, isOwners) = (post, file, score, boxes, marks)
    facts = marks ? Self.facts + Self.marks : Self.facts
  }

  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private static let facts = PostFact.facts(in: .json)
  private static let marks = PostFact.facts(in: .marks)

  /// The shape of a line, for the manual, a pair an element.
  static let shape =
    (facts + marks).map { "\"\($0.name)\":\($0.shape)" } + [
      "\"author\":{\"handle\":TEXT,\"name\":TEXT,\"avatar\":PATH}",
      "\"attachments\":[{\"kind\":TEXT,\"url\":TEXT,\"alt\":TEXT,\"width\":N,\"height\":N",
      "\"sha256\":TEXT,\"path\":PATH,\"state\":TEXT,\"skipped_for\":TEXT}]",
      "\"quote\":{\"id\":N,\"uri\":TEXT,\"url\":TEXT}", "\"elsewhere\":[{\"id\":N,\"address\":TEXT}]",
    ]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func encode(_ value: some Encodable, _ name: String) throws {
      try container.encode(value, forKey: Key(stringValue: name))
    }
    for fact in facts {
      switch fact.value(post) {
      case .text(let text): try encode(text, fact.name)
      case .number(let number): try encode(number, fact.name)
      case .flag(let flag): try encode(flag, fact.name)
      case .time(let time): try encode(time.map(UTC.text), fact.name)
      case .texts(let texts): try encode(texts, fact.name)
      }
    }
    try encode(post.author.map(AuthorLine.init), "author")
    try encode(post.attachments.map { AttachmentLine(attachment: $0, boxes: boxes, isOwners: isOwners) }, "attachments")
    try encode(post.quote.map(QuoteLine.init), "quote")
    if isOwners, !post.elsewhere.isEmpty {
      try encode(post.elsewhere.map { LinkLine(id: $0.post, address: $0.address) }, "elsewhere")
    }
    if post.isDeleted { try encode(true, "deleted") }
    if post.isFoundInPicture { try encode(true, "in_picture") }
    if let score { try encode(score, "score") }
    guard let file else { return }
    try encode(post.uri, "uri")
    // Counted as people and hydrus do.
    try encode(file + 1, "file")
  }
}
