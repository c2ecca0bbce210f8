import ArgumentParser
import Wording

/// `media plan NAME --start TIME`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", _superCommandName: Media.name, abstract: "Plan an entry: a name, a time, files.",
    discussion: """
      It is a post of your own with a start. "media list --planned" shows what is to come; the calendar shows all. Until it \
      begins, other lists leave it out.
      """)

  @Argument(help: ArgumentHelp("What is planned.", valueName: "name"))
  var name: String

  @Option(
    name: [.customLong("start"), .customLong("at")],
    help: ArgumentHelp("When it begins.", valueName: "time"))
  var start: String

  @Option(
    name: [.customLong("finish"), .customLong("until")],
    help: ArgumentHelp("When it ends.", valueName: "time"))
  var finish: String?

  @Option(help: "More about it.")
  var text: String?

  @Option(
    help: ArgumentHelp("A picture or file to attach; may be repeated.", valueName: "file"),
    completion: .file())
  var attach: [String] = []

  @Option(help: "A tag of the entry; may be repeated.", completion: Completing.tags)
  var tag: [String] = []

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    guard !name.allSatisfy(\.isWhitespace) else {
      throw UsageError("the name is empty", cure: "write what is planned")
    }
    let typed = try TypedPost(text: text ?? "", title: name, start: start, finish: finish, tags: tag)
    let post = try typed.post(now: app.time.now(), needsText: false)
    let times = MomentText()
    try app.hand.add(post, attach: attach) { "Planned post \($0) for \(times.range(post.createdAt, post.endsAt))." }
  }
}
