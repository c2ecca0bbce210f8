import Posts

/// Writing to standard output failed.
struct OutputError: ExplainedError {
  let reason: String
  var summary: String { "the output cannot be written (\(reason))" }
  var cure: String? { "make room where it goes" }
  var exitCode: ExitCode { .storage }
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
