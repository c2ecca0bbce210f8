import Posts

/// Standard output took no more.
struct OutputError: ExplainedError {
  let reason: String
  var summary: String { "the output cannot be written (\(reason))" }
  var cure: String? { "make room where it goes" }
  var exitCode: ExitCode { .storage }
}

/// What was typed does not make sense.
struct UsageError: ExplainedError {
  let summary: String
  let cure: String?
  var exitCode: ExitCode { .usage }

  init(_ summary: String, cure: String? = nil) {
    self.summary = summary
    self.cure = cure
  }
}
