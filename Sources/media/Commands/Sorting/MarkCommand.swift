import ArgumentParser
import Filters
import FoundationEssentials
import Machine
import Storage
import Terminal
import Web
import Wording

/// The posts of a command that changes what the person made of them: ids, or a filter.
struct MarkedPosts: ParsableArguments {
  @Argument(help: ArgumentHelp("The ids of posts, as \"media list\" shows them.", valueName: "id"))
  var named: [PostIDs] = []

  @OptionGroup var chosen: ChosenPosts

  @Flag(help: "Tell how many posts would change, and change nothing.")
  var dryRun = false

  func validate() throws {
    guard named.isEmpty != (chosen.filter == nil) else { throw ValidationError("give numbers of posts, or --filter") }
  }

  /// Changes the posts, and tells of it.
  ///
  /// - Parameters:
  ///   - deed: What is done to them, for the question: `mark`.
  ///   - key: The key of the changed ids in JSON: `marked`.
  ///   - words: What was done to some posts: `Marked 3 posts`.
  func change(
    _ deed: String, _ key: String, _ global: GlobalOptions, words: (String) -> String,
    _ body: (Store, [Int64], Marker, Date) throws -> Marking
  ) throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    let ids = try named.flatMap(\.ids) + chosen.confirmed(deed, .excluded, app, isDryRun: dryRun)
    if chosen.filter != nil, ids.isEmpty { return try ChangedPosts.sayNone(key, app.console, json: global.json) }
    let marking = try app.library.withStore { try body($0, ids, app.marker, app.time.now()) }
    let count = NumberText.count(marking.changed.count, "post")
    try ChangedPosts(changed: marking.changed, unknown: marking.unknown).say(
      key, app.console, json: global.json,
      changed: dryRun ? "\(count) would change." : "\(words(count)); \"media undo\" takes it back.",
      unchanged: ChangedPosts.unchanged)
  }
}

extension App {
  /// Who marks posts on the command line.
  var marker: Marker { Marker(machine: MachineName.current, program: .command) }
}

/// `media mark ID... / --filter F`
struct MarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark", _superCommandName: Media.name,
    abstract: "Mark posts: favourites, ratings, your own tags, notes, what you have seen.",
    discussion: """
      Marks are yours: no pull changes them, and nothing that is published has them. "media list is:favourite", \
      "rating:>=4", "own:print", "has:note" and "is:unseen" find them.
      """)

  @Flag(inversion: .prefixedNo, help: "Whether you like them.")
  var favourite: Bool?

  @Option(help: ArgumentHelp("From 0 to 5; 0 takes the rating away.", valueName: "n"))
  var rating: Int?

  @Option(help: "A tag of your own, such as +boat.", completion: Completing.ownTags)
  var tag: [String] = []

  @Option(help: "Take a tag of your own away.", completion: Completing.ownTags)
  var untag: [String] = []

  @Flag(help: "You have looked at them.")
  var seen = false

  @Flag(help: "You want to look at them again.")
  var unseen = false

  @Option(help: "A text about them; an empty one takes it away. What it said before is kept.")
  var note: String?

  @OptionGroup var posts: MarkedPosts

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard !marks.isEmpty else {
      throw ValidationError("say what to mark: --favourite, --rating, --tag, --untag, --seen, --unseen or --note")
    }
    guard !seen || !unseen else { throw ValidationError("leave out one of --seen and --unseen") }
    if let name = Set(tag.compactMap(MarkName.ownTag)).intersection(untag.compactMap(MarkName.ownTag)).first {
      throw ValidationError("\"\(name)\" is both given and taken away")
    }
    if let rating, !(0...5).contains(rating) { throw ValidationError(MarkError.rating(rating).description) }
    if let name = (tag + untag).first(where: { MarkName.ownTag($0) == nil }) {
      throw ValidationError(MarkError.name(Spelling.printable(name)).description)
    }
  }

  private var marks: [Mark] {
    var marks: [Mark] = []
    if let favourite { marks.append(.favourite(favourite)) }
    if let rating { marks.append(.rating(rating)) }
    marks += tag.map(Mark.ownTag) + untag.map(Mark.noOwnTag)
    if seen || unseen { marks.append(.seen(seen)) }
    if let note { marks.append(.note(note)) }
    return marks
  }

  func run() throws {
    try posts.change("mark", "marked", global, words: { "Marked \($0)" }) { store, ids, marker, now in
      try store.mark(ids, marks, by: marker, now: now, dryRun: posts.dryRun)
    }
  }
}

/// `media undo`
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", _superCommandName: Media.name,
    abstract: "Take back the last change that a command made to posts on this machine.",
    discussion: """
      It takes back "media mark", "hide", "delete", "restore", "album", "searches", "rules" and "same", one after the other. What \
      was changed again since stays. "media edit" is not among them.
      """)

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    let undone = try app.library.withStore { try $0.undo(by: app.marker, now: app.time.now()) }
    if global.json {
      return try app.console.result(
        try JSONText.object(["undone": undone?.words, "posts": undone?.posts ?? []]))
    }
    guard let undone else { return app.console.message("There is nothing to undo.") }
    let posts = undone.posts.isEmpty ? "" : ": \(NumberText.count(undone.posts.count, "post")) as before"
    app.console.message("Undid \"\(undone.words)\"\(posts).")
    if undone.kept > 0 { app.console.message("What was changed again since stays as it is.") }
    for name in undone.renamed {
      app.console.message("Another album has its name by now, so it is called \"\(name)\".")
    }
    for name in undone.renamedSearches {
      app.console.message("Another saved search has its name by now, so it is called \"\(name)\".")
    }
  }
}
