import FoundationEssentials
import HTTP
import Machine
import Terminal
import Wording

/// The schedule of one library's harvests, shown and changed.
struct Schedule: Sendable {
  private let console: Console
  private let library: LibraryOpener
  private let environment: [String: String]
  private let time: TimeSource
  private let json: Bool
  private let harvest: ScheduledHarvest
  private let timer: SystemdTimer

  init(
    console: Console, library: LibraryOpener, paths: LibraryPaths, environment: [String: String],
    trustingEnvironment: [String: String], time: TimeSource, json: Bool
  ) {
    (self.console, self.library, self.environment, self.time) = (console, library, environment, time)
    self.json = json
    harvest = ScheduledHarvest(
      program: Self.program(environment), paths: paths, environment: trustingEnvironment)
    timer = SystemdTimer(harvest, environment)
  }

  /// This program by the path of its invocation, which stays valid after an update; otherwise by the kernel's path.
  private static func program(_ environment: [String: String]) -> String {
    let called = CommandLine.arguments.first ?? ""
    let folder = FileManager.default.currentDirectoryPath
    let path =
      called.contains("/")
      ? (called.hasPrefix("/") ? called : "\(folder)/\(called)") : onPath(called, environment)
    if let path, path.hasPrefix("/"), FileManager.default.isExecutableFile(atPath: path) {
      return URL(fileURLWithPath: path).standardized.path
    }
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? called
  }

  /// If PATH contains a relative path, this program may have been found there, and another one after it.
  private static func onPath(_ called: String, _ environment: [String: String]) -> String? {
    let paths = (environment["PATH"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
    return paths.allSatisfy { $0.hasPrefix("/") } ? Programs.onPath(called, environment) : nil
  }

  func install(every interval: Duration, systemd: Bool) throws {
    // The line writes into the library, so that it must exist.
    try library.withStore { _ in }
    if systemd {
      try timer.install(harvest, every: interval, environment)
      if Program("crontab", environment) != nil { try changeCrontab(to: nil) }
    } else {
      let line = try harvest.cronLine(try CronInterval(interval))
      try changeCrontab(to: line)
      harvest.closeLog()
      if timer.isInstalled { try timer.remove() }
    }
    if !console.isQuiet || json { try show() }
  }

  func remove() throws {
    var isRemoved = timer.isInstalled
    if isRemoved { try timer.remove() }
    // Without the command there is no line either.
    if Program("crontab", environment) != nil, try changeCrontab(to: nil) { isRemoved = true }
    console.message(isRemoved ? "Harvests run no longer by themselves." : "Nothing was scheduled.")
  }

  /// Whether anything changed; only then is it written.
  @discardableResult
  private func changeCrontab(to line: String?) throws -> Bool {
    let file = try CrontabFile(environment)
    let before = try file.read()
    var crontab = before
    if crontab.line(harvest.name) != line { crontab.set(line, for: harvest.name) }
    if crontab != before { try file.write(crontab) }
    return crontab != before
  }

  func show() throws {
    if let report = try reports().first { return try say(report) }
    if !json { console.message(#"Nothing is scheduled: "media schedule install" harvests every 15 minutes."#) }
  }

  /// By what harvests run: none, one, or both if somebody installed one of them by hand.
  func reports() throws -> [ScheduleReport] {
    let byTimer =
      timer.isInstalled
      ? ScheduleReport(
        by: "systemd", every: timer.interval.map(Measures.text), line: timer.name + ".timer", next: timer.next,
        output: "journalctl --user -u \(timer.name)", interval: timer.interval) : nil
    return try [byTimer, byCron(isNeeded: byTimer == nil)].compactMap(\.self)
  }

  /// - Parameter isNeeded: Whether a crontab that cannot be read is an error.
  private func byCron(isNeeded: Bool) throws -> ScheduleReport? {
    guard let file = try? CrontabFile(environment) else { return nil }
    let crontab: Crontab
    do { crontab = try file.read() } catch {
      if isNeeded { throw error }
      return nil
    }
    guard let line = crontab.line(harvest.name) else { return nil }
    let fields = line.split(separator: " ").prefix(5).joined(separator: " ")
    let interval = CronInterval(fields)
    let next = interval?.next(after: time.now(), in: ZoneCalendar())
    return ScheduleReport(
      by: "cron", every: interval.map { Measures.text($0.duration) }, line: line,
      next: line.hasPrefix("#") ? nil : next.map { json ? UTC.text($0) : MomentText().minute($0) },
      output: harvest.log, interval: interval?.duration)
  }

  private func say(_ report: ScheduleReport) throws {
    if json { return try console.result(try JSONText.line(report)) }
    let rows: [[String]?] = [
      report.every.map { ["every", $0] }, ["by", report.by],
      ["next", report.next ?? (report.line.hasPrefix("#") ? "never: the line is switched off" : "not known")],
      [report.by == "cron" ? "line" : "unit", report.line], ["output", report.output],
    ]
    for row in rows.compactMap({ $0 }) {
      try console.result("\(row[0])\(String(repeating: " ", count: max(8 - row[0].count, 0)))\(row[1])")
    }
  }
}

/// The schedule as text.
struct ScheduleReport: Encodable, Sendable {
  let by: String
  let every: String?
  let line: String
  let next: String?
  let output: String
  /// The same as `every`; nil if the line is somebody's own.
  var interval: Duration?
  /// Whether somebody has made a comment of the line.
  var isOff: Bool { line.hasPrefix("#") }

  enum CodingKeys: String, CodingKey { case by, every, line, next, output }
}
