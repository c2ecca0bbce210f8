import ArgumentParser

/// The form of what a command prints to standard error.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
  /// Sentences for people.
  case text
  /// A `LogLine` for each event.
  case json

  /// What the arguments of this process ask for. Errors of the arguments themselves are printed in this form, too.
  static let asked: LogFormat = {
    let arguments = CommandLine.arguments.prefix { $0 != "--" }
    let isNamed = arguments.contains("--log-format=\(json.rawValue)")
    return isNamed || zip(arguments, arguments.dropFirst()).contains { $0 == ("--log-format", json.rawValue) }
      ? .json : .text
  }()
}
