import ArgumentParser
import Glibc
import Machine
import Posts

/// `media demo`
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", _superCommandName: Media.name,
    abstract: "Run a demo server with made-up posts and pictures on this machine.",
    discussion: """
      Serves Mastodon's API, or that of another service, with a login page, on the loopback address until it is ended. Any \
      client can use it. All posts have the tag #demo.
      """)

  @Option(help: "The number of posts.")
  var posts = 400

  @Option(help: "The port; 0 chooses a free one.")
  var port = 8080

  @Option(help: "The seed of the random posts.")
  var seed: UInt64 = 1

  @Option(help: "Imitate another kind of server.")
  var dialect = Dialect.mastodon

  /// The kinds of servers that `media-demo` knows by these names.
  enum Dialect: String, CaseIterable, ExpressibleByArgument {
    case mastodon, takahe, snac, gotosocial
    case misskey
    case bluesky
    case tumblr
    case flickr
    case lemmy, lemmy1, piefed
  }

  @Flag(help: "Add, change and remove posts while it runs.")
  var live = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard (0...100_000).contains(posts) else {
      throw ValidationError("--posts \(posts) is out of range, it must be from 0 to 100000")
    }
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port \(port) is out of range, it must be from 0 to 65535")
    }
  }

  func run() throws {
    let app = try App(global)
    guard let program = Programs.beside("media-demo", app.environment) else { throw DemoMissing() }
    let flags = [("live", live), ("json", global.json), ("quiet", global.quiet)].filter(\.1).map(\.0)
    let arguments = [program, String(posts), String(port), String(seed), dialect.rawValue] + flags
    // Replaces this process by the server, so that signals reach it. `execv` returns only if it fails.
    execv(program, arguments.map { strdup($0) } + [nil])
    throw DemoMissing(reason: String(cString: strerror(errno)))
  }
}

/// The demo server's program is missing or cannot be started.
struct DemoMissing: ExplainedError {
  /// Why it cannot be started; nil if it is missing.
  var reason: String?

  var summary: String {
    if let reason { return "media-demo, which serves the demo, cannot be started (\(reason))" }
    return "media-demo, which serves the demo, is neither beside media nor on PATH"
  }
  var cure: String? { "install media whole with Scripts/install" }
  var exitCode: Posts.ExitCode { .unavailable }
}
