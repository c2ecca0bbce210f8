import Foundation
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
    #expect(flag.status == 0 && flag.lines == ended.lines)
    #expect(try await house.media("list", "--generate-completion-script", "bash").lines == ended.lines)
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
