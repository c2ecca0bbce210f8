import Glibc
import Posts

/// Writing to standard output failed.
struct OutputError: ExplainedError {
  let reason: String
  var summary: String { "the output cannot be written (\(reason))" }
  var cure: String? { "make room where it goes" }
  var exitCode: ExitCode { .storage }
}

/// A file or folder that was to be read does not exist.
struct NoSuchFile: ExplainedError {
  /// Its path, as it was typed.
  let path: String

  var summary: String { "there is no \(path)" }
  var cure: String? { "check how it is spelt" }
  var exitCode: ExitCode { .storage }

  /// Whether nothing is at a path.
  static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) }
}

/// The arguments make no sense.
struct UsageError: ExplainedError {
  let summary: String
  let cure: String?
  var exitCode: ExitCode { .usage }

  init(_ summary: String, cure: String? = nil) {
    self.summary = summary
    self.cure = cure
  }
}
