import FoundationEssentials
import Posts
import Storage

/// What a pull is to do.
public struct PullPlan: Sendable {
  /// Which of the feed's pages are read.
  public enum Scope: Sendable, Equatable {
    /// The newest ones, also where they are stored, so that edits are seen.
    case newest
    /// From the newest down until half a page of known posts was read. A late post further down is not found.
    case new
    /// From the newest down to the feed's end. Known intervals are skipped after half a page of each.
    case all
    /// The rest of the latest unfinished pull; if none is unfinished, the pages below all known posts.
    case rest
    /// What is known to be missing.
    case gaps
    /// One gap.
    case gap(Gap)
    /// New posts, and then some of the known gaps. Upwards, and so without a new gap, if the source can and the server
    /// still knows where to begin; otherwise downwards.
    case harvest
  }

  /// Which pages.
  public var scope: Scope
  /// The most pages read; nil if only the scope, `since`, or the feed's end limits the pull.
  public var pages: Int?
  /// Posts per page; nil for the most that the source allows.
  public var pageSize: Int?
  /// The pull ends at the first page with only older posts.
  public var since: Date?
  /// Whether the posts' pictures are fetched.
  public var pictures: Bool
  /// Whether the authors' avatars are fetched.
  public var avatars: Bool
  /// Whether all failed pictures of the feed are retried now, whatever pages are read and whenever they are due.
  public var retryFailed: Bool
  /// Which files are taken. Of what these say nothing about, the limits of the feed's follow count.
  public var limits: FileLimits
  /// The time after which no further page or picture is requested; nil for no limit.
  public var endsAt: Date?

  /// Creates a plan; the default is the newest page with pictures and avatars.
  public init(
    _ scope: Scope = .newest, pages: Int? = 1, pageSize: Int? = nil, since: Date? = nil, pictures: Bool = true,
    avatars: Bool = true,
    retryFailed: Bool = false, limits: FileLimits = FileLimits()
  ) {
    self.scope = scope
    self.pages = pages
    self.pageSize = pageSize
    self.since = since
    self.pictures = pictures
    self.avatars = avatars
    self.retryFailed = retryFailed
    self.limits = limits
  }

  /// Whether it fetches files.
  var fetches: Bool { pictures || avatars }

  /// The downloads for stored posts: avatars last, because pictures matter more. Stored avatars are marked as seen.
  func tasks(for posts: [Int64], in store: Store, now: Date) throws -> [PictureTask] {
    if avatars { try store.useAvatars(ofPosts: posts, now: now) }
    let pictures = pictures ? try store.pictures(ofPosts: posts, retryFailed: retryFailed, now: now) : []
    let avatars = avatars ? try store.avatars(ofPosts: posts, retryFailed: retryFailed, now: now) : []
    return pictures.map(within) + avatars
  }

  /// The downloads for a feed's missing pictures, whatever pages were read.
  func tasks(missingOf feed: Feed, in store: Store, now: Date) throws -> [PictureTask] {
    let finishes = [.all, .rest, .gaps].contains(scope)
    let wanted: MissingPictures = retryFailed ? .all : finishes ? .due : .untried
    let pictures = pictures ? try store.missingPictures(of: feed, wanted, now: now) : []
    let wantsAvatars = avatars && (retryFailed || [.rest, .gaps].contains(scope))
    return pictures.map(within) + (wantsAvatars ? try store.missingAvatars(of: feed, wanted, now: now) : [])
  }

  /// A task that this pull has not met keeps to its limits, too.
  private func within(_ task: PictureTask) -> PictureTask {
    var task = task
    task.limits = limits.over(task.limits)
    return task
  }
}

/// The counts of a pull. Encodes as the JSON object that ends every pull.
public struct PullSummary: Sendable, Equatable, Encodable {
  /// The posts on the pages: the sum of the first five is their number.
  public struct PostCounts: Sendable, Equatable, Encodable {
    /// Not in the library before.
    public var new = 0
    /// Caption, warning, attachments, alt text, tags or the author's name changed.
    public var updated = 0
    /// As stored.
    public var unchanged = 0
    /// Read again, and stays deleted.
    public var deleted = 0
    /// Stored raw, because it could not be read.
    public var unreadable = 0
    /// Of all these, those with an unreadable date, which was guessed.
    public var misdated = 0
    /// Of all these, those with more files, tags or text than is kept of a post; nil if there are none.
    public var shortened: Int?
  }

