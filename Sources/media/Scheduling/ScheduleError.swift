import FoundationEssentials
import Posts

/// Why nothing was scheduled.
enum ScheduleError: ExplainedError, Equatable {
  /// There is no `crontab` command.
  case noCrontab
  /// The `crontab` command failed; its message.
  case crontabRefuses(String)
  /// systemd does not answer for this user; its message.
  case noSystemd(String)
  /// A unit's file cannot be written.
  case unwritable(path: String, reason: String)
  /// Cron does not support the interval; the nearest ones on both sides.
  case notForCron(Duration, nearest: [Duration])
  /// A path cannot be written in a crontab.
  case unfitPath(String)
  /// The line is longer than cron reads.
  case tooLong

  var summary: String {
    switch self {
    case .noCrontab: "there is no crontab command on this machine"
    case .crontabRefuses(let reason): "the crontab cannot be changed (\(reason))"
    case .noSystemd(let reason): "systemd runs nothing for this user (\(reason))"
    case .unwritable(let path, let reason): "\(path) cannot be written (\(reason))"
    case .notForCron(let every, _): "cron cannot run anything every \(Measures.text(every))"
    case .unfitPath(let path): "\(path) holds a character that no crontab can hold"
    case .tooLong: "the line would be longer than the 998 characters that cron reads"
    }
  }

  var cure: String? {
    switch self {
    case .noCrontab: "install cron (apt-get install cron), or add --systemd"
    case .crontabRefuses: "see whether crontab -e works for you, or add --systemd"
    case .noSystemd: "leave --systemd out, and cron runs it"
    case .unwritable: "check who owns the folder, and that there is space"
    case .notForCron(_, let nearest):
      "choose \(nearest.map { "--every \(Measures.text($0))" }.joined(separator: " or ")), or add --systemd"
    case .unfitPath: "choose another folder"
    case .tooLong: "choose shorter paths, or add --systemd"
    }
  }

  var exitCode: ExitCode {
    switch self {
    case .noCrontab, .crontabRefuses, .noSystemd, .unwritable: .storage
    case .notForCron, .unfitPath, .tooLong: .usage
    }
  }
}
