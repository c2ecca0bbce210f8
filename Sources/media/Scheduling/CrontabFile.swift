/// The user's crontab, accessed through the `crontab` command; its file is not writable directly.
struct CrontabFile {
  private let command: Program

  /// Throws if there is no `crontab`.
  init(_ environment: [String: String]) throws(ScheduleError) {
    guard let command = Program("crontab", environment) else { throw .noCrontab }
    self.command = command
  }

  /// Its content; empty if it was never created.
  func read() throws -> Crontab {
    let result = try command.run(["-l"])
    if result.status == 0 { return Crontab(result.output) }
    guard result.errors.contains("no crontab for") else { throw ScheduleError.crontabRefuses(result.reason) }
    return Crontab()
  }

  /// Replaces it.
  func write(_ crontab: Crontab) throws {
    let result = try command.run(["-"], input: crontab.bytes)
    guard result.status == 0 else { throw ScheduleError.crontabRefuses(result.reason) }
  }
}