  /// The pictures of those posts.
  public struct MediaCounts: Sendable, Equatable, Encodable {
    /// Downloaded, and new to the library.
    public var downloaded = 0
    /// Downloaded, but the library already had the same bytes.
    public var deduplicated = 0
    /// Failed this time.
    public var failed = 0
    /// Of these, those that are gone for good.
    public var gone = 0
    /// Of the whole feed, those still missing that were neither tried nor put off this time.
    public var waiting = 0
    /// Put off, because their host accepts no more requests for now.
    public var putOff = 0
    /// Left out by limits this time.
    public var leftOut = 0
    /// Of these, those past the most bytes of a pull.
    public var pastTotal = 0
    /// Downloaded bytes.
    public var bytes: Int64 = 0

    /// Those that were tried or put off and are still missing.
    public var stillMissing: Int { failed - gone + putOff }

    enum CodingKeys: String, CodingKey {
      case downloaded, deduplicated, failed, waiting, bytes
      case putOff = "put_off"
      case leftOut = "skipped"
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
  /// Whether nothing is missing between the newest post and the pull's goal.
  public var complete = false
  /// Where the next page begins; nil if there is none.
  public var next: Cursor?
  /// Whether the server temporarily shows nothing of the feed, which ends the pull.
  public var showsNothing = false

  /// Whether it read no page and only downloaded pictures left by earlier pulls.
  public var hasPicturesAlone: Bool {
    pages == 0 && media.downloaded + media.deduplicated + media.failed + media.putOff > 0
  }

  /// Creates an empty summary of the feed with this name.
  public init(feed: String) { self.feed = feed }

  enum CodingKeys: String, CodingKey { case feed, pages, requests, posts, media, complete, next }

  /// Writes `next` as null if there is none, so that the key is always present.
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

/// The result of a pull, and what stopped it early.
public struct PullReport: Sendable {
  /// The counts, also after a failure.
  public var summary: PullSummary
  /// What stopped it before its goal; nil if nothing did.
  public var failure: (any Error)?
  /// The first twenty reasons for failed pictures, one line each.
  public var pictureFailures: [String]
  /// The hosts whose pictures were put off.
  public var picturesPutOff: [PicturesPutOff] = []
  /// Number of gaps and unfinished pulls of the feed.
  public var gaps: Int
  /// What the feed's newest end showed; nil if that was not read completely, or not the purpose of the pull.
  public var head: FeedHead?

  /// A report.
  public init(
    summary: PullSummary, failure: (any Error)?, pictureFailures: [String], picturesPutOff: [PicturesPutOff] = [],
    gaps: Int, head: FeedHead?
  ) {
    (self.summary, self.failure, self.pictureFailures) = (summary, failure, pictureFailures)
    (self.picturesPutOff, self.gaps, self.head) = (picturesPutOff, gaps, head)
  }

  /// The report of a pull that failed before it read anything.
  public init(failing error: any Error, of feed: Feed) {
    self.init(summary: PullSummary(feed: feed.name), failure: error, pictureFailures: [], gaps: 0, head: nil)
  }
}

/// Progress of a pull.
public enum PullEvent: Sendable {
  /// A page is stored.
  case page(number: Int, posts: Int)
  /// A page holds posts with unusable dates, which were guessed.
  case misdated(posts: Int)
  /// A page holds posts with more files, tags or text than is kept of a post.
  case shortened(posts: Int)
  /// Another process pulls this feed or removes pictures; this pull waits for it.
  case waitsForPull
  /// What of the feed's files is to be downloaded is longer than a pull takes, as the feed declares: the declared and the
  /// most bytes.
  case declared(bytes: Int64, most: Int64)
  /// A picture ended: the numbers of finished and of known pictures so far, and the downloaded bytes.
  case picture(done: Int, known: Int, bytes: Int64)
}
