// Shows a library's newest posts, and then every change of them as it comes, whichever process makes it:
//
//   swift run media-watch ~/.local/share/media 20
//
// `+` is a post that came, `-` one that left, `~` one that looks different, `>` one that went elsewhere. Ctrl-C ends it.

import Foundation
import MediaLibrary

@main struct Watch {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let count = arguments.count > 2 ? Int(arguments[2]) : 20 else {
      complain("usage: media-watch FOLDER [COUNT]")
      exit(64)
    }
    do {
      try await watch(arguments[1], count: count)
    } catch {
      complain("media-watch: \(error)")
      exit(1)
    }
  }

  static func watch(_ folder: String, count: Int) async throws {
    let library = try Library(in: folder) { Date() }
    defer { library.close() }
    // A list, and the part of it that is looked at: here everything, newest first, and its first rows. Memory and time
    // depend on these rows, not on the library.
    let results = library.results(of: PostListQuery(), window: Window(after: count))
    let interruption = whenInterrupted { await results.stop() }
    defer { interruption.cancel() }

    try await results.performFetch()
    // Each update is the newest list, and how it differs from the one before. The first one is all insertions.
    for try await update in results.updates() {
      let (old, new) = (update.previous.rows, update.rows)
      for place in update.changes.deletions { say("-", old[place]) }
      for place in update.changes.insertions { say("+", new[place]) }
      for move in update.changes.moves { say(">", new[move.to]) }
      for place in update.changes.updates { say("~", new[place]) }
      // Other programs may read along: what is said is said at once, and `=` is where one change ends.
      say("= \(update.rows.count) of \(update.total.lowerBound)")
    }
  }

  static func say(_ sign: String, _ row: ListedPost) {
    let author = row.post.author?.handle ?? "you"
    say("\(sign) \(row.post.id)  \(row.post.createdAt.formatted(.iso8601))  \(author)  \(row.post.caption.prefix(60))")
  }

  /// Prints one line. Posts come from strangers: nothing of them may steer a terminal.
  static func say(_ line: String) {
    let harmless = line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    FileHandle.standardOutput.write(Data((String(harmless) + "\n").utf8))
  }

  static func complain(_ words: String) { FileHandle.standardError.write(Data((words + "\n").utf8)) }

  /// Does something at the first SIGINT, in place of ending the program.
  static func whenInterrupted(_ body: @escaping @Sendable () async -> Void) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT)
    source.setEventHandler { Task { await body() } }
    source.activate()
    return source
  }
}
