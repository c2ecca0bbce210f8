import Foundation
import Posts
import Storage

/// How far a walk down a feed has come, and whether it goes on: decided from what a page says, and then from what of it
/// was known.
struct Walk {
  /// Where the walk is to end.
  let goal: PullGoal
  /// So many pages at most; nil where only the goal, or the feed's end, ends it.
  let most: Int?
  /// So many items it goes into what is known; nil is half a page.
  let past: Int?
  private var pages = 0
  private var seen: Set<Int> = []
  private var fruitless = 0
  private var largest = 0
  /// How many items the walk has passed since it came to what is known.
  private var depth: Int?

  /// This many pages in a row that bring nothing this walk has not seen mean that the server goes in circles.
  static let fruitlessPages = 3

  init(goal: PullGoal, most: Int? = nil, past: Int? = nil) {
    self.goal = goal
    self.most = most
    self.past = past
  }

  /// What ended a walk.
  enum End: Equatable {
    case pages, time, date, feed, horizon, known
    /// The server shows nothing of the feed for the time being: where the feed ends, it does not say.
    case nothing
  }

  /// What comes after a page.
  enum Step: Equatable {
    /// The page after this cursor is wanted.
    case on(Cursor)
    /// What is wanted lies below the stretch that the walk has come to; the cursor leads through it.
    case over(Cursor)
    /// The walk came to where it was to end.
    case done(End)
    /// More is wanted and the way to it is not gone.
    case barred(reason: String)

    /// Whether a stored cursor leads on, not one that the server has just given.
    var isOver: Bool { if case .over = self { true } else { false } }
  }

  /// Decides from a page what comes after it; throws where the server goes in circles. Where it is late, that page is the
  /// last.
  mutating func turn(_ page: Page, isLate: Bool = false) throws -> Step {
    pages += 1
    largest = max(largest, page.items.count)
    let end: End? = isOlder(page) ? .date : most.flatMap { pages >= $0 ? .pages : nil } ?? (isLate ? .time : nil)
    guard case .after(let cursor) = page.next else {
      if case .refused(let reason) = page.next { return end.map(Step.done) ?? .barred(reason: reason) }
      // How far the feed goes on below its horizon, nobody knows: that it was to be read by date is all that counts.
      return .done(page.next == .end ? .feed : end == .date ? .date : .horizon)
    }
    let before = seen.count
    for item in page.items { seen.insert((item.id ?? item.post?.uri)?.hashValue ?? item.slice.hashValue) }
    fruitless = seen.count == before ? fruitless + 1 : 0
    if fruitless >= Walk.fruitlessPages { throw WalkError.circles(cursor) }
    return end.map(Step.done) ?? .on(cursor)
  }

  /// Decides anew once it is known what of the page was there before.
  ///
  /// A post that came late stands below the top: the walk goes half a page into what is known before it ends there, or
  /// passes over the rest.
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

/// Why a walk cannot go on although the server says that there is more.
public enum WalkError: ExplainedError, Equatable {
  /// Page after page brings the same posts.
  case circles(Cursor)
  /// The server knows none of the posts any more at which the walk could go on, or takes no notice of them.
  case lost(feed: String)

  /// What happened.
  public var summary: String {
    switch self {
    case .circles(let cursor): "the server sends the same posts again and again after \(cursor)"
    case .lost(let feed): "the server has none of the posts of \(feed) any more at which the pull was to go on"
    }
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
