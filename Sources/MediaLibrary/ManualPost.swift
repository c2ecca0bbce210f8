import Blobs
import FoundationEssentials
import Posts
import Storage

/// A post made by hand, as a person typed it.
package struct ManualPost: Sendable {
  /// The minimum length of a text, without surrounding white space.
  package static let shortest = 3

  private let text: String
  private let title: String?
  private let start: Date?
  private let finish: Date?
  private let tags: [String]

  /// - Parameters:
  ///   - text: Its text.
  ///   - title: Its title.
  ///   - start: Its time; nil for now.
  ///   - finish: The end of the event.
  ///   - tags: Its tags, with or without `#`.
  package init(text: String, title: String?, start: Date?, finish: Date?, tags: [String]) {
    (self.text, self.title, self.start, self.finish, self.tags) = (text, title, start, finish, tags)
  }

  /// The post.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - needsText: Whether it must have a text. A post with files may have none.
  package func post(now: Date, needsText: Bool = true) throws(ManualPostError) -> Post {
    let caption = needsText || !text.trimmingWhiteSpace.isEmpty ? try Self.caption(text) : ""
    let start = start ?? now
    if let finish, finish <= start { throw .endsBeforeStart }
    return Post(
      source: .manual, uri: "", createdAt: start, endsAt: finish, title: title, caption: caption,
      tags: try Self.names(ofTags: tags))
  }

  /// A text without surrounding white space.
  package static func caption(_ text: String) throws(ManualPostError) -> String {
    let caption = text.trimmingWhiteSpace
    guard caption.count >= shortest else { throw .shortText(caption.count) }
    return caption
  }

  /// The names of tags, with or without `#`.
  package static func names(ofTags tags: [String]) throws(ManualPostError) -> [String] {
    let tags = tags.map(Feed.tagName)
    guard !tags.contains(where: { $0.isEmpty || $0.contains(where: \.isWhitespace) }) else { throw .badTag }
    return tags
  }
}

/// Why what a person typed is no post.
package enum ManualPostError: ExplainedError, Equatable {
  /// The text is too short; its number of characters.
  case shortText(Int)
  /// The event ends before it begins, or when it begins.
  case endsBeforeStart
  /// A tag is empty or has several words.
  case badTag

  package var summary: String {
    switch self {
    case .shortText(let count): "the text has \(count) character\(count == 1 ? "" : "s")"
    case .endsBeforeStart: "the finish is not after the start"
    case .badTag: "a tag is one word"
    }
  }

  package var cure: String? {
    switch self {
    case .shortText: "write \(ManualPost.shortest) at least"
    case .endsBeforeStart: "give a later time"
    case .badTag: nil
    }
  }

  package var exitCode: ExitCode { .usage }
}

extension Library {
  /// Stores a post made by hand with files.
  ///
  /// - Parameters:
  ///   - post: The post.
  ///   - drafts: Its files, whole.
  ///   - names: The names of the files, in order; files beyond them have none.
  /// - Returns: The number of the post.
  /// - Throws: `BlobError` if a file cannot be kept, `StorageError` if the post cannot be stored.
  package func add(_ post: Post, attaching drafts: [any BlobReceiving], names: [String?] = []) throws -> Int64 {
    let files = try files(drafts, names: names)
    var post = post
    post.attachments = files.map(\.attachment)
    return try store.add(post, id: UUID(), pictures: files.map(\.blob), now: now())
  }

  /// Keeps files that are to be attached to a post.
  ///
  /// - Parameters:
  ///   - drafts: The files, whole.
  ///   - names: Their names, in order; files beyond them have none.
  /// - Throws: `BlobError` if a file cannot be kept.
  package func files(_ drafts: [any BlobReceiving], names: [String?]) throws -> [PostEdit.File] {
    let headers = try drafts.map { try $0.header() }
    let kept = try blobs.keep(drafts)
    return headers.indices.map { index in
      PostEdit.File(
        Attachment(headers[index], name: names.indices.contains(index) ? names[index] : nil),
        StoredBlob(id: kept[index].id, byteCount: kept[index].byteCount, header: headers[index]))
    }
  }
}
