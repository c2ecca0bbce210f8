import ArgumentParser

/// `media add TEXT`
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", _superCommandName: Media.name, abstract: "Add a post by hand.",
    discussion: "The list shows it among the others. No pull changes it.")

  @Argument(help: "The post's text, at least 3 characters.")
  var text: String

  @Option(help: "The post's title.")
  var title: String?

  @Option(
    name: [.customLong("start"), .customLong("at")],
    help: ArgumentHelp("When it is, or begins; now by default.", valueName: "time"))
  var start: String?

  @Option(
    name: [.customLong("finish"), .customLong("until")],
    help: ArgumentHelp("When it ends.", valueName: "time"))
  var finish: String?

  @Option(
    help: ArgumentHelp("A picture or file to attach; may be repeated.", valueName: "file"),
    completion: .file())
  var attach: [String] = []

  @Option(help: "A tag of the post; may be repeated.", completion: Completing.tags)
  var tag: [String] = []

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    let typed = try TypedPost(text: text, title: title, start: start, finish: finish, tags: tag)
    let post = try typed.post(now: app.time.now())
    try app.hand.add(post, attach: attach, says: { "Added post \($0)." })
  }
}
