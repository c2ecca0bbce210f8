import ArgumentParser
import Posts
import Terminal

/// `media completions SHELL`
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", _superCommandName: Media.name, abstract: "Print a shell's completion script.",
    discussion: "For bash: media completions bash > ~/.local/share/bash-completion/completions/media")

  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    let kind: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    let script = Media.completionScript(for: kind) + (shell == .bash ? "\n\(Self.wholeWords)\n" : "")
    try Console().results(SafeText(script, keepingLines: true))
  }

  /// Bash splits words at `:` and `@`, both of which occur in feed names. This command joins the words itself, because
  /// COMP_WORDBREAKS applies to all commands. Bash keeps the words before the last break, so that these are cut from the
  /// candidates.
  private static let wholeWords = #"""
    __media_whole_words() {
        local breaks=""
        [[ "${COMP_WORDBREAKS}" == *:* ]] && breaks+=":"
        [[ "${COMP_WORDBREAKS}" == *@* ]] && breaks+="@"
        if [[ -z "${breaks}" ]]; then
            _media "${@}"
            return
        fi

        local rest="${COMP_LINE}" before word
        local joined=false
        local -a whole=()
        local -i index current=0
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[${index}]}"
            before="${rest%%[![:space:]]*}"
            rest="${rest#"${before}"}"
            rest="${rest#"${word}"}"
            if [[ "${#whole[@]}" -gt 0 && -z "${before}" ]] && { "${joined}" || [[ "${word}" == [${breaks}]* ]]; }; then
                whole[${#whole[@]}-1]+="${word}"
            else
                whole+=("${word}")
            fi
            [[ "${word}" == *[${breaks}] ]] && joined=true || joined=false
            [[ "${index}" -eq "${COMP_CWORD}" ]] && current="${#whole[@]}-1"
        done

        local -a COMP_WORDS=("${whole[@]}")
        local -i COMP_CWORD="${current}"
        local -r typed="${whole[${current}]}"
        _media "${1}" "${typed}" "${whole[${current}-1]}"

        local -r cut="${typed%"${typed##*[${breaks}]}"}"
        for index in "${!COMPREPLY[@]}"; do
            COMPREPLY[${index}]="${COMPREPLY[${index}]#"${cut}"}"
        done
        case "${whole[${current}-1]}" in
        --library|--against|--ca-file|--attach|copy) compopt -o filenames 2>/dev/null ;;
        esac
    }

    complete -F __media_whole_words media
    """#
}
