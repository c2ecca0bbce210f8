// Shows a library's newest posts, and then every change of them, whichever process makes it:
//
//   swift run media-watch ~/.local/share/media 20
//
// `+` is a new post, `-` a removed one, `~` one whose content changed, `>` one that moved. Ctrl-C ends the program.

import Foundation
import MediaLibrary

@main struct Watch {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let count = arguments.count > 2 ? Int(arguments[2]) : 20 else {
      report("usage: media-watch FOLDER [COUNT]")
      exit(64)
    }
    do {
      try await watch(arguments[1], count: count)
    } catch {
      report("media-watch: \(error)")
      exit(1)
    }
  }

  static func watch(_ folder: String, count: Int) async throws {
    let library = try Library(in: folder) { Date() }
    defer { library.close() }
    // A list and a window over it: here all posts, newest first, and the first rows. Memory and time depend on the size of
    // the window, not of the library.
    let results = library.results(of: PostListQuery(), window: Window(after: count))
    let interruption = whenInterrupted { await results.stop() }
    defer { interruption.cancel() }

    try await results.performFetch()
    // Each update has the newest list and its changes against the previous one. In the first, all rows are insertions.
    for try await update in results.updates() {
      let (old, new) = (update.previous.rows, update.rows)
      for index in update.changes.deletions { printLine("-", old[index]) }
      for index in update.changes.insertions { printLine("+", new[index]) }
      for move in update.changes.moves { printLine(">", new[move.to]) }
      for index in update.changes.updates { printLine("~", new[index]) }
      // Other programs may read the output: each line is written at once, and `=` ends an update.
      printLine("= \(update.rows.count) of \(update.total.lowerBound)")
    }
  }

  static func printLine(_ sign: String, _ row: ListedPost) {
    let author = row.post.author?.handle ?? "you"
    printLine(
      "\(sign) \(row.post.id)  \(row.post.createdAt.formatted(.iso8601))  \(author)  \(row.post.caption.prefix(60))")
  }

  /// Prints one line. Posts are untrusted: their text must not steer a terminal.
  static func printLine(_ line: String) {
    let safe = line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    FileHandle.standardOutput.write(Data((String(safe) + "\n").utf8))
  }

  static func report(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }

  /// Calls `body` at SIGINT instead of ending the program.
  static func whenInterrupted(_ body: @escaping @Sendable () async -> Void) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT)
    source.setEventHandler { Task { await body() } }
    source.activate()
    return source
  }
}
