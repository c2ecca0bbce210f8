import FeedDocuments
import FoundationEssentials
import Machine
import Storage

/// Posts as an outbox of ActivityStreams (https://www.w3.org/TR/activitystreams-core/), as the archives of Mastodon have it:
/// a collection of `Create` with a `Note` each.
///
/// A post is addressed to whom its server showed it: `to` and `cc` are those of Mastodon for its visibility. Where no server
/// says who may see a post, it is addressed to the public; posts of one's own to nobody, because they were never published.
package struct OutboxDocument: PostDocument {
  private var count = 0

  /// An empty collection.
  package init() {}

  package var head: String {
    """
    {"@context":["https://www.w3.org/ns/activitystreams",{"Hashtag":"as:Hashtag","blurhash":"toot:blurhash",\
    "sensitive":"as:sensitive","toot":"http://joinmastodon.org/ns#"}],"id":"outbox.json","type":"OrderedCollection",\
    "orderedItems":[
    """
  }

  package mutating func text(of post: StoredPost) throws -> String {
    defer { count += 1 }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    let activity = Activity(post)
    return (count == 0 ? "\n" : ",\n") + String(decoding: try encoder.encode(activity), as: UTF8.self)
  }

  package var tail: String { "\n],\"totalItems\":\(count)}\n" }
}

/// The making of a post.
private struct Activity: Encodable {
  let id: String
  let type = "Create"
  let actor: Actor?
  let published: String
  let to, cc: [String]
  let object: Note

  init(_ post: StoredPost) {
    let note = Note(post)
    (id, actor, published) = ("\(note.id)/activity", post.author.map(Actor.init), note.published)
    (to, cc, object) = (note.to, note.cc, note)
  }
}

/// Who wrote a post. Archives of Mastodon have this in a file of its own, for one author.
private struct Actor: Encodable {
  let type = "Person"
  let id: String
  let url: String?
  let name: String
  let preferredUsername: String
  /// https://codeberg.org/fediverse/fep/src/branch/main/fep/2c59/fep-2c59.md
  let webfinger: String

  init(_ author: StoredAuthor) {
    (id, url, name) = (Self.id(of: author), FeedItem.webAddress(author.url), author.name)
    (preferredUsername, webfinger) = (String(author.handle.prefix { $0 != "@" }), author.handle)
  }

  /// What names an author.
  static func id(of author: StoredAuthor) -> String {
    FeedItem.webAddress(author.uri) ?? FeedItem.webAddress(author.url) ?? "acct:\(author.handle)"
  }
}

/// To whom a post is addressed (https://docs.joinmastodon.org/spec/activitypub/).
private struct Addressees {
  var to: [String] = []
  var cc: [String] = []

  private static let everybody = "https://www.w3.org/ns/activitystreams#Public"

  init(of post: StoredPost) {
    if post.isManual { return }
    let followers = post.author.map { "\(Actor.id(of: $0))/followers" }.map { [$0] } ?? []
    switch post.visibility {
    case nil: to = [Self.everybody]
    case .public: (to, cc) = ([Self.everybody], followers)
    case .unlisted: (to, cc) = (followers, [Self.everybody])
    case .followers: to = followers
    case .local: to = [post.server.map { "\($0)/#Public" }].compactMap(\.self)
    // The library keeps neither whom it names nor, of these, who may see it.
    case .direct, .pending: break
    }
  }
}

/// A post.
private struct Note: Encodable {
  let id: String
  let type = "Note"
  let url: String?
  let attributedTo: String?
  let published: String
  let updated, endTime: String?
  let to, cc: [String]
  /// The content warning, as Mastodon writes it.
  let summary: String?
  let sensitive: Bool
  let name: String?
  let content: String
  let contentMap: [String: String]?
  let quote: String?
  let tag: [Hashtag]
  let attachment: [File]

  init(_ post: StoredPost) {
    id = FeedItem(post, link: nil, files: []).id
    url = FeedItem.webAddress(post.url)
    attributedTo = post.author.map(Actor.id)
    published = UTC.text(post.createdAt)
    (updated, endTime) = (post.editedAt.map(UTC.text), post.endsAt.map(UTC.text))
    let addressees = Addressees(of: post)
    (to, cc) = (addressees.to, addressees.cc)
    summary = post.warning.isEmpty ? nil : post.warning
    (sensitive, name) = (post.sensitive, post.title)
    let html = FeedContent.paragraphs(post.caption).markup
    (content, contentMap) = (html, post.language.map { [$0: html] })
    quote = post.quote?.uri
    tag = post.tags.map { Hashtag(name: "#\($0)") }
    attachment = post.attachments.map(File.init)
  }
}

private struct Hashtag: Encodable {
  let type = "Hashtag"
  let name: String
}

private struct File: Encodable {
  let type = "Document"
  let mediaType: String
  /// The address on the web; of a file that has none, its path in the library.
  let url: String?
  /// The alt text.
  let name: String?
  let blurhash: String?
  let width, height: Int?

  init(_ file: StoredAttachment) {
    mediaType = FeedItem.mediaType(of: file)
    url = FeedItem.webAddress(file.url) ?? file.blob?.path
    (name, blurhash, width, height) = (file.alt, file.blurhash, file.width, file.height)
  }
}
