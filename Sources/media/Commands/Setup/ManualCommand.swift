import ArgumentParser
import FoundationEssentials
import Terminal

/// `media manual`
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", _superCommandName: Media.name, abstract: "Print the manual page.",
    discussion: "To read it: media manual | man -l -")

  func run() throws {
    let tool = try JSONDecoder().decode(ManualPage.Tool.self, from: Data(Media._dumpHelp().utf8))
    try Console().results(
      SafeText(ManualPage(tool.command, version: Media.version, date: Media.date).text, keepingLines: true))
  }
}

/// A manual page in man(7), generated from the parser's description of the commands, so that it is never out of date.
struct ManualPage {
  /// The parser's description of the tool.
  struct Tool: Decodable { let command: Command }

  /// The parser's description of a command.
  struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  /// The parser's description of an argument, option or flag.
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
      var written: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }
    let kind: String
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let defaultValue: String?

    var term: String {
      let value = (valueName ?? "value").uppercased()
      guard kind != "positional" else { return isRepeating ? "\(value)..." : value }
      let names = (names ?? []).map(\.written).joined(separator: ", ")
      return kind == "flag" ? names : "\(names) \(value)"
    }
  }

  /// The page's source.
  let text: String

  /// The page of a tool.
  init(_ tool: Command, version: String, date: String) {
    let commands = (tool.subcommands ?? []).filter { $0.commandName != "help" }
    var lines = [".TH MEDIA 1 \"\(date)\" \"media \(version)\" \"User Commands\"", ".SH NAME"]
    lines.append(Self.escaped("\(tool.commandName) - \(tool.abstract ?? "")"))
    lines += [".SH SYNOPSIS", ".B \(tool.commandName)", "\\fICOMMAND\\fR [\\fIOPTION\\fR]..."]
    lines += [".SH DESCRIPTION", Self.escaped(tool.discussion ?? ""), ".SH COMMANDS"]
    for command in commands { lines += Self.section(of: command, tool: tool.commandName) }
    lines += [".SH EXIT STATUS"]
    for (code, meaning) in Self.endings { lines += [".TP", ".B \(code)", Self.escaped(meaning)] }
    for section in ManualSections.all { lines += Self.lines(of: section) }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func section(of command: Command, tool: String) -> [String] {
    var lines = [".SS \(escaped("\(tool) \(command.commandName)"))", escaped(command.abstract ?? "")]
    if let discussion = command.discussion { lines += [".PP", escaped(discussion)] }
    for argument in command.arguments ?? [] where argument.shouldDisplay {
      let standard = argument.defaultValue.map { " (default: \($0))" } ?? ""
      lines += [".TP", "\\fB\(escaped(argument.term))\\fR", escaped((argument.abstract ?? "") + standard)]
    }
    for example in Examples.table[command.commandName] ?? [] {
      lines += [".TP", "\\fB\(escaped(example.line))\\fR", escaped("Example: \(example.help).")]
    }
    return lines
  }

  private static func lines(of section: ManualSections.Section) -> [String] {
    var lines = [".SH \(section.title)"]
    if !section.intro.isEmpty { lines.append(escaped(section.intro)) }
    for (term, help) in section.terms { lines += [".TP", "\\fB\(escaped(term))\\fR", escaped(help)] }
    for (title, shape) in section.shapes {
      lines += [".PP", escaped(title)]
      if !shape.isEmpty { lines += [".PP", ".nf"] + shape.map(escaped) + [".fi"] }
    }
    return lines
  }

  private static func escaped(_ text: String) -> String {
    let lines = text.replacing("\\", with: "\\\\").replacing("-", with: "\\-")
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }.joined(separator: "\n")
  }

  private static let endings = [
    (0, "Done, also when there was nothing new."), (1, "Some of it failed; what succeeded is stored."),
    (64, "Wrong usage."), (65, "A server's answer or an imported file is not what it claims to be."),
    (69, "The server cannot be reached, fails, or does not have what was asked for."),
    (74, "Reading or writing locally failed."), (75, "Try again later."), (77, "Not logged in, or refused."),
    (78, "The configuration cannot be read."), (130, "Interrupted."), (143, "Ended by SIGTERM."),
  ]
}
