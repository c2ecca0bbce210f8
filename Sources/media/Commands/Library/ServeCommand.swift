import ArgumentParser
import Glibc
import Posts

/// `media serve`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", _superCommandName: Media.name, abstract: "Show the library in the browser.",
    discussion: """
      Serves the gallery on the loopback address until it is ended. It shows at once what other commands change meanwhile.
      """)

  @Option(help: "The port; 0 chooses a free one.")
  var port = 8787

  @Flag(help: "Refuse every change.")
  var readOnly = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port \(port) is out of range, it must be from 0 to 65535")
    }
  }

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    guard let program = Programs.beside("media-serve", app.environment) else { throw ServerMissing() }
    let flags = [("read-only", readOnly), ("json", global.json), ("quiet", global.quiet)].filter(\.1).map(\.0)
    let arguments = [program, app.library.path, String(port)] + flags
    // This process becomes the server, so that a signal to it reaches the server.
    execv(program, arguments.map { strdup($0) } + [nil])
    throw ServerMissing(reason: String(cString: strerror(errno)))
  }
}

/// The gallery's program is missing or cannot be started.
struct ServerMissing: ExplainedError {
  /// Why it cannot be started; nil if it is missing.
  var reason: String?

  var summary: String {
    "media-serve, which serves the gallery, \(reason.map { "cannot be started (\($0))" } ?? "is neither beside media nor on PATH")"
  }
  var cure: String? { "install media whole with Scripts/install" }
  var exitCode: Posts.ExitCode { .unavailable }
}
