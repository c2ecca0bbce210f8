/// The columns of records, in their order. They have the names of the store's columns, which docs/schema.md describes.
public enum TransferColumns {
  /// A feed.
  public static let feed: [StaticString] = ["name", "source", "kind", "value", "server", "api"]

  /// A follow.
  public static let follow: [StaticString] = [
    "followed_at", "every", "interval", "pace", "due_at", "looked_at", "state", "failing_since", "failed_at",
    "failures", "failure",
  ]

  /// A visit to a feed's document.
  public static let visit: [StaticString] = [
    "address", "place", "entity_tag", "last_modified", "moving", "title", "visited_at",
  ]

  /// What harvests know of a feed.
  public static let look: [StaticString] = ["largest_page", "deep_at", "fill_at"]

  /// A coverage interval, and how many items are in it.
  public static let coverage: [StaticString] = [
    "id", "newest", "oldest", "reached_end", "walked_at", "version", "next", "heir", "heir_place", "items",
  ]

  /// An unfinished pull.
  public static let pull: [StaticString] = [
    "coverage", "coverage_version", "place", "goal_pages", "goal_since", "goal_end", "goal_known", "kind", "pages",
    "items", "next", "started_at", "finished_at",
  ]

  /// An author.
  public static let author: [StaticString] = [
    "source", "uri", "server", "handle", "name", "url", "avatar_url", "avatar_state", "avatar_attempts",
    "avatar_next_try_at", "avatar_failure", "avatar_gone_at",
  ]

  /// Stored bytes.
  public static let blob: [StaticString] = ["sha256", "bytes", "media_type", "width", "height", "stored_at"]

  /// A column of a post.
  public enum PostColumn: Int, Sendable {
    case id, source, uri, url, server, remoteID, createdAt, endsAt, editedAt, title, caption, captionHTML, warning
    case sensitive, language, visibility, storedAt, updatedAt
  }

  /// A post.
  public static let post: [StaticString] = [
    "id", "source", "uri", "url", "server", "remote_id", "created_at", "ends_at", "edited_at", "title", "caption",
    "caption_html", "warning", "sensitive", "language", "visibility", "stored_at", "updated_at",
  ]

  /// The author of a post.
  public static let writer: [StaticString] = ["uri", "handle", "name", "avatar"]

  /// What the person did to a post.
  public static let state: [StaticString] = ["deleted_at", "restored_at", "seen_at"]

  /// When a post was looked up.
  public static let recheck: [StaticString] = ["looks", "checked_at", "gone_at", "due_at"]

  /// What a post quotes; the number of the quoted post in the library that the record comes from.
  public static let quote: [StaticString] = ["id", "uri", "url"]

  /// A post's verbatim answer.
  public static let raw: [StaticString] = ["server", "pulled_at", "body"]

  /// An attachment.
  public static let attachment: [StaticString] = [
    "kind", "remote_id", "url", "alternate_url", "preview_url", "alt", "width", "height", "blurhash", "state",
    "attempts", "next_try_at", "failure", "gone_at", "name",
  ]

  /// An earlier wording.
  public static let revision: [StaticString] = ["seen_at", "title", "caption", "caption_html", "warning"]

  /// Where a feed has a post. An interval is a number of `coverage`, an author a URI. The last one, the handle of that
  /// author, is told for people and is not stored.
  public static let item: [StaticString] = [
    "feed", "remote_id", "coverage", "place", "pinned", "repeated_by", "repeated_at", "seen_at", "handle",
  ]

  /// An item that could not be read.
  public static let unreadable: [StaticString] = ["feed", "digest", "remote_id", "reason", "pulled_at", "body"]

  /// The columns of a table's alias, for a query.
  static func list(_ columns: some Sequence<StaticString>, of alias: String) -> String {
    columns.map { "\(alias).\($0)" }.joined(separator: ", ")
  }
}
