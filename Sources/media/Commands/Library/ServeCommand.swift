import ArgumentParser
import Glibc
import Machine
import Posts
import Serving
import Storage

/// `media serve`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", _superCommandName: Media.name, abstract: "Show the library in the browser.",
    discussion: """
      Serves the gallery on the loopback address until it is ended. It shows at once what other commands change meanwhile. \
      The address on the first line signs one browser in, once.
      """)

  @OptionGroup var options: ServeOptions
  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    let serves = !options.newAddress && !options.setPassword
    if serves {
      // A gallery makes a library on a server, as it does in the usual folder.
      if app.library.address == nil { try app.library.expectIfNamed() }
      // Its feeds are published.
      try app.library.readVisibilities()
    }
    if options.direct, app.paths.address?.blobs?.hasPrefix("s3://") != true {
      throw UsageError(
        "--direct is for a library whose pictures are in an S3 service", cure: "leave it out: the gallery sends them")
    }
    // A sign-in kept in a library would let in whoever made the library.
    guard let configuration = app.paths.commands else { throw LibraryPathsError.noOwnFolder }
    guard let program = Programs.beside("media-serve", app.environment) else { throw ServerMissing() }
    let found = [
      "--folder", app.library.path, "--configuration", configuration, "--program-version", Media.version,
    ]
    let arguments = [program] + found + (try chosen(app, serves: serves)) + typed
    // The pulls of its pages trust the same authorities.
    for (name, value) in app.trustingEnvironment where app.environment[name] != value { setenv(name, value, 1) }
    // Not an argument, which other users may see as long as it runs: it may hold a password.
    unsetenv(LibraryAddress.variable)
    if let address = app.paths.address { setenv(LibraryAddress.variable, address.text, 1) }
    // This process becomes the server, so that a signal to it reaches the server.
    execv(program, arguments.map { strdup($0) } + [nil])
    throw ServerMissing(reason: String(cString: strerror(errno)))
  }

  /// The arguments of this command as they were typed, but for the library.
  private var typed: [String] {
    var typed = Array(CommandLine.arguments.drop { $0 != Self.configuration.commandName }.dropFirst())
    while let index = typed.firstIndex(of: "--library") {
      typed.removeSubrange(index...min(index + 1, typed.count - 1))
    }
    typed.removeAll { $0.hasPrefix("--library=") }
    return typed
  }

  /// The settings that count for the gallery; none if the library, which has them, does not exist yet.
  private func chosen(_ app: App, serves: Bool) throws -> [String] {
    guard serves, app.library.exists else { return [] }
    let settings = try app.library.withStore(for: .reading) { try app.settings.read(in: $0) }
    return [
      "--thumbnails", String(Int(settings.thumbnails.bytes)), "--text-languages",
      settings.readableLanguages(app.environment)?.text ?? "off",
    ] + (settings.fold ? ["--fold"] : [])
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
