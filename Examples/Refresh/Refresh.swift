// Keeps a tag of a library up to date, and prints what each refresh brought:
//
//   swift run media-refresh ~/.local/share/media ~/.config/media https://mastodon.social cats 900
//
// The last argument is the time between two refreshes in seconds; without it, the interval adapts. Ctrl-C ends the
// program. `Examples/RefreshDelegate` does the same with a delegate, and `Examples/Watch` shows the posts.

import Foundation
import MediaHarvest

@main struct Refresh {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 4, let server = Server(arguments[2]) else {
      report("usage: media-refresh LIBRARY CONFIGURATION SERVER TAG [SECONDS]")
      exit(64)
    }
    let feed = Feed(source: .usual, kind: .tag, value: arguments[3], server: server)
    let interval = arguments.count > 4 ? Int(arguments[4]).map(Duration.seconds) : nil
    do {
      try await refresh(feed, every: interval, in: arguments[0], configuration: arguments[1])
    } catch {
      report("media-refresh: \(error.localizedDescription)")
      exit(1)
    }
  }

  static func refresh(_ feed: Feed, every interval: Duration?, in folder: String, configuration: String) async throws {
    // The library is open for pulling until the session is closed.
    let session = try PullSession.start(in: folder, configuration: configuration, agent: "media-refresh/1.0")
    defer { session.close() }
    let updater = session.updater(of: feed, every: interval)
    // The loop does the updater's work: cancelling its task ends both.
    let updates = Task {
      for try await update in updater.updates() { printLine(update) }
    }
    let interruption = whenInterrupted { updates.cancel() }
    defer { interruption.cancel() }
    try await updates.value
  }

  static func printLine(_ update: FeedUpdate) {
    let posts = update.report.summary.posts
    let next = update.nextRefresh.map { $0.formatted(.iso8601) } ?? "never"
    // A failure is part of an update: the next one comes all the same.
    if let failure = update.report.failure { report("media-refresh: \(failure.localizedDescription)") }
    let pictures = update.report.summary.media.downloaded
    FileHandle.standardOutput.write(Data("\(posts.new) new, \(pictures) pictures, next \(next)\n".utf8))
  }

  static func report(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }

  /// Calls `body` at SIGINT instead of ending the program.
  static func whenInterrupted(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT)
    source.setEventHandler(handler: body)
    source.activate()
    return source
  }
}
