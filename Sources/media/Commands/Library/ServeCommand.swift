import ArgumentParser
import Glibc
import Posts
import Storage

/// `media serve`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", _superCommandName: Media.name, abstract: "Show the library in the browser.",
    discussion: """
      Serves the gallery on the loopback address until it is ended. It shows at once what other commands change meanwhile. \
      The address on the first line signs one browser in, once.
      """)

  @Option(help: "The port; 0 chooses a free one.")
  var port = 8787

  @Flag(help: "Open it in the browser.")
  var open = false

  @Flag(help: "Refuse every change.")
  var readOnly = false

  @Option(help: "An address of this machine to listen on instead, for others on the network.")
  var listen: String?

  @Option(help: ArgumentHelp("A PEM file with the certificate for TLS.", valueName: "file"), completion: .file())
  var cert: String?

  @Option(help: ArgumentHelp("A PEM file with the certificate's key.", valueName: "file"), completion: .file())
  var key: String?

  @Flag(help: "Believe what a proxy says of a request: X-Forwarded-Proto, -Host and -For.")
  var behindProxy = false

  @Option(help: ArgumentHelp("A name by which browsers reach it; may be repeated.", valueName: "name"))
  var host: [String] = []

  @Flag(help: "Let browsers read large pictures, videos and sounds from the S3 service itself.")
  var direct = false

  @Flag(help: "Print another one-time address, for another browser, and serve nothing.")
  var newAddress = false

  @Flag(help: "Read a password for browsers on the network, and serve nothing.")
  var setPassword = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port \(port) is out of range, it must be from 0 to 65535")
    }
    guard !newAddress || port > 0 else { throw ValidationError("--new-address needs the --port of the server") }
    guard !(newAddress && setPassword) else {
      throw ValidationError("--new-address and --set-password exclude each other")
    }
    guard (cert == nil) == (key == nil) else { throw ValidationError("--cert and --key go together") }
    if let listen, !Self.isAddress(listen) {
      throw ValidationError("--listen \"\(listen)\" is no address, such as 192.168.1.5 or ::")
    }
    if let name = host.first(where: { !Self.isHost($0) }) {
      throw ValidationError("--host \"\(name)\" is no name of a host, such as gallery.example")
    }
    guard listen.map(Self.isLoopback) ?? true || cert != nil || behindProxy else {
      throw ValidationError("--listen needs --cert and --key for TLS, or --behind-proxy")
    }
    guard !behindProxy || !host.isEmpty else {
      throw ValidationError("--behind-proxy needs --host with the name that browsers ask the proxy for")
    }
  }

  func run() throws {
    let app = try App(global)
    let serves = !newAddress && !setPassword
    if serves {
      // A gallery makes a library on a server, as it does in the usual folder.
      if app.library.address == nil { try app.library.expectIfNamed() }
      // Its feeds are published.
      try app.library.readVisibilities()
    }
    if direct, app.paths.address?.blobs?.hasPrefix("s3://") != true {
      throw UsageError(
        "--direct is for a library whose pictures are in an S3 service", cure: "leave it out: the gallery sends them")
    }
    // A sign-in kept in a library would let in whoever made the library.
    guard let configuration = app.paths.commands else { throw LibraryPathsError.noOwnFolder }
    guard let program = Programs.beside("media-serve", app.environment) else { throw ServerMissing() }
    let thumbnails = try thumbnailLimit(app, serves: serves)
    let values = [
      ("library", app.library.path), ("configuration", configuration), ("port", String(port)), ("listen", listen),
      ("cert", cert), ("key", key), ("thumbnails", thumbnails.map(String.init)),
    ]
    let flags = [
      ("read-only", readOnly), ("behind-proxy", behindProxy), ("direct", direct), ("open", open),
      ("new-address", newAddress),
      ("set-password", setPassword), ("json", global.json), ("quiet", global.quiet),
    ]
    let named = values.compactMap { name, value in value.map { "\(name)=\($0)" } } + host.map { "host=\($0)" }
    let arguments = [program] + named + flags.filter(\.1).map(\.0)
    // The pulls of its pages trust the same authorities.
    for (name, value) in app.trustingEnvironment where app.environment[name] != value { setenv(name, value, 1) }
    // Not an argument, which other users may see: it may hold a password.
    unsetenv(LibraryAddress.variable)
    if let address = app.paths.address { setenv(LibraryAddress.variable, address.text, 1) }
    // This process becomes the server, so that a signal to it reaches the server.
    execv(program, arguments.map { strdup($0) } + [nil])
    throw ServerMissing(reason: String(cString: strerror(errno)))
  }

  /// The disk limit of thumbnails in bytes; nil if the library, which has the setting, does not exist yet.
  private func thumbnailLimit(_ app: App, serves: Bool) throws -> Int? {
    guard serves, app.library.exists else { return nil }
    return try app.library.withStore(for: .reading) { Int(try app.settings.read(in: $0).thumbnails.bytes) }
  }

  private static func isAddress(_ text: String) -> Bool {
    var bytes = in6_addr()
    return [AF_INET, AF_INET6].contains { inet_pton($0, text, &bytes) == 1 }
  }

  private static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }

  private static func isHost(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") { return isAddress(String(name.dropFirst().dropLast())) }
    return !name.isEmpty && name.utf8.count <= 253
      && name.utf8.allSatisfy {
        ($0 < 0x80 && Character(Unicode.Scalar($0)).isLetter) || (48...57).contains($0) || "-.".utf8.contains($0)
      }
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
