import FoundationEssentials
import Storage
import System

/// A post as `media list --json` prints it. Every key is always present; null if the post has no value. A deleted post has
/// one more key that says so, and an attachment with a name one for it. A line beside a file has two more: the post's
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
    enum CodingKeys: String, CodingKey {
      case kind, url, alt, width, height, sha256, path, state, name
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
      try container.encode(attachment.leftOut?.description, forKey: .skippedFor)
      try container.encodeIfPresent(attachment.name, forKey: .name)
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

  private let post: StoredPost
  /// The index of the file beside which the line stands; nil in a list.
  private let file: Int?

  init(_ post: StoredPost, file: Int? = nil) { (self.post, self.file) = (post, file) }

  private enum CodingKeys: String, CodingKey {
    case id, origin, source, server, url, author, title, caption, tags, sensitive, warning, language, revisions, gone
    case attachments, quote, deleted, uri, file, visibility
    case remoteID = "remote_id"
    case createdAt = "created_at"
    case editedAt = "edited_at"
    case endsAt = "ends_at"
    case goneAt = "gone_at"
    case repeatedBy = "repeated_by"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(post.id, forKey: .id)
    try container.encode(post.source == .manual ? "manual" : "pulled", forKey: .origin)
    try container.encode(post.source, forKey: .source)
    try container.encode(post.server, forKey: .server)
    try container.encode(post.remoteID, forKey: .remoteID)
    try container.encode(post.url, forKey: .url)
    try container.encode(post.author.map(AuthorLine.init), forKey: .author)
    try container.encode(post.visibility, forKey: .visibility)
    try container.encode(UTC.text(post.createdAt), forKey: .createdAt)
    try container.encode(post.editedAt.map(UTC.text), forKey: .editedAt)
    try container.encode(post.endsAt.map(UTC.text), forKey: .endsAt)
    try container.encode(post.title, forKey: .title)
    try container.encode(post.caption, forKey: .caption)
    try container.encode(post.tags, forKey: .tags)
    try container.encode(post.sensitive, forKey: .sensitive)
    try container.encode(post.warning.isEmpty ? nil : post.warning, forKey: .warning)
    try container.encode(post.language, forKey: .language)
    try container.encode(post.revisionCount, forKey: .revisions)
    try container.encode(post.repeatedBy.map(\.handle), forKey: .repeatedBy)
    try container.encode(post.goneAt != nil, forKey: .gone)
    try container.encode(post.attachments.map(AttachmentLine.init), forKey: .attachments)
    try container.encode(post.quote.map(QuoteLine.init), forKey: .quote)
    try container.encode(post.goneAt.map(UTC.text), forKey: .goneAt)
    if post.isDeleted { try container.encode(true, forKey: .deleted) }
    guard let file else { return }
    try container.encode(post.uri, forKey: .uri)
    // Counted as people and hydrus do.
    try container.encode(file + 1, forKey: .file)
  }
}
