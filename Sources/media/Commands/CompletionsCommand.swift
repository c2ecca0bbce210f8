import ArgumentParser
import Posts
import Terminal

/// `media completions SHELL`
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", _superCommandName: Media.name, abstract: "Print the completion script of a shell.",
    discussion: "For bash: media completions bash > ~/.local/share/bash-completion/completions/media")

  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    let kind: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    let script = (shell == .bash ? Self.wholeWords : "") + Media.completionScript(for: kind)
    try Console().results(Inert(script, keepingLines: true))
  }

  /// Bash cuts words at `:` and `@` unless told otherwise, and a feed's name holds both.
  private static let wholeWords = "COMP_WORDBREAKS=${COMP_WORDBREAKS//[:@]/}\n"
}
