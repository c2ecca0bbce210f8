/// The columns of records, in their order. They have the names of the store's columns, which docs/schema.md describes.
public enum TransferColumns {
  /// A feed.
  public enum Feed: String, RecordColumn { case name, source, kind, value, server, api }

  /// A follow.
  public enum Follow: String, RecordColumn {
    case followedAt = "followed_at"
    case every, interval, pace
    case dueAt = "due_at"
    case pulledAt = "looked_at"
    case state
    case failingSince = "failing_since"
    case failedAt = "failed_at"
    case failures, failure, limits
  }

  /// A visit to a feed's document.
  public enum Visit: String, RecordColumn {
    case address, place
    case entityTag = "entity_tag"
    case lastModified = "last_modified"
    case moving, title
    case visitedAt = "visited_at"
  }

  /// What harvests know of a feed.
  public enum Look: String, RecordColumn {
    case largestPage = "largest_page"
    case deepAt = "deep_at"
    case fillAt = "fill_at"
  }

  /// A coverage interval, and how many items are in it.
  public enum Coverage: String, RecordColumn {
    case id, newest, oldest
    case reachedEnd = "reached_end"
    case walkedAt = "walked_at"
    case version, next, heir
    case heirPlace = "heir_place"
    case items
  }

  /// An unfinished pull.
  public enum Pull: String, RecordColumn {
    case coverage
    case coverageVersion = "coverage_version"
    case place
    case goalPages = "goal_pages"
    case goalSince = "goal_since"
    case goalEnd = "goal_end"
    case goalKnown = "goal_known"
    case kind, pages, items, next
    case startedAt = "started_at"
    case finishedAt = "finished_at"
  }

  /// An author.
  public enum Author: String, RecordColumn {
    case source, uri, server, handle, name, url
    case avatarURL = "avatar_url"
    case avatarState = "avatar_state"
    case avatarAttempts = "avatar_attempts"
    case avatarNextTryAt = "avatar_next_try_at"
    case avatarFailure = "avatar_failure"
    case avatarGoneAt = "avatar_gone_at"
  }

  /// Stored bytes.
  public enum Blob: String, RecordColumn {
    case sha256, bytes
    case mediaType = "media_type"
    case width, height
    case storedAt = "stored_at"
  }

  /// A post.
  public enum Post: String, RecordColumn {
    case id, source, uri, url, server
    case remoteID = "remote_id"
    case createdAt = "created_at"
    case endsAt = "ends_at"
    case editedAt = "edited_at"
    case title, caption
    case captionHTML = "caption_html"
    case warning, sensitive, language, visibility, original, license
    case storedAt = "stored_at"
    case updatedAt = "updated_at"
  }

  /// The author of a post.
  public enum Writer: String, RecordColumn { case uri, handle, name, avatar }

  /// What the person did to a post.
  public enum State: String, RecordColumn {
    case deletedAt = "deleted_at"
    case restoredAt = "restored_at"
    case seenAt = "seen_at"
    case seenStamp = "seen_stamp"
    case favourite
    case favouriteStamp = "favourite_stamp"
    case rating
    case ratingStamp = "rating_stamp"
    case note
    case noteStamp = "note_stamp"
    case hidden
    case hiddenStamp = "hidden_stamp"

    /// The marks among them, each with the column of its stamp. The later one of two counts.
    static let marks: [(value: State, stamp: State)] = [
      (.seenAt, .seenStamp), (.favourite, .favouriteStamp), (.rating, .ratingStamp), (.note, .noteStamp),
      (.hidden, .hiddenStamp),
    ]
  }

  /// A note that another one replaced.
  public enum EarlierNote: String, RecordColumn { case stamp, note }

  /// A tag that the person gave or took away.
  public enum OwnTag: String, RecordColumn {
    case name
    case isSet = "is_set"
    case stamp
  }

  /// An album.
  public enum Album: String, RecordColumn {
    case identity, name
    case nameStamp = "name_stamp"
    case isDeleted = "is_deleted"
    case deletedStamp = "deleted_stamp"
  }

  /// A post's place in an album, which is named by its identity; NULL where it was taken out.
  public enum AlbumPost: String, RecordColumn { case album, place, stamp }

  /// A saved search; without a filter if it was removed.
  public enum SavedSearch: String, RecordColumn { case name, filter, stamp }

  /// A rule for new posts; without a filter if it was removed.
  public enum Rule: String, RecordColumn { case name, filter, actions, stamp }

  /// A hidden author or tag, or one that is shown again.
  public enum Hidden: String, RecordColumn {
    case kind, source, identity, name
    case isHidden = "is_hidden"
    case stamp
  }

  /// What the person said of two pictures, by the SHA-256 of their bytes.
  public enum Verdict: String, RecordColumn { case one, other, verdict, stamp }

  /// What the person said of a tag that a model gave a file, by the SHA-256 of its bytes.
  public enum TagVerdict: String, RecordColumn { case file, tag, verdict, stamp }

  /// When a post was looked up.
  public enum Recheck: String, RecordColumn {
    case looks
    case checkedAt = "checked_at"
    case goneAt = "gone_at"
    case dueAt = "due_at"
  }

  /// What a post quotes; the number of the quoted post in the library that the record comes from.
  public enum Quote: String, RecordColumn { case id, uri, url }

  /// A post's verbatim answer.
  public enum Raw: String, RecordColumn {
    case server
    case pulledAt = "pulled_at"
    case body
  }

  /// An attachment.
  public enum Attachment: String, RecordColumn {
    case kind
    case remoteID = "remote_id"
    case url
    case alternateURL = "alternate_url"
    case previewURL = "preview_url"
    case alt, width, height, blurhash, state, attempts
    case nextTryAt = "next_try_at"
    case failure
    case goneAt = "gone_at"
    case name
    case skippedBy = "skipped_by"
    case limits
  }

  /// An earlier wording.
  public enum Revision: String, RecordColumn {
    case seenAt = "seen_at"
    case title, caption
    case captionHTML = "caption_html"
    case warning
  }

  /// Where a feed has a post. An interval is a number of `Coverage`, an author a URI. The handle of that author is told for
  /// people and is not stored.
  public enum Item: String, RecordColumn {
    case feed
    case remoteID = "remote_id"
    case coverage, place, pinned
    case repeatedBy = "repeated_by"
    case repeatedAt = "repeated_at"
    case seenAt = "seen_at"
    case handle
  }

  /// An item that could not be read.
  public enum Unreadable: String, RecordColumn {
    case feed, digest
    case remoteID = "remote_id"
    case reason
    case pulledAt = "pulled_at"
    case body
  }
}
