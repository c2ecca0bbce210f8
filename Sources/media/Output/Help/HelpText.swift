import ArgumentParser
import FoundationEssentials

/// A command's help: the parser's text without the flags of every command, with examples at its end. The help of `media`
/// itself lists those flags once.
struct HelpText {
  /// The page.
  let text: String

  /// The parser's heading of the flags of every command.
  static let globalTitle = "Every command takes"

  /// Creates a page from the parser's text. Text other than help stays unchanged.
  ///
  /// - Parameter message: The parser's text for help, a version or a completion script.
  init(_ message: String) {
    guard message.hasPrefix("OVERVIEW:"), let usage = message.firstMatch(of: /USAGE: media( [a-z]+)?/) else {
      text = message
      return
    }
    let command = usage.output.1.map { String($0.dropFirst()) }
    var sections = message.components(separatedBy: "\n\n").map(Self.withoutNewlines)
    let global = "\(Self.globalTitle.uppercased()):"
    if let command, Examples.table[command] != nil {
      let takesGlobal = sections.contains { $0.hasPrefix(global) }
      sections.removeAll { $0.hasPrefix(global) }
      sections.append("EXAMPLES:\n" + Examples.lines(of: command))
      guard takesGlobal else {
        text = sections.joined(separator: "\n\n") + "\n"
        return
      }
      sections.append("It also takes the flags that \"media --help\" lists, such as --json and --library.")
    } else if let flags = Self.globalSection(global) {
      let options = sections.firstIndex { $0.hasPrefix("OPTIONS:") } ?? sections.endIndex - 1
      sections.insert(flags, at: options + 1)
    }
    text = sections.joined(separator: "\n\n") + "\n"
  }

  private static func withoutNewlines(_ text: String) -> String {
    let rest = text.drop(while: \.isNewline)
    return rest.lastIndex { !$0.isNewline }.map { String(rest[...$0]) } ?? ""
  }

  /// The flags of every command, as the help of any command lists them.
  private static func globalSection(_ title: String) -> String? {
    Media.helpMessage(for: StatsCommand.self).components(separatedBy: "\n\n").first { $0.hasPrefix(title) }
  }
}
