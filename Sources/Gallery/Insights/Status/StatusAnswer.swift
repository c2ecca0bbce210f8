import FoundationEssentials
import MediaLibrary
import Storage
import Wording

/// The state of harvests as JSON, small enough for every page. Times are seconds since 1970.
struct StatusAnswer: Encodable, Sendable {
  /// The server's clock.
  let now: Int
  /// When the next feed is due; nil if none will be.
  let next: Int?
  /// The name of that feed.
  let nextFeed: String?
  /// The number of followed feeds.
  let follows: Int
  /// How many of them are due.
  let due: Int
  /// The feeds that harvests cannot read, and why.
  let failing: [Failure]
  /// The last harvest.
  let run: Run?

  struct Failure: Encodable, Sendable {
    let feed: String
    let state: String
    let failure: String?
    let cure: String?
    /// When it is tried again.
    let due: Int?
  }

  struct Run: Encodable, Sendable {
    let started: Int
    let finished: Int?
    let state: String
    let new: Int
    let failed: Int
  }

  init(of library: Library, now: Date) throws {
    let follows = try library.store.follows()
    let next = StatusReading.next(of: follows)
    self.now = Self.seconds(now)
    self.next = next?.schedule.dueAt.map(Self.seconds)
    nextFeed = next?.feed.name
    self.follows = follows.count
    due = follows.count { $0.schedule.dueAt.map { $0 <= now } ?? false }
    failing = follows.filter { [.failing, .login, .gone].contains($0.schedule.state) }.map {
      Failure(
        feed: $0.feed.name, state: $0.schedule.state.rawValue, failure: $0.schedule.failure,
        cure: FollowText($0).cure, due: $0.schedule.dueAt.map(Self.seconds))
    }
    run = try library.store.runs(limit: 1).first.map {
      Run(
        started: Self.seconds($0.startedAt), finished: $0.finishedAt.map(Self.seconds),
        state: $0.text.state, new: $0.counts.new, failed: $0.failed)
    }
  }

  private static func seconds(_ moment: Date) -> Int { Int(moment.timeIntervalSince1970.rounded(.down)) }
}
