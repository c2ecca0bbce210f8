import FoundationEssentials
import Machine
import Posts
import Storage
import Terminal
import Wording

/// Records of harvests as tables.
struct RunTable {
  private let times = MomentText()

  /// A row of the table.
  func cells(of run: HarvestRun, isRunning: Bool, isNarrow: Bool) -> [String] {
    let (counts, text) = (run.counts, RunText(run, isRunning: isRunning))
    return [
      "\(run.id)", isNarrow ? times.brief(run.startedAt) : times.minute(run.startedAt), text.took ?? "",
      NumberText.grouped(run.feeds), NumberText.grouped(counts.new), NumberText.grouped(counts.updated),
      NumberText.grouped(counts.pictures), NumberText.grouped(counts.requests), text.outcome,
      NumberText.bytes(Int(counts.bytes)), NumberText.span(run.waited),
    ]
  }

  /// The lines that describe a whole harvest.
  func lines(of run: HarvestRun, isRunning: Bool) -> [SafeText] {
    let (counts, text) = (run.counts, RunText(run, isRunning: isRunning))
    let kinds = [
      (counts.new, "new"), (counts.updated, "updated"), (counts.unchanged, "unchanged"),
      (counts.deleted, "deleted before"), (counts.unreadable, "unreadable"),
    ]
    let posts = kinds.filter { $0.0 > 0 || $0.1 == "new" }.map { "\(NumberText.grouped($0.0)) \($0.1)" }
      .joined(separator: ", ")
    let pictures = "\(counts.pictures)\(counts.picturesFailed > 0 ? ", \(counts.picturesFailed) not had" : "")"
    let rechecks = run.rechecks.lookedUp > 0 ? [("looked up", RecheckText.of(run.rechecks))] : []
    let lines: [(String, String)] = [
      ("when", "\(times.minute(run.startedAt))\(text.took.map { ", took \($0)" } ?? "")"),
      ("state", text.outcome), ("feeds", "\(run.feeds) of \(run.planned)"), ("posts", posts),
      ("pictures", pictures), ("requests", "\(counts.requests)"), ("bytes", NumberText.bytes(Int(counts.bytes))),
      ("waited", NumberText.span(run.waited)),
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
}

extension RunTable {
  /// A row of the table of its events.
  func cells(of event: LogLine) -> [String] {
    // The name of the feed stands before what failed; other events name it themselves.
    let about = event.feed.flatMap { event.message.hasPrefix($0) ? nil : "\($0): " } ?? ""
    return [
      UTC.date(event.time).map(times.clock) ?? "", event.level.rawValue, event.event.rawValue,
      event.seconds.map(Self.span) ?? "", event.count.map { NumberText.grouped($0) } ?? "", "\(about)\(event.message)",
    ]
  }

  /// `0.4 s`, from ten seconds on as durations are written elsewhere.
  private static func span(_ seconds: Double) -> String {
    seconds < 10 ? "\((seconds * 10).rounded() / 10) s" : NumberText.span(seconds)
  }
}

/// A harvest's record as JSON; unknown values are null, durations are seconds.
struct RunLine: Encodable {
  private let run: HarvestRun
  private let isRunning: Bool
  private let events: [LogLine]?

  /// - Parameter events: What happened; nil leaves them out.
  init(_ run: HarvestRun, isRunning: Bool, events: [LogLine]? = nil) {
    (self.run, self.isRunning, self.events) = (run, isRunning, events)
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
    case run, kind, started, finished, state, code, feeds, posts, media, pages, requests, bytes, waited, failures,
      rechecks
    case notices, events
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let counts = run.counts
    try container.encode(run.id, forKey: .run)
    try container.encode(run.isByHand ? "pull" : "harvest", forKey: .kind)
    try container.encode(UTC.text(run.startedAt), forKey: .started)
    try container.encode(run.finishedAt.map(UTC.text), forKey: .finished)
    try container.encode(RunText(run, isRunning: isRunning).state, forKey: .state)
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
    try container.encodeIfPresent(events, forKey: .events)
  }
}
