import Copies
import FoundationEssentials
import MediaLibrary
import Posts
import Storage

/// What the status page shows, read at one time.
struct StatusReading: Sendable {
  let now: Date
  let zone: TimeZone
  let span: StatusSpan
  let follows: [Follow]
  /// The titles of feeds, by their names.
  let titles: [String: String]
  /// The harvests of the timeline, newest first.
  let runs: [HarvestRun]
  /// Of every feed with something complete or missing, by name.
  let coverages: [FeedCoverage]
  let notices: [(at: Date, notice: HarvestNotice)]
  let space: SpaceUsed
  /// What changed since the library was copied into others.
  let waiting: [CopyMarks.Waiting]

  /// How far the inspection of files came.
  let inspection: InspectionProgress
  /// Whether text in pictures is read.
  let readsText: Bool

  /// The maximum number of harvests of the timeline.
  static let runLimit = 300

  init(of library: Library, span: StatusSpan, now: Date, zone: TimeZone = .autoupdatingCurrent) throws {
    let store = library.store
    (self.now, self.span, self.zone) = (now, span, zone)
    titles = try store.feedTitles()
    let all = try store.runs(limit: Self.runLimit)
    let start = span.start(before: now) ?? now - 7 * 86_400
    let recent = all.filter { $0.startedAt >= start }
    // Of a library that is harvested seldom, the last harvests tell more than an empty week.
    runs = recent.count < 5 && span == .all ? Array(all.prefix(20)) : recent
    coverages = try store.feeds().map { try store.coverage(of: $0) }.filter {
      !$0.intervals.isEmpty || !$0.gaps.isEmpty
    }
    let covered = Dictionary(coverages.map { ($0.feed, $0) }) { one, _ in one }
    follows = try store.follows().map { $0.noting(covered[$0.feed]) }
    notices = Self.notices(of: all.filter { $0.startedAt > now - 7 * 86_400 }, follows)
    space = SpaceUsed(of: library, try store.blobTotals())
    readsText = library.textLanguages != ""
    inspection = try store.inspectionProgress(in: readsText ? library.textLanguages : nil)
    waiting = try CopyMarks(in: library.folder).waiting(in: store).filter { $0.count > 0 }
  }

  /// The notices of a week, each once with its latest words. What has recovered since is left out.
  private static func notices(
    of runs: [HarvestRun], _ follows: [Follow]
  ) -> [(at: Date, notice: HarvestNotice)] {
    let well = Set(follows.filter { $0.schedule.failingSince == nil }.map(\.feed.name))
    var seen: Set<[String]> = []
    return runs.flatMap { run in
      run.notices.compactMap { notice in
        guard !(notice.kind == .feed && well.contains(notice.about)),
          seen.insert([notice.kind.rawValue, notice.about]).inserted
        else { return nil }
        return (at: run.startedAt, notice: notice)
      }
    }
  }

  /// A feed as its title, or its name.
  func label(_ feed: Feed) -> String {
    titles[feed.name].flatMap { $0.isEmpty ? nil : $0 } ?? feed.name
  }

  /// The follow whose refresh is due next.
  var next: Follow? { Self.next(of: follows) }

  static func next(of follows: [Follow]) -> Follow? {
    follows.filter { $0.schedule.dueAt != nil }.min {
      ($0.schedule.dueAt ?? .distantFuture) < ($1.schedule.dueAt ?? .distantFuture)
    }
  }

  var failing: [Follow] { follows.filter { [.failing, .login, .gone].contains($0.schedule.state) } }
  var gapCount: Int { coverages.reduce(0) { $0 + $1.gaps.count } }
}
