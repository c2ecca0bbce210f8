import FoundationEssentials
import Machine
import Posts
import Rows

/// A stored post.
public struct StoredPost: Sendable, Equatable, Identifiable {
  /// Its number in this library.
  public let id: Int64
  /// The service it came from; `manual` if a person made it.
  public let source: SourceName
  /// Its identity within the source.
  public let uri: String
  /// Its web page.
  public package(set) var url: String?
  /// The origin of the server its facts came from.
  public package(set) var server: String?
  /// That server's own id of the post.
  public package(set) var remoteID: String?
  /// Its author.
  public package(set) var author: StoredAuthor?
  /// When it was written.
  public package(set) var createdAt: Date
  /// When the time range of a post made by hand ends.
  public package(set) var endsAt: Date?
  /// When its author last edited it.
  public package(set) var editedAt: Date?
  /// A headline.
  public package(set) var title: String?
  /// The text as people read it.
  public package(set) var caption: String
  /// The text as the source sent it.
  public package(set) var captionHTML: String?
  /// The content warning; empty if there is none.
  public package(set) var warning = ""
  /// Whether its pictures are hidden until a click.
  public package(set) var sensitive = false
  /// Its language, as in BCP 47.
  public package(set) var language: String?
  /// Who may see it at its server; nil if its source does not say. A value that is not looked at yet is `pending`, and
  /// counts as the narrowest.
  public package(set) var visibility: Visibility?
  /// Under which licence it is; nil if its source does not say.
  public package(set) var license: License?
  /// When it was first stored.
  public package(set) var storedAt: Date
  /// When its facts last changed.
  public package(set) var updatedAt: Date
  /// Whether a person deleted it.
  public package(set) var isDeleted = false
  /// When it was found gone from its server; nil while the last recheck found it.
  public package(set) var goneAt: Date?
  /// The number of its revisions.
  public package(set) var revisionCount = 0
  /// Who repeated it in a feed, each once, earliest first.
  public package(set) var repeatedBy: [StoredRepeat] = []
  /// Tag names, in the post's order.
  public package(set) var tags: [String] = []
  /// Pictures, videos and files, in order.
  public package(set) var attachments: [StoredAttachment] = []
  /// The post that it quotes, if any.
  public package(set) var quote: StoredQuote?
  /// The same post of other networks, the one that was stored first first.
  public package(set) var elsewhere: [StoredLink] = []
  /// What the person has said of it.
  public package(set) var marks = PostMarks()
  /// How many posts show one of its pictures, itself included, counted up to 100. Only lists that people look at know it;
  /// elsewhere it is 1.
  public package(set) var postsShowingIt = 1
  /// How many posts, linked with it, a folded list may leave out for it. Only such lists know it; elsewhere it is 0.
  public package(set) var foldedPosts = 0
  /// Whether a search finds it only with the text in its pictures. Only a search knows it.
  public package(set) var isFoundInPicture = false

  /// A post with what every post has. The rest is set where it is known.
  package init(id: Int64, source: SourceName, uri: String, createdAt: Date, caption: String) {
    (self.id, self.source, self.uri) = (id, source, uri)
    (self.createdAt, self.caption) = (createdAt, caption)
    (storedAt, updatedAt) = (.distantPast, .distantPast)
  }

  /// Whether text was read in one of its pictures.
  public var hasTextInPictures: Bool { attachments.contains { $0.text != nil } }

  /// Whether a person made it by hand instead of pulling it.
  public var isManual: Bool { source == .manual }

  /// Notes that a folded list has it, which leaves out later ones.
  mutating func noteFolded() { foldedPosts = elsewhere.count { $0.post > id } }
}

/// A repeat of a post: a boost or a retweet.
public struct StoredRepeat: Sendable, Equatable {
  /// The number, in this library, of the author who repeated it.
  public let author: Int64
  /// `birds@mastodon.social`.
  public let handle: String
  /// When it was repeated.
  public let at: Date
}

/// The same post of another network.
public struct StoredLink: Sendable, Equatable {
  /// Its number in this library.
  public let post: Int64
  /// Its web page, else its identity within its source.
  public let address: String

  package init(post: Int64, address: String) { (self.post, self.address) = (post, address) }
}

/// A post that a stored one quotes.
public struct StoredQuote: Sendable, Equatable {
  /// Its number in this library; nil if it is not stored.
  public let post: Int64?
  /// Its identity within the source.
  public let uri: String
  /// Its web page.
  public let url: String?

  package init(post: Int64?, uri: String, url: String?) {
    (self.post, self.uri, self.url) = (post, uri, url)
  }
}

extension StoredPost: RowDecodable {
  /// Reads a post without what other tables hold of it.
  package init(_ row: some RowReading) throws {
    id = try row["id"]
    source = SourceName(rawValue: try row["source"])
    uri = try row["uri"]
    url = try row["url"]
    server = try row["server"]
    remoteID = try row["remote_id"]
    createdAt = UTC.date(try row["created_at"]) ?? .distantPast
    endsAt = try row.date("ends_at")
    editedAt = try row.date("edited_at")
    title = try row["title"]
    caption = try row["caption"]
    captionHTML = try row["caption_html"]
    warning = try row["warning"]
    sensitive = try row["sensitive"]
    language = try row["language"]
    visibility = try (row["visibility"] as String?).map(Visibility.init(stored:))
    license = try (row["license"] as String?).map(License.init)
    storedAt = UTC.date(try row["stored_at"]) ?? .distantPast
    updatedAt = UTC.date(try row["updated_at"]) ?? .distantPast
    isDeleted = try row["is_deleted"]
    author = try StoredAuthor(ofPost: row)
    goneAt = try row.date("gone_at")
    revisionCount = try row["revisions"]
    marks = try PostMarks(row)
  }
}
