import ArgumentParser
import Filters
import Glibc

/// The form of what a command prints to standard error.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
  /// Sentences for people.
  case text
  /// A `LogLine` for each event.
  case json

  /// The variable that names the form if the arguments name none. An empty one counts as unset.
  private static let variable = "MEDIA_LOG"
  private static var named: String? { getenv(variable).map { String(cString: $0) } }

  /// What the arguments of this process ask for, or its environment. Errors of the arguments themselves are printed in this
  /// form, too.
  static let asked = asked(CommandLine.arguments, named)

  private static func asked(_ arguments: [String], _ variable: String?) -> LogFormat {
    let words = arguments.prefix { $0 != "--" }
    let named = zip(words, words.dropFirst() + [""]).compactMap { word, next in
      word == "--log-format" ? next : word.hasPrefix("--log-format=") ? String(word.dropFirst(13)) : nil
    }
    return (named.last ?? variable).flatMap(Self.init) ?? .text
  }

  /// Throws if the environment names another form.
  static func checkEnvironment() throws {
    guard let named, !named.isEmpty, Self(rawValue: named) == nil else { return }
    throw UsageError(
      "\(variable) is \"\(Spelling.printable(named))\", which is no form of messages",
      cure: "set it to \(allCases.map(\.rawValue).joined(separator: " or "))")
  }
}
