import Glibc
import Machine
import Posts

/// Why files cannot be exported.
public enum FilesError: ExplainedError, Equatable {
  /// The disk is full.
  case full(String)
  /// It may not be written.
  case readOnly(String)
  /// The folder above does not exist.
  case missing(String)
  /// Another failure, in the system's words.
  case io(String, String)

  init(_ path: String, _ code: Int32) {
    self =
      switch code {
      case _ where FullDisk.isReason(code): .full(path)
      case EACCES, EPERM, EROFS: .readOnly(path)
      case ENOENT: .missing(path)
      default: .io(path, String(cString: strerror(code)))
      }
  }

  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .full(let path): FullDisk.summary(path)
    case .readOnly(let path): "\(path) may not be written"
    case .missing(let path): "\(path) cannot be made, the folder above it is missing"
    case .io(let path, let reason): "\(path) cannot be written (\(reason))"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .full: "free some space and run the command again; it goes on where it stopped"
    case .readOnly: "see who owns it, or name another folder"
    case .missing: "make it, or see whether its disk is mounted"
    case .io: nil
    }
  }

  /// Always 74.
  public var exitCode: ExitCode { .storage }
}
