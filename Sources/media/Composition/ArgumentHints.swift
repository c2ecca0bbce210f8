import Filters
import FoundationEssentials
import Glibc

/// Arguments that the parser would misread or explain badly.
enum ArgumentHints {
  private static let globalFlags = [
    "--library", "--ca-file", "--json", "--quiet", "-q", "--verbose", "-v", "--no-color",
  ]

  /// The command that prints a completion script, for the parser's flag: its own script lacks what the command adds.
  static func completions(_ arguments: [String]) -> [String] {
    let flag = "--generate-completion-script"
    let words = arguments.prefix { $0 != "--" }
    guard let index = words.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else { return arguments }
    let shell = words[index] == flag ? words[(index + 1)...].first : String(words[index].dropFirst(flag.count + 1))
    return ["completions"] + (shell.map { [$0] } ?? [])
  }

  /// Throws if the arguments make no sense.
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
      throw UsageError("the text begins with a dash and would be read as flags", cure: "append it after --")
    }
    try checkFlags(arguments)
  }

  /// Throws for a word such as `-search`. The parser would read it as the flags -s, -e, -a and so on, and print the
  /// help where one of them is -h.
  private static func checkFlags(_ arguments: [String]) throws {
    let words = arguments.prefix { $0 != "--" }
    // A code from a page may begin with a dash, and its option takes it.
    for (word, before) in zip(words, [""] + words) where before != "--code" {
      guard word.hasPrefix("-"), !word.hasPrefix("--"), word.utf8.count > 2, !isNumber(word), word != "-help",
        !word.dropFirst().allSatisfy({ "qvh".contains($0) })
      else { continue }
      let shown = Spelling.printable(word)
      throw UsageError(
        "there is no flag \(shown)", cure: "write -\(shown) for a flag of that name, or append the text after --")
    }
  }

  /// The arguments of a command that takes a filter, by itself or behind `--filter`, with `not:tag:dogs` in place of
  /// `-tag:dogs`, which would be read as flags. No flag has a colon or a parenthesis.
  static func negated(_ arguments: [String]) -> [String] {
    guard arguments.contains(where: isOpposite) else { return arguments }
    let takesTerms = ["list", "export"].contains(arguments[0]) || arguments.starts(with: ["searches", "save"])
    let options = options(of: arguments[0])
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments.indices.map { index in
      let word = arguments[index]
      guard index > 0, index < end, isOpposite(word) else { return word }
      let option = arguments[index - 1]
      return option == "--filter" || takesTerms && !options.contains(option) ? "not:\(word.dropFirst())" : word
    }
  }

  private static func isOpposite(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let colon = word.firstIndex(of: ":") else { return word.hasPrefix("-(") }
    return word.hasPrefix("-(") || FilterKey(rawValue: word[..<colon].dropFirst().lowercased()) != nil
  }

  /// The arguments in a form that the parser reads as intended. An argument that begins with a dash and a digit is never a
  /// flag: it is joined to a preceding option, or else put behind `--`. Otherwise the parser would report a missing value
  /// without naming what was typed.
  ///
  /// - Throws: `UsageError` if an option's value is empty or white space.
  static func joined(_ arguments: [String]) throws -> [String] {
    guard arguments.contains(where: { isNumber($0) || isBlank($0) || $0.hasSuffix("=") }) else { return arguments }
    let options = options(of: arguments[0])
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var joined: [String] = []
    var numbers: [String] = []
    for word in arguments[..<end] {
      if let option = joined.last, options.contains(option), isNumber(word) || isBlank(word) {
        if isNumber(word) {
          joined[joined.count - 1] = "\(option)=\(word)"
        } else if emptiable.contains(option) {
          joined.append(word)
        } else {
          throw empty(option)
        }
      } else if word.hasSuffix("="), options.contains(String(word.dropLast())) {
        let option = String(word.dropLast())
        guard emptiable.contains(option) else { throw empty(option) }
        // The parser takes nothing behind a sign of equality for a missing value.
        joined += [option, ""]
      } else if isNumber(word) {
        numbers.append(word)
      } else {
        joined.append(word)
      }
    }
    let rest = arguments[end...]
    return joined + (numbers.isEmpty ? [] : ["--"] + numbers) + (numbers.isEmpty ? rest : rest.dropFirst())
  }

  /// The options of which nothing is a value.
  private static let emptiable: Set = ["--note"]

  private static func isNumber(_ word: String) -> Bool { word.prefixMatch(of: /-[0-9]/) != nil }
  private static func isBlank(_ word: String) -> Bool { word.allSatisfy(\.isWhitespace) }
  private static func empty(_ option: String) -> UsageError {
    UsageError("\(option) is empty", cure: "give it a value, or leave it out")
  }

  /// The options of a command that take a value, from the parser's description.
  private static func options(of command: String) -> Set<String> {
    let tool = try? JSONDecoder().decode(ManualPage.Tool.self, from: Data(Media._dumpHelp().utf8))
    let arguments = tool?.command.subcommands?.first { $0.commandName == command }?.arguments ?? []
    return Set(arguments.filter { $0.kind == "option" }.flatMap { $0.names ?? [] }.map(\.written))
  }

  /// Throws if an argument, or a variable that names a folder, is not UTF-8: its decoded form would name another file.
  static func checkBytes() throws {
    let words = CommandLine.unsafeArgv
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = words[number], String(validatingCString: word) == nil else { continue }
      let shown = Spelling.printable(String(cString: word))
      throw UsageError("\"\(shown)\" is not UTF-8", cure: "rename it, or type it anew")
    }
    for name in [
      "HOME", "MEDIA_HOME", "MEDIA_LIBRARY", "MEDIA_CONFIG", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
    ] {
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
