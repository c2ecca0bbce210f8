import FeedDocuments
import Machine
import Storage
import Web

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
    return (count == 0 ? "\n" : ",\n") + Self.activity(post).text
  }

  package var tail: String { "\n],\"totalItems\":\(count)}\n" }

  /// The making of a post.
  private static func activity(_ post: StoredPost) -> JSONMembers {
    let id = FeedItem(post, link: nil, files: []).id
    let published = UTC.text(post.createdAt)
    let addressees = Addressees(of: post)
    let html = FeedContent.paragraphs(post.caption).markup
    let tags: [JSONMembers] = post.tags.map { ["type": "Hashtag", "name": "#\($0)"] }
    let note = JSONMembers(present: [
      "id": id, "type": "Note", "url": FeedItem.webAddress(post.url), "attributedTo": post.author?.activityID,
      "published": published, "updated": post.editedAt.map(UTC.text), "endTime": post.endsAt.map(UTC.text),
      "to": addressees.to, "cc": addressees.cc,
      // The content warning, as Mastodon writes it.
      "summary": post.warning.isEmpty ? nil : post.warning, "sensitive": post.sensitive, "name": post.title,
      "content": html, "contentMap": post.language.map { [$0: html] }, "quote": post.quote?.uri, "tag": tags,
      "attachment": post.attachments.map(document),
    ])
    return JSONMembers(present: [
      "id": "\(id)/activity", "type": "Create", "actor": post.author.map(actor), "published": published,
      "to": addressees.to, "cc": addressees.cc, "object": note,
    ])
  }

  /// Who wrote a post. Archives of Mastodon have this in a file of its own, for one author.
  private static func actor(_ author: StoredAuthor) -> JSONMembers {
    JSONMembers(present: [
      "type": "Person", "id": author.activityID, "url": FeedItem.webAddress(author.url), "name": author.name,
      "preferredUsername": String(author.handle.prefix { $0 != "@" }),
      // https://codeberg.org/fediverse/fep/src/branch/main/fep/2c59/fep-2c59.md
      "webfinger": author.handle,
    ])
  }

  private static func document(_ file: StoredAttachment) -> JSONMembers {
    JSONMembers(present: [
      "type": "Document", "mediaType": FeedItem.mediaType(of: file),
      // Of a file that has no address on the web, its path in the library.
      "url": FeedItem.webAddress(file.url) ?? file.blob?.path, "name": file.alt, "blurhash": file.blurhash,
      "width": file.width, "height": file.height,
    ])
  }
}

extension StoredAuthor {
  /// What names the author.
  fileprivate var activityID: String {
    FeedItem.webAddress(uri) ?? FeedItem.webAddress(url) ?? "acct:\(handle)"
  }
}

/// To whom a post is addressed (https://docs.joinmastodon.org/spec/activitypub/).
private struct Addressees {
  var to: [String] = []
  var cc: [String] = []

  private static let everybody = "https://www.w3.org/ns/activitystreams#Public"

  init(of post: StoredPost) {
    if post.isManual { return }
    let followers = post.author.map { "\($0.activityID)/followers" }.map { [$0] } ?? []
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
