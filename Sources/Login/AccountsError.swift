import Glibc
import Machine
import Posts

/// Why reading or writing the file of accounts, or choosing an account, failed.
public enum AccountsError: ExplainedError, Equatable {
  /// Other users of this machine may read the tokens or other private data.
  case readableByOthers(path: String, content: String)
  /// The file is not in the form that `media` writes.
  case unreadable(path: String, line: Int, reason: String)
  /// A newer version wrote the file.
  case newer(path: String, version: Int)
  /// The file exists but cannot be read.
  case cannotRead(path: String, reason: String)
  /// The file cannot be written. Its earlier content is unchanged.
  case cannotWrite(path: String, reason: String)
  /// The disk or the quota is full.
  case full(path: String)
  /// Nobody is logged in, there or anywhere.
  case none(wanted: String?)
  /// Several accounts match.
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

  /// The exit status of the command.
  public var exitCode: ExitCode {
    switch self {
    case .readableByOthers, .unreadable, .newer, .cannotRead: .configuration
    case .cannotWrite, .full: .storage
    case .none: .needsLogin
    case .several: .usage
    }
  }

  /// The part after the last `@`: people log in at a server, not with a handle.
  private static func server(in wanted: String) -> String {
    wanted.split(separator: "@").last.map(String.init) ?? wanted
  }
}

extension AccountsError {
  /// The system's error number for a failed write, as text.
  init(writing path: String, code: Int32) {
    self =
      FullDisk.isReason(code) ? .full(path: path) : .cannotWrite(path: path, reason: String(cString: strerror(code)))
  }
}
