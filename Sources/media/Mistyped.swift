/// What people type that the parser would misread or explain badly.
enum Mistyped {
  private static let globalFlags: Set = [
    "--library", "--ca-file", "--json", "--quiet", "-q", "--verbose", "-v", "--no-color",
  ]

  /// Throws where the words cannot mean what they say.
  static func check(_ arguments: [String]) throws {
    guard let first = arguments.first else { return }
    if globalFlags.contains(first.prefix { $0 != "=" }.description) {
      throw UsageError("\(first) stands before the command", cure: "flags stand after it, as in \"media list --json\"")
    }
    if first == "help", arguments.count > 1 {
      try checkCommand(arguments[1])
    } else if !first.hasPrefix("-") {
      try checkCommand(first)
    }
    if first == "add", let text = arguments.dropFirst().first, text.hasPrefix("-"), text.contains(where: \.isWhitespace)
    {
      throw UsageError("the text begins with a dash and would be read as flags", cure: "write it last, behind --")
    }
  }

  private static func checkCommand(_ name: String) throws {
    let known = Media.configuration.subcommands.map { $0._commandName } + ["help"]
    guard !known.contains(name) else { return }
    let nearest = Spelling.nearest(to: name, among: known)
    throw UsageError(
      "there is no command \"\(Spelling.printable(name))\"",
      cure: nearest.map { "did you mean \($0)?" } ?? "see \"media --help\"")
  }
}
