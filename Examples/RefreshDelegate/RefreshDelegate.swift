// Keeps a tag of a library up to date, and tells a delegate of each refresh:
//
//   swift run media-refresh-delegate ~/.local/share/media ~/.config/media https://mastodon.social cats
//
// A delegate suits a program with a view of its own, such as a status line. Ctrl-C ends the program. `Examples/Refresh`
// does the same as an AsyncSequence.

import Foundation
import MediaHarvest

/// Keeps a status line: here lines on standard output.
final class StatusLine: FeedUpdaterDelegate {
  func willRefresh(_ feed: Feed) { print("refreshing \(feed)") }

  func didRefresh(_ update: FeedUpdate) {
    if let failure = update.report.failure { print("! \(failure.localizedDescription)") }
    let next = update.nextRefresh.map { $0.formatted(.iso8601) } ?? "never"
    print("\(update.report.summary.posts.new) new, next \(next)")
  }

  /// Other programs may read the output, so each line is written at once.
  private func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

@main struct RefreshDelegate {
  @MainActor static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 4, let server = Server(arguments[2]) else {
      FileHandle.standardError.write(Data("usage: media-refresh-delegate LIBRARY CONFIGURATION SERVER TAG\n".utf8))
      exit(64)
    }
    let session = try PullSession.start(
      in: arguments[0], configuration: arguments[1], agent: "media-refresh-delegate/1.0")
    defer { session.close() }
    let updater = session.updater(of: Feed(source: .usual, kind: .tag, value: arguments[3], server: server))
    // Runs until the program ends. The delegate is called on this actor, the main one.
    try await updater.run(for: StatusLine())
  }
}
