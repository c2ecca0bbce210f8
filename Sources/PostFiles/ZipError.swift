import Machine
import Posts

/// Why a zip archive cannot be made.
package enum ZipError: ExplainedError, Equatable {
  /// A library of the system is missing.
  case noChecksums
  /// A file has other bytes than it had a moment before.
  case changed(String)

  /// What failed, and why.
  package var summary: String {
    switch self {
    case .noChecksums: "a zip cannot be made (\(SystemLibrary.missing("libz.so.1")))"
    case .changed(let path): "the zip ends in the middle: \(path) changed while it was read"
    }
  }

  /// What to do about it.
  package var cure: String? {
    switch self {
    case .noChecksums: nil
    case .changed: "make it again"
    }
  }

  /// 69 without the system's library, else 74.
  package var exitCode: ExitCode { self == .noChecksums ? .unavailable : .storage }
}
