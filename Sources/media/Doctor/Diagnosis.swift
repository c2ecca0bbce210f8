import Posts

/// What an examination says of one thing, such as one login.
struct Diagnosis: Sendable, Equatable {
  enum State: String, Sendable, Encodable {
    /// All is well.
    case good
    /// Something that a person may want to know, and that stops nothing.
    case notice
    /// Something that has to be mended.
    case problem
    /// It could not be found out.
    case unknown
  }

  let state: State
  /// What was found, without a full stop at the end and without secrets.
  let message: String
  /// What to do about it, as a clause.
  let cure: String?
  /// The exit status of a command that meets the same.
  let exitCode: ExitCode

  static func good(_ message: String) -> Diagnosis { Diagnosis(.good, message) }

  init(_ state: State, _ message: String, cure: String? = nil, exitCode: ExitCode = .partial) {
    (self.state, self.message, self.cure, self.exitCode) = (state, message, cure, exitCode)
  }

  /// A problem that is an error.
  init(_ error: any Error, _ state: State = .problem) {
    guard let error = error as? any ExplainedError else {
      self.init(state, "\(error)")
      return
    }
    self.init(state, error.summary, cure: error.cure, exitCode: error.exitCode)
  }
}

/// Something that a doctor looks at.
struct Examination: Sendable {
  /// Its name: `library`, `logins`.
  let name: String
  /// What it finds, in the order in which people read it. It changes nothing.
  let examine: @Sendable () async throws -> [Diagnosis]
}
