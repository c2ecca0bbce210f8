import ArgumentParser
import Foundation
import Testing

@testable import media

/// The command's help.
@Suite(.timeLimit(.minutes(10))) struct HelpTests {
  static let commands: [String] = Media.configuration.subcommands.compactMap { $0.configuration.commandName }

  static let hasMan = FileManager.default.isExecutableFile(atPath: "/usr/bin/man")

  @Test func `the command says its version and what it can do`() async throws {
    let sandbox = try Sandbox()
    let told = try await sandbox.media("--version", "--verbose").lines
    #expect(told.first == "media \(Media.version)" && told.contains { $0.hasPrefix("SQLite 3.") }, "\(told)")
    #expect(told.contains { $0.wholeMatch(of: /schema \d+ in a folder, \d+ in PostgreSQL/) != nil }, "\(told)")
    #expect(told.contains("libcurl.so.4 is installed"), "\(told)")
    let version = try await sandbox.media("--version")
    #expect((version.status, version.output, version.errors) == (0, "\(Media.version)\n", ""))
    for arguments in [["--help"], ["help"], []] {
      let help = try await sandbox.run(arguments)
      #expect(help.status == 0, "\(arguments)")
      for command in Self.commands { #expect(help.output.contains("  \(command)"), "\(command)") }
    }
    #expect(Self.commands.count >= 13)
    #expect(Media.configuration.subcommands.allSatisfy { $0.configuration._superCommandName == Media.name })
  }

  @Test(arguments: commands)
  func `each subcommand explains itself`(command: String) async throws {
    let help = try await Sandbox().media(command, "--help")
    #expect((help.status, help.errors) == (0, ""))
    #expect(help.output.contains("USAGE: media \(command)"))
    #expect(help.output.utf8.allSatisfy { $0 < 127 || $0 > 159 })
    #expect(try await Sandbox().media("help", command).output == help.output)
    #expect(try await Sandbox().media(command, "--version").output == "\(Media.version)\n")
  }

  @Test(arguments: commands)
  func `the help of a command ends with examples, and each of them is a command line that is understood`(
    command: String
  ) async throws {
    let help = try await Sandbox().media(command, "--help")
    let examples = try #require(Examples.table[command])
    #expect(!examples.isEmpty)
    let end = try #require(help.output.components(separatedBy: "\nEXAMPLES:\n").last)
    for example in examples {
      #expect(end.contains("  \(example.line)\n"))
      // A shell removes the quotation marks, and does not pass what follows a pipe or an arrow.
      let line = example.line.prefix { !"|>".contains($0) }.replacingOccurrences(of: "\"red panda\"", with: "red_panda")
        .replacingOccurrences(of: "\"Saw a kingfisher\"", with: "Saw_a_kingfisher")
      let words = line.split(separator: " ").map(String.init)
      #expect(words.prefix(2) == ["media", command])
      #expect(throws: Never.self) { _ = try Media.parseAsRoot(Array(words.dropFirst())) }
    }
  }

  @Test func `the flags that every command takes stand in one place`() async throws {
    let sandbox = try Sandbox()
    let flags = [
      "--library <dir>", "--json", "--quiet", "--verbose", "--log-format <log-format>", "--no-color",
      "--ca-file <file>",
    ]
    let root = try await sandbox.media("--help").output
    for flag in flags { #expect(root.components(separatedBy: flag).count == 2, "\(flag)") }
    let help = try await sandbox.media("stats", "--help").output
    for flag in flags { #expect(!help.contains("  \(flag)") && !help.contains(", \(flag)"), "\(flag)") }
    #expect(help.contains("\"media --help\""))
  }

  @Test(arguments: [["manual"], ["completions", "bash"]])
  func `a command without the flags that others take does not speak of them`(command: [String]) async throws {
    let sandbox = try Sandbox()
    let help = try await sandbox.media(command[0], "--help").output
    #expect(!help.contains("--json"))
    expect(try await sandbox.run(command + ["--json"]), fails: 64, saying: "--json")
  }

  @Test func `the manual lists files, variables, settings, keys, examples and the shapes of JSON`() async throws {
    let page = try await Sandbox().media("manual").output
    for title in ["FILES", "ENVIRONMENT", "CONFIGURATION", "KEYS", "JSON"] { #expect(page.contains(".SH \(title)\n")) }
    for key in SettingKey.allCases {
      #expect(page.contains("\\fB\(key.rawValue.replacingOccurrences(of: "-", with: "\\-"))\\fR"))
    }
    for word in [
      "MEDIA_HOME", "XDG_DATA_HOME", "no_proxy", "repeated_by", "another tag, user, search or album", "Example: ",
    ] {
      #expect(page.contains(word), "\(word)")
    }
  }

  @Test(.enabled(if: hasMan, "man is not installed"))
  func `the manual page renders without a warning`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.bash(
      "export MANWIDTH=80; \"$MEDIA\" manual > $HOME/media.1 && man --warnings -l $HOME/media.1 | cat")
    #expect((ended.status, ended.errors) == (0, ""))
    for command in Self.commands { #expect(ended.output.contains("media \(command)"), "\(command)") }
    #expect(ended.output.contains("EXIT STATUS"))
  }

  @Test func `the manual page has its head and every option`() async throws {
    let ended = try await Sandbox().media("manual")
    #expect(ended.output.prefixMatch(of: #/\.TH MEDIA 1 "[0-9]{4}-[0-9]{2}-[0-9]{2}" "media /#) != nil)
    for option in ["--pages", "--retry-failed", "--server", "--attach", "--before", "--library"] {
      #expect(ended.output.contains(option.replacing("-", with: "\\-")), "\(option)")
    }
  }
}
