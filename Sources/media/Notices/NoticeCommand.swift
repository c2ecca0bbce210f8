import Glibc
import HTTP
import Machine
import Terminal

/// Passes lines to a user's command on its standard input: mail, ntfy, or any other.
struct NoticeCommand: Sendable {
  /// The command's time limit.
  private static let patience = Duration.seconds(30)
  private static let isLate: Int32 = -1
  /// The bytes that a pipe surely takes without a reader: at least 4096, for users with very many pipes (pipe(7)).
  private static let mostBytes = 3900

  let command: String
  let time: TimeSource

  /// Runs the command in the shell and waits for its end. Returns what failed, or nil. Does not show its output: success is
  /// silent.
  func give(_ lines: [SafeText]) async -> String? {
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    let process: Int32
    do { process = try start(Self.text(of: lines)) { end.yield($0) } } catch { return "cannot be run" }
    let status = await withTaskGroup(of: Void.self) { [process] group in
      group.addTask {
        guard (try? await time.sleep(Self.patience)) != nil else { return }
        // Its children too: a shell waits for what it runs.
        if kill(-process, SIGKILL) != 0 { kill(process, SIGKILL) }
        end.yield(Self.isLate)
      }
      defer { group.cancelAll() }
      return await ended.first { _ in true }
    }
    guard let status, status != Self.isLate else { return "did not end within \(Self.patience.components.seconds) s" }
    return status == 0 ? nil : "failed with status \(status)"
  }

  private func start(_ text: SafeText, onEnd: @escaping @Sendable (Int32) -> Void) throws -> Int32 {
    let child = try ChildProcess("/bin/sh", ["-c", command], input: try Self.pipe(holding: text))
    child.waitInBackground(onEnd)
    return child.id
  }

  /// The lines that fit, and how many more there are.
  static func text(of lines: [SafeText]) -> SafeText {
    var text = SafeText()
    for (index, line) in lines.enumerated() {
      guard text.text.utf8.count + line.text.utf8.count <= mostBytes else {
        return text + "and \(lines.count - index) more: \"media runs --last\" shows them\n"
      }
      text += "\(line)\n"
    }
    return text
  }

  /// A pipe that holds the whole text, so that the command receives it whether or not it reads at once.
  private static func pipe(holding text: SafeText) throws -> OpenFile {
    let pipe = try PipeEnds()
    try pipe.writing.write(text.text.utf8)
    pipe.writing.close()
    return pipe.reading
  }
}
