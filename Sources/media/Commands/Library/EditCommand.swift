import ArgumentParser
import MediaLibrary
import Posts
import Storage

/// `media edit ID`
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", _superCommandName: Media.name, abstract: "Change a post made by hand.",
    discussion: """
      What is not named stays. The old wording becomes a revision. With --start alone, an entry keeps its length.
      """)

  @Argument(help: ArgumentHelp("The id of a post, as \"media list\" shows it.", valueName: "id"))
  var id: Int64

  @Option(help: "The new title.")
  var title: String?

  @Option(help: "The new text.")
  var text: String?

  @Option(
    name: [.customLong("start"), .customLong("at")],
    help: ArgumentHelp("The new time, or start.", valueName: "time"))
  var start: String?

  @Option(
    name: [.customLong("finish"), .customLong("until")],
    help: ArgumentHelp("The new finish.", valueName: "time"))
  var finish: String?

  @Flag(help: "Remove the title.")
  var noTitle = false

  @Flag(help: "Remove the text.")
  var noText = false

  @Flag(help: "Remove the finish.")
  var noFinish = false

  @Option(help: "A tag to add; may be repeated.", completion: Completing.tags)
  var tag: [String] = []

  @Option(help: "A tag to remove; may be repeated.", completion: Completing.tags)
  var untag: [String] = []

  @Option(
    help: ArgumentHelp("A picture or file to attach; may be repeated.", valueName: "file"),
    completion: .file())
  var attach: [String] = []

  @Option(help: ArgumentHelp("The number of an attachment to remove, from 1; may be repeated.", valueName: "n"))
  var detach: [Int] = []

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    for (value, flag, isRemoved) in [(title, "title", noTitle), (text, "text", noText), (finish, "finish", noFinish)]
    where value != nil && isRemoved {
      throw ValidationError("give --\(flag) or --no-\(flag), not both")
    }
    let isNothing =
      [title, text, start, finish].allSatisfy { $0 == nil } && !noTitle && !noText && !noFinish
      && [tag, untag, attach].allSatisfy(\.isEmpty) && detach.isEmpty
    guard !isNothing else { throw ValidationError("nothing is to be changed, give --title, --start or another") }
  }

  func run() throws {
    let app = try App(global)
    guard app.library.exists else { throw StorageError.unknownPosts([id]) }
    try app.hand.edit(id, try typed(), attach: attach, detach: detach)
  }

  private func typed() throws -> PostEdit {
    let times = TimeText()
    var edit = PostEdit()
    edit.title = noTitle ? .some(nil) : title.map { $0.trimmingWhiteSpace }
    edit.caption = noText ? "" : try text.map(ManualPost.caption)
    edit.start = try start.map { try times.moment($0, for: "the start") }
    edit.finish = noFinish ? .some(nil) : try finish.map { try times.moment($0, for: "the finish") }
    (edit.addedTags, edit.removedTags) = (try TypedPost.tags(tag), try TypedPost.tags(untag))
    return edit
  }
}
