import FoundationEssentials
import Machine
import Posts
import Storage
import Terminal
import Web
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

extension HarvestRun {
  /// As JSON; unknown values are null, durations are seconds.
  ///
  /// - Parameter events: What happened; nil leaves them out.
  func json(isRunning: Bool, events: [LogLine]? = nil) -> JSONMembers {
    let failures: [JSONMembers] = parts.compactMap { part in
      part.failure.map { ["feed": part.feed.name, "failure": $0] }
    }
    let notices: [JSONMembers] = notices.map { ["kind": $0.kind.rawValue, "about": $0.about, "notice": $0.message] }
    let feedCounts = [
      "planned": planned, "pulled": feeds, "failed": failed, "limited": limited, "put_off": putOff,
    ]
    let postCounts = [
      "new": counts.new, "updated": counts.updated, "unchanged": counts.unchanged, "deleted": counts.deleted,
      "unreadable": counts.unreadable,
    ]
    var line: JSONMembers = [
      "run": id, "kind": isByHand ? "pull" : "harvest", "started": UTC.text(startedAt),
      "finished": finishedAt.map(UTC.text), "state": RunText(self, isRunning: isRunning).state, "code": code,
      "feeds": feedCounts, "posts": postCounts,
      "media": ["stored": counts.pictures, "failed": counts.picturesFailed] as [String: Int],
      "pages": counts.pages, "requests": counts.requests, "bytes": counts.bytes, "waited": waited / .seconds(1),
      "failures": failures,
      "rechecks": ["looked_up": rechecks.lookedUp, "edited": rechecks.edited, "gone": rechecks.gone] as [String: Int],
      "notices": notices,
    ]
    if isByHand { line["feed"] = feed }
    if let events { line["events"] = events }
    return line
  }
}
