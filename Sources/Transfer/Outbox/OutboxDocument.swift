import FeedDocuments
import FoundationEssentials
import Posts
import Storage

/// Posts as an outbox of ActivityStreams (https://www.w3.org/TR/activitystreams-core/), as the archives of Mastodon have it:
/// a collection of `Create` with a `Note` each.
///
/// The library does not keep who was allowed to see a post. Pulled posts are addressed to the public, as their servers gave
/// them; posts of one's own to nobody, because they were never published.
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
  let actor: String?
  let published: String
  let to, cc: [String]
  let object: Note

  init(_ post: StoredPost) {
    let note = Note(post)
    (id, actor, published) = ("\(note.id)/activity", note.attributedTo, note.published)
    (to, cc, object) = (note.to, note.cc, note)
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
    attributedTo = post.author.map { FeedItem.webAddress($0.url) ?? "acct:\($0.handle)" }
    published = UTC.text(post.createdAt)
    (updated, endTime) = (post.editedAt.map(UTC.text), post.endsAt.map(UTC.text))
    to = post.isManual ? [] : ["https://www.w3.org/ns/activitystreams#Public"]
    cc = []
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
