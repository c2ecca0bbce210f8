import ArgumentParser
import Foundation

/// The help of a command as people read it: the parser's text, without the flags that every command takes, and with
/// examples at its end. The help of `media` itself names those flags once.
struct HelpPage {
  /// The page.
  let text: String

  /// The heading under which the parser lists the flags that every command takes.
  static let globalTitle = "Every command takes"

  /// A page from the parser's text; what is no help is left as it is.
  ///
  /// - Parameter message: The parser's text for help, a version or a completion script.
  init(_ message: String) {
    guard message.hasPrefix("OVERVIEW:"), let usage = message.firstMatch(of: /USAGE: media( [a-z]+)?/) else {
      text = message
      return
    }
    let command = usage.output.1.map { String($0.dropFirst()) }
    var sections = message.components(separatedBy: "\n\n").map { $0.trimmingCharacters(in: .newlines) }
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

  /// The flags that every command takes, as any command's help lists them.
  private static func globalSection(_ title: String) -> String? {
    Media.helpMessage(for: StatsCommand.self).components(separatedBy: "\n\n").first { $0.hasPrefix(title) }
  }
}
