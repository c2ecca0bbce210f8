import FoundationEssentials
import Posts
import Storage
import Terminal

/// A harvest's record as text.
struct RunText {
  /// Whether a harvest is under way; then it is the newest record.
  let isRunning: Bool
  private let times = TimeText()

  init(isRunning: Bool) { self.isRunning = isRunning }

  /// A row of the table.
  func cells(of run: HarvestRun, isNewest: Bool, isNarrow: Bool) -> [String] {
    let counts = run.counts
    return [
      isNarrow ? times.brief(run.startedAt) : times.short(run.startedAt), took(run), "\(run.feeds)", "\(counts.new)",
      "\(counts.updated)", "\(counts.pictures)", "\(counts.requests)", state(of: run, isNewest: isNewest),
      ByteText.of(Int(counts.bytes)), TextFormat.span(run.waited / .seconds(1)),
    ]
  }

  /// The lines that describe a whole harvest.
  func lines(of run: HarvestRun) -> [SafeText] {
    let counts = run.counts
    let took = took(run)
    let kinds = [
      (counts.new, "new"), (counts.updated, "updated"), (counts.unchanged, "unchanged"),
      (counts.deleted, "deleted before"), (counts.unreadable, "unreadable"),
    ]
    let posts = kinds.filter { $0.0 > 0 || $0.1 == "new" }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let pictures = "\(counts.pictures)\(counts.picturesFailed > 0 ? ", \(counts.picturesFailed) not had" : "")"
    let rechecks = run.rechecks.lookedUp > 0 ? [("looked up", RecheckText.of(run.rechecks))] : []
    let lines: [(String, String)] = [
      ("when", "\(times.short(run.startedAt))\(took.isEmpty ? "" : ", took \(took)")"),
      ("state", state(of: run, isNewest: true)), ("feeds", "\(run.feeds) of \(run.planned)"), ("posts", posts),
      ("pictures", pictures), ("requests", "\(counts.requests)"), ("bytes", ByteText.of(Int(counts.bytes))),
      ("waited", TextFormat.span(run.waited / .seconds(1))),
    ]
    return (lines + rechecks + run.notices.map { ("notice", $0.message) })
      .map { "\($0.0.padded(to: 12))\($0.1)" }
  }

  /// A row of the table of its feeds.
  func cells(of part: HarvestRun.Part) -> [String] {
    let counts = part.counts
    let state = part.failure ?? part.outcome.rawValue
    return ["\(counts.new)", "\(counts.updated)", "\(counts.pictures)", "\(counts.requests)", state]
  }

  private func took(_ run: HarvestRun) -> String {
    run.finishedAt.map { TextFormat.span($0.timeIntervalSince(run.startedAt)) } ?? ""
  }

  private func state(of run: HarvestRun, isNewest: Bool) -> String {
    let word = RunLine.state(of: run, isRunning: isRunning && isNewest)
    let counts = [(run.failed, "failed"), (run.limited, "limited"), (run.putOff, "put off")]
    return ([word] + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }).joined(separator: ", ")
  }
}

/// A harvest's record as JSON; unknown values are null, durations are seconds.
struct RunLine: Encodable {
  private let run: HarvestRun
  private let isRunning: Bool

  init(_ run: HarvestRun, isRunning: Bool) {
    self.run = run
    self.isRunning = isRunning
  }

  /// `done`, `interrupted`, `running`, or `cut off` if its process ended without a record.
  static func state(of run: HarvestRun, isRunning: Bool) -> String {
    run.state == .open ? isRunning ? "running" : HarvestRun.State.cutOff.rawValue : run.state.rawValue
  }

  private struct Feeds: Encodable {
    let planned, pulled, failed, limited, putOff: Int
    enum CodingKeys: String, CodingKey {
      case planned, pulled, failed, limited
      case putOff = "put_off"
    }
  }
  private struct Posts: Encodable { let new, updated, unchanged, deleted, unreadable: Int }
  private struct Media: Encodable { let stored, failed: Int }
  private struct Failure: Encodable { let feed, failure: String }
  private struct Notice: Encodable { let kind, about, notice: String }
  private struct Rechecks: Encodable {
    let lookedUp, edited, gone: Int
    enum CodingKeys: String, CodingKey {
      case edited, gone
      case lookedUp = "looked_up"
    }
  }

  private enum Key: String, CodingKey {
    case run, started, finished, state, code, feeds, posts, media, pages, requests, bytes, waited, failures, rechecks
    case notices
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let counts = run.counts
    try container.encode(run.id, forKey: .run)
    try container.encode(UTC.text(run.startedAt), forKey: .started)
    try container.encode(run.finishedAt.map(UTC.text), forKey: .finished)
    try container.encode(Self.state(of: run, isRunning: isRunning), forKey: .state)
    try container.encode(run.code, forKey: .code)
    try container.encode(
      Feeds(
        planned: run.planned, pulled: run.feeds, failed: run.failed, limited: run.limited, putOff: run.putOff),
      forKey: .feeds)
    try container.encode(
      Posts(
        new: counts.new, updated: counts.updated, unchanged: counts.unchanged, deleted: counts.deleted,
        unreadable: counts.unreadable), forKey: .posts)
    try container.encode(Media(stored: counts.pictures, failed: counts.picturesFailed), forKey: .media)
    try container.encode(counts.pages, forKey: .pages)
    try container.encode(counts.requests, forKey: .requests)
    try container.encode(counts.bytes, forKey: .bytes)
    try container.encode(run.waited / .seconds(1), forKey: .waited)
    let failures = run.parts.compactMap { part in part.failure.map { Failure(feed: part.feed.name, failure: $0) } }
    try container.encode(failures, forKey: .failures)
    let rechecks = run.rechecks
    try container.encode(
      Rechecks(lookedUp: rechecks.lookedUp, edited: rechecks.edited, gone: rechecks.gone), forKey: .rechecks)
    let notices = run.notices.map { Notice(kind: $0.kind.rawValue, about: $0.about, notice: $0.message) }
    try container.encode(notices, forKey: .notices)
  }
}
