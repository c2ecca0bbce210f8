import Posts

/// An archive cannot be written.
struct ArchiveWritingError: ExplainedError, Equatable {
  let path: String
  let reason: String

  var summary: String { "\(path) cannot be written (\(reason))" }
  var cure: String? { nil }
  var exitCode: ExitCode { .storage }
}
