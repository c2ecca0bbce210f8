import Foundation
import Posts
import Storage

/// What a pull is asked to do.
public struct PullPlan: Sendable {
  /// Which of the feed's pages are read.
  public enum Scope: Sendable, Equatable {
    /// The newest ones, also where they are stored, so that edits are seen.
    case newest
    /// From the newest down to a stretch that is complete.
    case new
    /// From the newest down to the feed's end, without those of stretches that are complete.
    case all
    /// What the latest unfinished pull has left; where none is unfinished, those below all that is known.
    case rest
    /// What is known to be missing.
    case gaps
    /// One part that is known to be missing, between what is there.
    case gap(Gap)
    /// What is new, without a gap where the source can walk up, and then some of what is known to be missing.
    case harvest
  }

  /// Which pages.
  public var scope: Scope
  /// The most pages read; nil where only the scope, `since`, or the feed's end, ends the walk.
  public var pages: Int?
  /// Posts a page; nil asks for the most the source allows.
  public var pageSize: Int?
  /// Ends at the first page whose every post is older.
  public var since: Date?
  /// Whether the posts' pictures are fetched.
  public var pictures: Bool
  /// Whether the authors' avatars are fetched.
  public var avatars: Bool
  /// Whether all pictures of the feed that failed before are tried again now, whatever pages are read and whenever their
  /// next try was due.
  public var retryFailed: Bool
  /// When no further page and no further picture is asked for; nil where the pull takes the time that it takes.
  public var endsAt: Date?

  /// The newest page with pictures and avatars, unless said otherwise.
  public init(
    _ scope: Scope = .newest, pages: Int? = 1, pageSize: Int? = nil, since: Date? = nil, pictures: Bool = true,
    avatars: Bool = true,
    retryFailed: Bool = false
  ) {
    self.scope = scope
    self.pages = pages
    self.pageSize = pageSize
    self.since = since
    self.pictures = pictures
    self.avatars = avatars
    self.retryFailed = retryFailed
  }

  /// What is to be fetched for posts that were stored: avatars last, for pictures are what people came for. Avatars that
  /// are kept are noted as seen.
  func tasks(for posts: [Int64], in store: Store, now: Date) throws -> [PictureTask] {
    if avatars { try store.useAvatars(ofPosts: posts, now: now) }
    let pictures = pictures ? try store.pictures(ofPosts: posts, retryFailed: retryFailed, now: now) : []
    let avatars = avatars ? try store.avatars(ofPosts: posts, retryFailed: retryFailed, now: now) : []
    return pictures + avatars
  }

  /// What is to be fetched of a feed's missing pictures, whatever pages were read.
  func tasks(missingOf feed: Feed, in store: Store, now: Date) throws -> [PictureTask] {
    let finishes = [.all, .rest, .gaps].contains(scope)
    let wanted: MissingPictures = retryFailed ? .all : finishes ? .due : .untried
    let pictures = pictures ? try store.missingPictures(of: feed, wanted, now: now) : []
    let wantsAvatars = avatars && (retryFailed || [.rest, .gaps].contains(scope))
    return pictures + (wantsAvatars ? try store.missingAvatars(of: feed, wanted, now: now) : [])
  }
}

/// What a pull brought; it encodes as the JSON object that ends every pull.
public struct PullSummary: Sendable, Equatable, Encodable {
  /// The posts that the pages carried: the first five add up to all of them.
  public struct PostCounts: Sendable, Equatable, Encodable {
    /// Not in the library before.
    public var new = 0
    /// Caption, warning, attachments, alt text, tags or the author's name changed.
    public var updated = 0
    /// As it was.
    public var unchanged = 0
    /// Came again, and stays deleted.
    public var deleted = 0
    /// Kept as it came, for want of sense in it.
    public var unreadable = 0
    /// Of all these, those with a date that cannot be read: it was guessed.
    public var misdated = 0
  }

  /// The pictures of those posts.
  public struct MediaCounts: Sendable, Equatable, Encodable {
    /// Came and were new to the library.
    public var downloaded = 0
    /// Came, and the library held the same bytes.
    public var deduplicated = 0
    /// Could not be had this time.
    public var failed = 0
    /// Of these, those that are gone for good.
    public var gone = 0
    /// Of the whole feed, those that are still missing and were neither tried nor put off this time.
    public var waiting = 0
    /// Were not to be had yet, for their host takes no more requests for now.
    public var putOff = 0
    /// Bytes that came.
    public var bytes: Int64 = 0

    /// Those that were tried or put off and are to be had later.
    public var stillMissing: Int { failed - gone + putOff }

    enum CodingKeys: String, CodingKey {
      case downloaded, deduplicated, failed, waiting, bytes
      case putOff = "put_off"
    }
  }

  /// The feed's name.
  public var feed: String
  /// Pages stored.
  public var pages = 0
  /// Requests for pages, repeated ones included.
  public var requests = 0
  /// The posts.
  public var posts = PostCounts()
  /// The pictures.
  public var media = MediaCounts()
  /// Whether nothing is missing between the newest post and where the pull was to end.
  public var complete = false
  /// Where the next page begins; nil when there is none.
  public var next: Cursor?
  /// Whether the server shows nothing of the feed for the time being: it is asked for no more of it.
  public var showsNothing = false

  /// Whether it only came to pictures that earlier pulls had left, and read no page.
  public var hasPicturesAlone: Bool {
    pages == 0 && media.downloaded + media.deduplicated + media.failed + media.putOff > 0
  }

  /// Nothing yet, of a feed of that name.
  public init(feed: String) { self.feed = feed }

  enum CodingKeys: String, CodingKey { case feed, pages, requests, posts, media, complete, next }

  /// Writes `next` as null where there is none, so that the key is always there.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(feed, forKey: .feed)
    try container.encode(pages, forKey: .pages)
    try container.encode(requests, forKey: .requests)
    try container.encode(posts, forKey: .posts)
    try container.encode(media, forKey: .media)
    try container.encode(complete, forKey: .complete)
    try container.encode(next?.value, forKey: .next)
  }
}

/// How a pull ended: what it brought, and what stopped it early.
public struct PullReport: Sendable {
  /// What it brought, whether or not it ended well.
  public var summary: PullSummary
  /// What stopped it before its goal; nil when nothing did.
  public var failure: (any Error)?
  /// Why pictures could not be had, one line each, the first twenty.
  public var pictureFailures: [String]
  /// The hosts whose pictures were put off.
  public var picturesPutOff: [PicturesPutOff] = []
  /// How many parts of the feed are known to be missing.
  public var gaps: Int
  /// What the feed's newest end showed; nil where it was not read to the end of what was wanted there, or for its own sake.
  public var head: FeedHead?
}

/// What happens during a pull, for whoever shows it.
public enum PullEvent: Sendable {
  /// A page is stored.
  case page(number: Int, posts: Int)
  /// A page holds posts whose dates cannot be used, and were guessed.
  case misdated(posts: Int)
  /// Another process pulls this feed, or takes pictures away; this pull goes on when it is done.
  case waitsForPull
  /// A picture came or failed: how many of how many known so far are done, and the bytes that came.
  case picture(done: Int, known: Int, bytes: Int64)
}
