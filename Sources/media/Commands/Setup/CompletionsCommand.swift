import ArgumentParser
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
    // Zsh takes what is offered as it is: a name may begin otherwise than what is typed, with a quotation mark.
    let script =
      Media.completionScript(for: kind).replacing(Self.compared, with: Self.taken)
      + (shell == .bash ? "\n\(Self.wholeWords)\n" : "")
    try Console().results(SafeText(script, keepingLines: true))
  }

  private static let compared = #"__media_complete "${completions[@]:0:-1}""#
  private static let taken = #"completions=("${completions[@]:0:-1}"); _describe -V '' completions -U"#

  /// Bash splits words at `:` and `@`, both of which occur in feed names. This command joins the words itself, because
  /// COMP_WORDBREAKS applies to all commands. Bash keeps the words before the last break, so that these are cut from the
  /// candidates, and inserts them as they are, so that they are quoted. The parser's own `__media_add_completions` has
  /// compgen expand the candidates: a stranger's tag such as `$(…)` would run.
  private static let wholeWords = #"""
    __media_add_completions() {
        local completion
        while IFS='' read -r completion; do
            [[ -z "${completion}" || "${1}" == -W && "${completion//\"}" != "${cur//\"}"* ]] || COMPREPLY+=("${completion}")
        done < <(if [[ "${1}" == -W ]]; then printf '%s\n' "${2}"; else IFS=$'\n' compgen "${@}" -- "${cur}"; fi)
    }

    __media_whole_words() {
        # No word has this character.
        local breaks=$'\001'
        [[ "${COMP_WORDBREAKS}" == *:* ]] && breaks+=":"
        [[ "${COMP_WORDBREAKS}" == *@* ]] && breaks+="@"

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
        local typed="${whole[${current}]}" quote=""
        if [[ "${typed}" == [\'\"]* ]]; then
            quote="${typed:0:1}"
            typed="${typed:1}"
        else
            typed="${typed//\\/}"
        fi
        COMP_WORDS[${current}]="${typed}"
        _media "${1}" "${typed}" "${whole[${current}-1]}"

        # Bash replaces all that follows an open quotation mark.
        local cut=""
        [[ -n "${quote}" ]] || cut="${typed%"${typed##*[${breaks}]}"}"
        for index in "${!COMPREPLY[@]}"; do
            COMPREPLY[${index}]="${COMPREPLY[${index}]#"${cut}"}"
        done
        case "${whole[${current}-1]}" in
        --library|--against|--ca-file|--attach|copy) compopt -o filenames 2>/dev/null; return ;;
        esac
        local -r apostrophe="'\\''"
        local -ar signs=(\\ \" \$ \`)
        local sign
        for index in "${!COMPREPLY[@]}"; do
            word="${COMPREPLY[${index}]}"
            case "${quote}" in
            \') word="${word//\'/"${apostrophe}"}" ;;
            \") for sign in "${signs[@]}"; do word="${word//"${sign}"/\\"${sign}"}"; done ;;
            *) [[ "${word}" != *[!a-zA-Z0-9_~:@%+=,./#-]* ]] || printf -v word %q "${word}" ;;
            esac
            COMPREPLY[${index}]="${word}"
        done
    }

    complete -F __media_whole_words media
    """#
}
