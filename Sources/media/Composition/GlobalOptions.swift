import ArgumentParser

/// The flags of every command.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The library's folder, its address in PostgreSQL, or its name in config.toml.", valueName: "dir"),
    completion: Completing.libraries)
  var library: String?

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print each request.")
  var verbose = false

  @Option(
    help: "The form of messages on standard error: text, or json, one object per line. MEDIA_LOG sets the default.")
  var logFormat: LogFormat?

  @Flag(name: .customLong("no-color"), help: "Print without colours (NO_COLOR does the same).")
  var noColor = false

  @Option(
    name: .customLong("ca-file"),
    help: ArgumentHelp("A PEM file of certificate authorities to trust.", valueName: "file"), completion: .file())
  var authorities: String?

  /// Where results and messages go.
  var console: Console { Console(isQuiet: quiet, isVerbose: verbose, format: logFormat ?? .asked) }
}
