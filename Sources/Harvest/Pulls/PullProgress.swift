import FoundationEssentials
import Posts
import Storage

/// How far a pull down a feed has come, and whether it continues: decided from a page, and then from which of its posts
/// were known.
struct PullProgress {
  /// Where the pull is to end.
  let goal: PullGoal
  /// Maximum number of pages; nil if only the goal or the feed's end limits it.
  let most: Int?
  /// Number of known items to read before it ends; nil for half a page.
  let past: Int?
  private var pages = 0
  private var seen: Set<Int> = []
  private var fruitless = 0
  private var largest = 0
  /// Number of items read since the first known one.
  private var depth: Int?

  /// This many consecutive pages without an unseen item mean that the server repeats itself.
  static let fruitlessPages = 3

  init(goal: PullGoal, most: Int? = nil, past: Int? = nil) {
    self.goal = goal
    self.most = most
    self.past = past
  }

  /// What ended a pull.
  enum End: Equatable {
    case pages, time, date, feed, horizon, known
    /// The server temporarily shows nothing of the feed, so its end is unknown.
    case nothing
  }

  /// What comes after a page.
  enum Step: Equatable {
    /// Request the page after this cursor.
    case on(Cursor)
    /// The goal is below the interval that the pull has reached; the cursor leads through it.
    case over(Cursor)
    /// The pull has ended.
    case done(End)
    /// More is wanted, but the server refuses it.
    case barred(reason: String)

    /// Whether a stored cursor leads on, instead of one that the server has just given.
    var isOver: Bool { if case .over = self { true } else { false } }
  }

  /// Decides from a page what follows. If `isLate`, the page is the last. Throws if the server repeats itself.
  mutating func turn(_ page: Page, isLate: Bool = false) throws -> Step {
    pages += 1
    largest = max(largest, page.items.count)
    let end: End? = isOlder(page) ? .date : most.flatMap { pages >= $0 ? .pages : nil } ?? (isLate ? .time : nil)
    guard case .after(let cursor) = page.next else {
      if case .refused(let reason) = page.next { return end.map(Step.done) ?? .barred(reason: reason) }
      // How far the feed continues below its horizon is unknown: only the date goal counts.
      return .done(page.next == .end ? .feed : end == .date ? .date : .horizon)
    }
    let before = seen.count
    for item in page.items { seen.insert((item.id ?? item.post?.uri)?.hashValue ?? item.slice.hashValue) }
    fruitless = seen.count == before ? fruitless + 1 : 0
    if fruitless >= PullProgress.fruitlessPages { throw PullError.circles(cursor) }
    return end.map(Step.done) ?? .on(cursor)
  }

  /// Decides again once it is known which of the page's posts were stored before.
  ///
  /// A late post is below the top: the pull reads half a page of known posts before it ends there or skips the rest.
  mutating func pass(_ known: Known, of page: PageOutline, _ step: Step) -> Step {
    guard goal.known || goal.end, known.isTouched || depth != nil else { return step }
    depth = depth.map { $0 + page.items } ?? known.overlap
    let isDeep = past.map { depth ?? 0 >= $0 } ?? ((depth ?? 0) * 2 >= largest)
    if isDeep, goal.end { depth = nil }
    switch step {
    case .done(.pages) where isDeep && goal.known, .done(.time) where isDeep && goal.known: return .done(.known)
    case .on where isDeep && goal.known: return .done(.known)
    case .on(let cursor) where isDeep && known.isTouched: return .over(cursor)
    default: return step
    }
  }

  private func isOlder(_ page: Page) -> Bool {
    guard let since = goal.since else { return false }
    let dates = page.items.lazy.filter { !$0.pinned }.compactMap { $0.repetition?.at ?? $0.post?.createdAt }
    return !dates.isEmpty && dates.allSatisfy { $0 < since }
  }
}

/// Why a pull cannot continue although the server reports more.
public enum PullError: ExplainedError, Equatable {
  /// The server returns the same posts page after page.
  case circles(Cursor)
  /// The server no longer knows any post at which the pull could continue, or ignores the cursor.
  case lost(feed: String)

  /// What happened.
  public var summary: String {
    switch self {
    case .circles(let cursor): "the server sends the same posts again and again after \(cursor)"
    case .lost(let feed): "the server has none of the posts of \(feed) any more at which the pull was to go on"
    }
  }
  /// What happened, without the cursor, which the server chose.
  public var recordedSummary: String {
    if case .circles = self { "the server sends the same posts again and again" } else { summary }
  }
  /// What to do.
  public var cure: String? {
    switch self {
    case .circles: "what came is stored; try again later"
    case .lost: "what came is stored; \"media gaps --fill\" looks for another way"
    }
  }
  /// The answer is not what it claims to be.
  public var exitCode: ExitCode { .unreadable }
}
