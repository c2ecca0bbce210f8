import ArgumentParser
import DemoServer
import Foundation
import Posts

/// `media demo`
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Serve made-up posts and pictures on this machine, to try everything with.",
    discussion: """
      Speaks Mastodon's API on the loopback address until it is ended, with a log-in page; any client can use it. \
      All posts carry #demo.
      """)

  @Option(help: "How many posts.")
  var posts = 400

  @Option(help: "The port; 0 takes any that is free.")
  var port = 8080

  @Option(help: "Another seed makes other posts.")
  var seed: UInt64 = 1

  @Flag(help: "Let posts arrive, change and go while it runs.")
  var live = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (0...100_000).contains(posts) else { throw ValidationError("--posts must be from 0 to 100000") }
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
  }

  func run() async throws {
    let app = try App(global)
    let server = DemoServer(
      options: .init(posts: posts, port: port, live: live, seed: seed), now: app.time.now,
      pause: app.time.sleep)
    try await Interruption.guarding { [console = app.console, isJSON = global.json] in
      try await server.run { url in
        try? console.result(isJSON ? try JSONText.line(["url": url.absoluteString]) : "\(url.absoluteString)")
        console.message("Log in: media login \(url)")
        console.message("Pull:   media tag demo --server \(url)")
        console.message("Ctrl-C ends it.")
      }
    }
    if Interruption.happened { throw Ending.Quiet(code: Interruption.code) }
  }
}

extension DemoServerError: ExplainedError {
  /// What failed.
  public var summary: String { description }
  /// Stands in the summary already.
  public var cure: String? { nil }
  /// A port that is taken is the machine's trouble; no picture library is too.
  public var exitCode: Posts.ExitCode { .unavailable }
}
