import ArgumentParser
import Foundation
import ScriptedOrigin
import Testing

@testable import media

/// What the command says of itself.
@Suite(.timeLimit(.minutes(10))) struct HelpTests {
  static let commands: [String] = Media.configuration.subcommands.compactMap { $0.configuration.commandName }

  static let hasMan = FileManager.default.isExecutableFile(atPath: "/usr/bin/man")

  @Test func `the command says its version and what it can do`() async throws {
    let house = try Household()
    let version = try await house.media("--version")
    #expect((version.status, version.output, version.errors) == (0, "\(Media.version)\n", ""))
    for arguments in [["--help"], ["help"], []] {
      let help = try await house.run(arguments)
      #expect(help.status == 0, "\(arguments)")
      for command in Self.commands { #expect(help.output.contains("  \(command)"), "\(command)") }
    }
    #expect(Self.commands.count >= 13)
    #expect(Media.configuration.subcommands.allSatisfy { $0.configuration._superCommandName == Media.name })
  }

  @Test(arguments: commands)
  func `each subcommand explains itself`(command: String) async throws {
    let help = try await Household().media(command, "--help")
    #expect((help.status, help.errors) == (0, ""))
    #expect(help.output.contains("USAGE: media \(command)"))
    #expect(help.output.utf8.allSatisfy { $0 < 127 || $0 > 159 })
    #expect(try await Household().media("help", command).output == help.output)
    #expect(try await Household().media(command, "--version").output == "\(Media.version)\n")
  }

  @Test(arguments: commands)
  func `the help of a command ends with examples, and each of them is a command line that is understood`(
    command: String
  ) async throws {
    let help = try await Household().media(command, "--help")
    let examples = try #require(Examples.table[command])
    #expect(!examples.isEmpty)
    let end = try #require(help.output.components(separatedBy: "\nEXAMPLES:\n").last)
    for example in examples {
      #expect(end.contains("  \(example.line)\n"))
      // A shell takes the quotation marks away, and what stands behind a pipe or an arrow is its own.
      let line = example.line.prefix { !"|>".contains($0) }.replacingOccurrences(of: "\"red panda\"", with: "red_panda")
        .replacingOccurrences(of: "\"Saw a kingfisher\"", with: "Saw_a_kingfisher")
      let words = line.split(separator: " ").map(String.init)
      #expect(words.prefix(2) == ["media", command])
      #expect(throws: Never.self) { _ = try Media.parseAsRoot(Array(words.dropFirst())) }
    }
  }

  @Test func `the flags that every command takes stand in one place`() async throws {
    let house = try Household()
    let flags = ["--library <dir>", "--json", "--quiet", "--verbose", "--no-color", "--ca-file <file>"]
    let root = try await house.media("--help").output
    for flag in flags { #expect(root.components(separatedBy: flag).count == 2, "\(flag)") }
    let help = try await house.media("stats", "--help").output
    for flag in flags { #expect(!help.contains("  \(flag)") && !help.contains(", \(flag)"), "\(flag)") }
    #expect(help.contains("\"media --help\""))
  }

  @Test func `a shell is offered what the library and the accounts hold`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let house = try Household()
      try await house.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      let feed = "tag:cats@\(origin.url)"
      func offers(_ command: String, _ argument: String, _ words: String...) async throws -> [String] {
        let typed = ["media", command] + words
        let ended = try await house.run(
          ["---completion", command, "--", argument, "\(typed.count)", "0"] + typed + [""])
        #expect((ended.status, ended.errors) == (0, ""))
        return ended.lines
      }
      #expect(try await offers("gaps", "positional@0") == [feed])
      #expect(try await offers("list", "--feed") == [feed])
      #expect(try await offers("list", "--tag").contains("cats"))
      #expect(try await offers("tag", "positional@0") == [String(feed.dropFirst(4))])
      #expect(try await offers("tag", "--server") == [origin.url])
      #expect(try await offers("settings", "positional@1", "view") == ["list", "grid"])
      #expect(try await offers("list", "--feed", "--library", "\(house.folder)/none") == [])
      #expect(!FileManager.default.fileExists(atPath: "\(house.folder)/none"))
      let script = try await house.media("completions", "fish").output
      for word in ["mastodon instagram x feed", "gc-grace"] {
        #expect(script.contains(word) || word.split(separator: " ").allSatisfy { script.contains($0) }, "\(word)")
      }
    }
  }

  @Test func `the manual tells files, variables, settings, keys, examples and the shapes of JSON`() async throws {
    let page = try await Household().media("manual").output
    for title in ["FILES", "ENVIRONMENT", "CONFIGURATION", "KEYS", "JSON"] { #expect(page.contains(".SH \(title)\n")) }
    for key in SettingKey.allCases {
      #expect(page.contains("\\fB\(key.rawValue.replacingOccurrences(of: "-", with: "\\-"))\\fR"))
    }
    for word in ["MEDIA_HOME", "XDG_DATA_HOME", "NO_PROXY", "repeated_by", "another tag, user or search", "Example: "] {
      #expect(page.contains(word), "\(word)")
    }
  }

  @Test func `the completions of bash parse and know every subcommand`() async throws {
    let house = try Household()
    let ended = try await house.bash(
      "\"$MEDIA\" completions bash > $HOME/script && bash -n $HOME/script && cat $HOME/script")
    #expect((ended.status, ended.errors) == (0, ""))
    for command in Self.commands { #expect(ended.output.contains(command), "\(command)") }
    for shell in ["zsh", "fish"] { #expect(try await house.media("completions", shell).output.contains("restore")) }
    expect(try await house.media("completions", "cmd.exe"), fails: 64, saying: "cmd.exe")
    // The flag by which many other programs print theirs.
    let flag = try await house.media("--generate-completion-script", "bash")
    #expect(flag.status == 0 && flag.lines[...] == ended.lines.dropFirst())
    #expect(try await house.media("list", "--generate-completion-script", "bash").lines == flag.lines)
  }

  @Test(.enabled(if: hasMan, "man is not installed"))
  func `the manual page renders without a warning`() async throws {
    let house = try Household()
    let ended = try await house.bash(
      "export MANWIDTH=80; \"$MEDIA\" manual > $HOME/media.1 && man --warnings -l $HOME/media.1 | cat")
    #expect((ended.status, ended.errors) == (0, ""))
    for command in Self.commands { #expect(ended.output.contains("media \(command)"), "\(command)") }
    #expect(ended.output.contains("EXIT STATUS"))
  }

  @Test func `the manual page has its head and every option`() async throws {
    let ended = try await Household().media("manual")
    #expect(ended.output.hasPrefix(".TH MEDIA 1 "))
    for option in ["--pages", "--retry-failed", "--server", "--attach", "--before", "--library"] {
      #expect(ended.output.contains(option.replacing("-", with: "\\-")), "\(option)")
    }
  }
}
