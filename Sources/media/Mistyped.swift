import Foundation

/// What people type that the parser would misread or explain badly.
enum Mistyped {
  private static let globalFlags = [
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

  /// The words with each negative number joined to the option before it: apart from it, the parser would take the number
  /// for a flag, and say that the option lacks its value.
  static func joined(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    for word in arguments {
      if let option = joined.last, option.hasPrefix("--"), option.count > 2, !option.contains("="),
        word.wholeMatch(of: /-[0-9]+/) != nil
      {
        joined[joined.count - 1] = "\(option)=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// Throws where a word, or a variable that names a folder, is no UTF-8: another file would be meant by what is read of
  /// it.
  static func checkBytes() throws {
    let words = CommandLine.unsafeArgv
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = words[number], String(validatingCString: word) == nil else { continue }
      let shown = Spelling.printable(String(cString: word))
      throw UsageError("\"\(shown)\" is not UTF-8", cure: "rename it, or type it anew")
    }
    for name in ["HOME", "MEDIA_HOME", "MEDIA_CONFIG", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
      guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
      throw UsageError("the folder that \(name) names is not UTF-8", cure: "name another")
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
