import FoundationEssentials
import Posts
import Storage
import Web

/// A post as an item of a feed.
package struct FeedItem: Sendable {
  /// The post.
  package let post: StoredPost
  /// Its page; nil if it has none.
  package let link: String?
  /// Its pictures and files that the feed leads to, each with its address.
  package let files: [(link: String, attachment: StoredAttachment)]

  package init(_ post: StoredPost, link: String?, files: [(link: String, attachment: StoredAttachment)]) {
    (self.post, self.link, self.files) = (post, link, files)
  }

  /// Identifies the post in every feed and at every address: its own identity where that is an address.
  package var id: String {
    let isAddress = ["http://", "https://", "urn:", "tag:"].contains { post.uri.lowercased().hasPrefix($0) }
    let isPlain = post.uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"{}|\\^`".utf8.contains($0) }
    if isAddress, isPlain { return post.uri }
    return "tag:media.invalid,2026:\(post.source.rawValue.queryEncoded)/\(post.uri.queryEncoded)"
  }

  /// A headline; the beginning of the text for a post without one, because Atom demands it.
  package var title: String {
    if let title = post.title, !title.isEmpty { return title }
    if !post.warning.isEmpty { return post.warning }
    let line = post.caption.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let short = line.count > 80 ? "\(line.prefix(79))…" : line
    return short.isEmpty ? authorName ?? "Post \(post.id)" : short
  }

  /// When its author changed it last, or a change of its facts was found.
  package var changedAt: Date { max(post.editedAt ?? post.createdAt, post.createdAt) }

  var authorName: String? { post.author.map { $0.name.isEmpty ? $0.handle : $0.name } }

  var authorLink: String? { Self.webAddress(post.author?.url) }

  /// An address of the web; nil for what programs would do something else with.
  package static func webAddress(_ text: String?) -> String? {
    guard let text, ["http://", "https://"].contains(where: { text.lowercased().hasPrefix($0) }),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    return text
  }

  /// The media type of an attachment: of its stored bytes, else a usual one of its kind.
  package static func mediaType(of file: StoredAttachment) -> String {
    file.mediaType
      ?? {
        switch file.kind {
        case .image: "image/jpeg"
        case .video, .gifv: "video/mp4"
        case .audio: "audio/mpeg"
        case .file: "application/octet-stream"
        }
      }()
  }
}
