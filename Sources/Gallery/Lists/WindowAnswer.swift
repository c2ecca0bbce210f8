import FoundationEssentials
import MediaLibrary
import Storage

/// A window of a list as JSON. Most fields are parallel arrays with an element for each row, which is a third of the size of
/// an object for each.
struct WindowAnswer: Encodable, Sendable {
  /// How many rows the list has.
  let total: Int
  /// Whether it has more than `total`.
  let isMore: Bool
  /// Whether the list has rows before these.
  let before: Bool
  /// Whether the list has rows after these.
  let after: Bool
  /// The numbers of the posts.
  var id: [Int64] = []
  /// Their positions, for `around`.
  var key: [String] = []
  /// When they were written, in seconds since 1970.
  var at: [Int] = []
  /// The index of the author in `authors`; -1 for none.
  var author: [Int] = []
  var authors: [Author] = []
  var title: [String?] = []
  /// The beginning of the text.
  var caption: [String] = []
  /// The content warning; nil if the post has none and is not sensitive.
  var warning: [String?] = []
  var tags: [[String]] = []
  /// How many attachments each post has.
  var files: [Int] = []
  /// The first attachment.
  var cover: [Cover?] = []
  /// The numbers of posts in the window that a person deleted.
  var deleted: [Int64] = []
  /// The numbers of posts in the window that are gone from their server.
  var gone: [Int64] = []

  struct Author: Encodable, Sendable {
    let handle: String
    let name: String
    /// The name of the stored avatar's blob.
    let avatar: String?
  }

  /// What a cell shows of an attachment.
  struct Cover: Encodable, Sendable {
    let kind: String
    /// Width over height; nil if unknown.
    let ratio: Double?
    let blurhash: String?
    /// The name of the stored blob.
    let blob: String?
    let state: String
    let failure: String?
    let alt: String?
  }

  init(_ snapshot: Snapshot<ListedPost>) {
    switch snapshot.total {
    case .exactly(let count): (total, isMore) = (count, false)
    case .moreThan(let count): (total, isMore) = (count, true)
    }
    (before, after) = (snapshot.hasMoreBefore, snapshot.hasMoreAfter)
    var indices: [Int64: Int] = [:]
    for row in snapshot.rows { add(row, &indices) }
  }

  private mutating func add(_ row: ListedPost, _ indices: inout [Int64: Int]) {
    let post = row.post
    id.append(post.id)
    key.append(row.key.description)
    at.append(Int(post.createdAt.timeIntervalSince1970))
    author.append(post.author.map { index(of: $0, &indices) } ?? -1)
    title.append(post.title)
    caption.append(String(post.caption.prefix(Self.captionLength)))
    warning.append(post.sensitive || !post.warning.isEmpty ? post.warning : nil)
    tags.append(post.tags)
    files.append(post.attachments.count)
    cover.append(post.attachments.first.map(Cover.init))
    if post.isDeleted { deleted.append(post.id) }
    if post.goneAt != nil { gone.append(post.id) }
  }

  private mutating func index(of author: StoredAuthor, _ indices: inout [Int64: Int]) -> Int {
    if let index = indices[author.id] { return index }
    indices[author.id] = authors.count
    authors.append(Author(handle: author.handle, name: author.name, avatar: author.avatar?.hex))
    return authors.count - 1
  }

  /// How many characters of a text a cell shows at most.
  static let captionLength = 280
}

extension WindowAnswer.Cover {
  init(_ attachment: StoredAttachment) {
    kind = attachment.kind.rawValue
    ratio = attachment.width.flatMap { width in
      attachment.height.flatMap { $0 > 0 && width > 0 ? Double(width * 1000 / $0) / 1000 : nil }
    }
    (blurhash, blob, alt) = (attachment.blurhash, attachment.blob?.hex, attachment.alt)
    (state, failure) = (attachment.state.rawValue, attachment.failure)
  }
}
