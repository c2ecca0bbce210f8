import ArgumentParser
import Filters
import Storage
import Terminal
import Wording

/// What is hidden or shown again: posts by their ids or a filter, authors and tags by their names.
struct HiddenChoice: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The ids of posts, user:HANDLE or tag:NAME.", valueName: "what"), completion: Completing.hidden)
  var what: [String] = []

  @OptionGroup var chosen: ChosenPosts

  @Flag(help: "Tell what would change, and change nothing.")
  var dryRun = false

  func validate() throws {
    guard what.isEmpty != (chosen.filter == nil) else {
      throw ValidationError("give numbers of posts, user:HANDLE and tag:NAME, or --filter")
    }
    _ = try parts()
  }

  private func parts() throws -> (ids: [Int64], names: [HiddenName]) {
    var parts: (ids: [Int64], names: [HiddenName]) = ([], [])
    for one in what {
      if let posts = PostIDs(argument: one) {
        parts.ids += posts.ids
        continue
      }
      let words = one.split(separator: ":", maxSplits: 1).map(String.init)
      switch (words.first, words.dropFirst().first) {
      case ("user", let handle?), ("by", let handle?): parts.names.append(.author(PostFilters.handle(handle)))
      case ("tag", let name?): parts.names.append(.tag(PostFilters.tagName(name)))
      default:
        throw ValidationError("\"\(Spelling.printable(one))\" is no number of a post, no user:HANDLE and no tag:NAME")
      }
    }
    return parts
  }

  func change(_ isHidden: Bool, _ global: GlobalOptions) throws {
    let (key, command) = isHidden ? ("hidden", "hide") : ("shown", "unhide")
    let app = try App(global)
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    var (ids, names) = try parts()
    ids += try chosen.confirmed(command, .excluded, app, isDryRun: dryRun, includesHidden: !isHidden)
    if ids.isEmpty, names.isEmpty { return try ChangedPosts.sayNone(key, app.console, json: global.json) }
    let (marking, changed, hiders) = try app.library.withStore { store in
      let (marking, changed) = try store.hide(ids, names, isHidden, by: app.marker, now: app.time.now(), dryRun: dryRun)
      let hiders = isHidden ? [] : try store.hiders(of: Set(ids)).filter { !changed.contains($0) }
      return (marking, changed, hiders)
    }
    if global.json {
      try app.console.result(
        try JSONText.object([isHidden ? "hidden" : "shown": marking.changed, "names": changed.map(\.text)]))
    } else {
      let posts = marking.changed.isEmpty ? [] : [NumberText.count(marking.changed.count, "post")]
      let what = (posts + changed.map(\.text)).joined(separator: ", ")
      let rest = "\(hiders.map(\.text).joined(separator: ", ")) \(hiders.count == 1 ? "is" : "are") still hidden"
      let but = hiders.isEmpty ? "" : ", but \(rest)"
      app.console.message(
        what.isEmpty
          ? hiders.isEmpty ? ChangedPosts.unchanged : "Nothing changed: \(rest)."
          : dryRun ? "\(what) would be \(key)\(but)." : "Now \(key): \(what)\(but); \"media undo\" takes it back.")
    }
    try ChangedPosts(changed: marking.changed, unknown: marking.unknown).sayUnknown(
      app.console, isAll: marking.changed.isEmpty && changed.isEmpty)
  }
}

extension Store {
  /// The hidden authors and tags that hide these posts.
  fileprivate func hiders(of posts: Set<Int64>) throws -> [HiddenName] {
    try hiddenNames().map(\.name).filter { name in
      let list =
        switch name {
        case .author(let handle): PostListQuery(user: handle, deleted: .included)
        case .tag(let tag): PostListQuery(tag: tag, deleted: .included)
        }
      return try !members(of: list, among: posts, byAuthors: []).isEmpty
    }
  }
}

/// `media hide ID... / user:HANDLE / tag:NAME / --filter F`
struct HideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide", _superCommandName: Media.name,
    abstract: "Leave posts, or all posts of authors and tags, out of every list.",
    discussion: """
      They stay stored, and new ones come in. Lists say how many they leave out, and "media list is:hidden" shows \
      them. What is published leaves them out, too.
      """)

  @OptionGroup var choice: HiddenChoice
  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws { try choice.change(true, global) }
}

/// `media unhide ID... / user:HANDLE / tag:NAME / --filter F`
struct UnhideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unhide", _superCommandName: Media.name, abstract: "Show again what was hidden.")

  @OptionGroup var choice: HiddenChoice
  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws { try choice.change(false, global) }
}

/// `media hidden`
struct HiddenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hidden", _superCommandName: Media.name,
    abstract: "The hidden authors and tags, and how many posts are hidden.")

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let now = app.time.now()
    let (names, total) =
      app.library.exists
      ? try app.library.withStore(for: .reading) { store in
        (try store.hiddenNames(), try store.hiddenPosts(of: PostListQuery().listed(at: now)))
      } : ([], .exactly(0))
    if global.json {
      for one in names {
        try app.console.result(try JSONText.object(["name": one.name.text, "posts": one.posts]))
      }
      return
    }
    for one in names { try app.console.result("\(one.name.text)  \(NumberText.count(one.posts, "post"))") }
    app.console.message(total.hiddenWords ?? (names.isEmpty ? "Nothing is hidden." : "They have no posts here."))
  }
}

extension ListTotal {
  /// How many posts a list leaves out, for people; nil if it leaves out none.
  var hiddenWords: SafeText? {
    switch self {
    case .exactly(0): nil
    case .exactly(let count): "\(NumberText.count(count, "post")) hidden: \"media list is:hidden\" shows what is."
    case .moreThan(let count):
      "more than \(NumberText.count(count, "post")) hidden: \"media list is:hidden\" shows what is."
    }
  }
}
