import Posts

/// Why a file is not opened.
enum ViewerError: ExplainedError, Equatable {
  /// Why a type is not opened.
  enum Refusal: Sendable, Equatable { case scripts, launchable, unknown }

  /// Nothing here opens files of this media type.
  case noProgram(String)
  /// The stored bytes are missing.
  case unreadable
  /// Its type is not opened.
  case refused(String, reason: Refusal)
  /// There is no disk space for a copy.
  case notCopied
  /// The program failed.
  case ended(String, status: Int32)

  var summary: String {
    switch self {
    case .noProgram(let type): "no program here opens \(type)"
    case .unreadable: "the stored file cannot be read"
    case .refused(let type, .scripts): "it is \(type), which is not opened: it could run scripts"
    case .refused(let type, .launchable): "it is \(type), which is not opened: a program could run it"
    case .refused(let type, .unknown): "it is \(type), which is not opened"
    case .notCopied: "the file cannot be copied for the program that opens it"
    case .ended(let program, let status): "\(program) failed with status \(status)"
    }
  }

  var cure: String? {
    switch self {
    case .noProgram, .ended: "media settings opener \"feh\" names one"
    case .unreadable: "media check looks it through"
    case .refused: "\"media show --json\" names the stored file"
    case .notCopied: "see whether the disk for temporary files is full"
    }
  }

  var exitCode: ExitCode {
    switch self {
    case .noProgram, .ended: .unavailable
    case .unreadable, .refused: .unreadable
    case .notCopied: .storage
    }
  }
}
