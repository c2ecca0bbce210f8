import Glibc
import Posts
import Terminal

/// Reads a password from standard input. What is typed is not shown, and is typed twice.
enum HiddenInput {
  /// - Throws: `NoPassword` if there is none, or the second is another.
  static func password() throws -> String {
    let isTerminal = isatty(STDIN_FILENO) == 1
    guard let first = line("New password (it is not shown): ", isTerminal), !first.isEmpty else {
      throw NoPassword.missing
    }
    guard !isTerminal || line("The same again: ", isTerminal) == first else { throw NoPassword.different }
    return first
  }

  private static func line(_ prompt: String, _ isTerminal: Bool) -> String? {
    guard isTerminal else { return readLine() }
    _ = write(STDERR_FILENO, prompt, prompt.utf8.count)
    defer { complain("", .info) }
    return ChangedModes.readHiddenLine()
  }
}

/// No password was typed.
enum NoPassword: ExplainedError {
  case missing, different

  var summary: String {
    switch self {
    case .missing: "no password came on standard input"
    case .different: "the second password is not the first"
    }
  }
  var cure: String? { "type it, or pipe it in as one line" }
  var exitCode: Posts.ExitCode { .usage }
}
