import Glibc
import Posts

/// Why the file of accounts, or a choice among them, failed.
public enum AccountsError: ExplainedError, Equatable {
  /// Others on this machine may read the tokens, or what else is the person's own.
  case readableByOthers(path: String, content: String)
  /// The file is not what `media` writes.
  case unreadable(path: String, line: Int, reason: String)
  /// The file was written by a version to come.
  case newer(path: String, version: Int)
  /// The file is there and cannot be read.
  case cannotRead(path: String, reason: String)
  /// The file cannot be written; what it held before still stands.
  case cannotWrite(path: String, reason: String)
  /// The disk, or the quota, is full.
  case full(path: String)
  /// Nobody is logged in, there or anywhere.
  case none(wanted: String?)
  /// Several accounts fit.
  case several(wanted: String?, handles: [String])

  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .readableByOthers(let path, let content): "\(path) holds \(content) and others can read it"
    case .unreadable(let path, let line, let reason): "\(path):\(line): \(reason)"
    case .newer(let path, let version): "\(path) was written by a newer media (format \(version))"
    case .cannotRead(let path, let reason): "cannot read \(path) (\(reason))"
    case .cannotWrite(let path, let reason): "cannot write \(path) (\(reason))"
    case .full(let path): FullDisk.summary(path)
    case .none(nil): "not logged in anywhere"
    case .none(let wanted?): "not logged in as or at \(wanted.isEmpty ? "\"\"" : wanted)"
    case .several(nil, let handles): "several accounts are logged in (\(handles.joined(separator: ", ")))"
    case .several(let wanted?, let handles): "several accounts fit \(wanted) (\(handles.joined(separator: ", ")))"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .readableByOthers(let path, _): "run \"chmod 600 \(path)\""
    case .unreadable(let path, _, _): "mend it, or move \(path) away and log in again"
    case .newer: "install the newer version"
    case .cannotRead, .cannotWrite: nil
    case .full: FullDisk.cure
    case .none(let wanted?) where !wanted.contains(where: { ".:@".contains($0) }):
      "\"media accounts\" lists the logins"
    case .none(let wanted): "run \"media login \(wanted.map(Self.server(in:)) ?? "SERVER")\""
    case .several: "name one of them"
    }
  }

  /// The status the command ends with.
  public var exitCode: ExitCode {
    switch self {
    case .readableByOthers, .unreadable, .newer, .cannotRead: .configuration
    case .cannotWrite, .full: .storage
    case .none: .needsLogin
    case .several: .usage
    }
  }

  /// What follows the last `@`: people log in at a server, not as a handle.
  private static func server(in wanted: String) -> String {
    wanted.split(separator: "@").last.map(String.init) ?? wanted
  }
}

extension AccountsError {
  /// What the system's number says of a file that could not be written.
  init(writing path: String, code: Int32) {
    self =
      FullDisk.isReason(code) ? .full(path: path) : .cannotWrite(path: path, reason: String(cString: strerror(code)))
  }
}
