import ArgumentParser
import Filters
import Posts
import Storage
import Terminal
import Wording

/// `media rules [add NAME FILTER ACTIONS / run NAME / delete NAME]`
struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", _superCommandName: Media.name,
    abstract: "Mark, hide or sort new posts as they come in.",
    discussion: """
      A rule is a filter and what is done with new posts that it finds. Rules run in the order of their names. What \
      you marked yourself stays.
      """,
    subcommands: [List.self, Add.self, Run.self, Delete.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The rules, and where they failed.")

    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      let app = try App(global)
      try app.library.expectIfNamed()
      let (rules, failures) =
        app.library.exists
        ? try app.library.withStore(for: .reading) { (try $0.rules(), try $0.ruleFailures()) } : ([], [])
      for rule in rules {
        let failed = failures.filter { $0.rule == rule.name }
        if global.json {
          try app.console.result(
            try JSONText.line(
              Line(
                name: rule.name, filter: rule.filter, actions: rule.actions.map(\.line), failed: failed.map(\.post),
                reason: failed.first?.reason)))
        } else {
          try app.console.result("\(rule.name)  \(rule.filter)  \(rule.actions.map(\.line).joined(separator: ", "))")
          if let first = failed.first {
            app.console.message(
              "\(rule.name) failed at \(NumberText.count(failed.count, "post")), and is tried again: \(first.reason)")
          }
        }
      }
      if rules.isEmpty, !global.json {
        app.console.message("There is no rule: \"media rules add NAME FILTER --favourite\" adds one.")
      }
    }

    private struct Line: Encodable {
      let name, filter: String
      let actions: [String]
      let failed: [Int64]
      let reason: String?
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a rule for posts that come in from now on, in place of one of its name.")

    @Argument var name: String
    @Argument(completion: Completing.filters) var filter: [String]

    @Flag(help: "Mark them as favourites.") var favourite = false
    @Option(help: ArgumentHelp("Rate them from 1 to 5.", valueName: "n")) var rating: Int?
    @Flag(help: "Mark them as seen.") var seen = false
    @Option(help: "Give them a tag of your own.", completion: Completing.ownTags) var tag: [String] = []
    @Option(help: "Add them to an album.", completion: Completing.albums) var album: [String] = []
    @Flag(help: "Hide them.") var hide = false
    @Flag(help: "Fetch none of their pictures.") var skipPictures = false
    @Flag(help: "Tell of them after the harvest.") var notice = false
    @Flag(help: "Tell how many stored posts it finds, and add nothing.") var dryRun = false
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func validate() throws {
      guard !actions.isEmpty else {
        throw ValidationError(
          "say what to do: --favourite, --rating, --seen, --tag, --album, --hide, --skip-pictures or --notice")
      }
      if let rating, !(1...5).contains(rating) { throw ValidationError("\(rating) is no rating: give 1 to 5") }
      if let wrong = tag.first(where: { MarkName.ownTag($0) == nil }) {
        throw ValidationError(MarkError.name(Spelling.printable(wrong)).description)
      }
    }

    private var actions: [RuleAction] {
      var actions: [RuleAction] = favourite ? [.mark(.favourite(true))] : []
      if let rating { actions.append(.mark(.rating(rating))) }
      if seen { actions.append(.mark(.seen(true))) }
      actions += tag.map { .mark(.ownTag($0)) } + album.map(RuleAction.album)
      if hide { actions.append(.mark(.hidden(true))) }
      return actions + (skipPictures ? [.skipPictures] : []) + (notice ? [.notice] : [])
    }

    func run() throws {
      let app = try App(global)
      let parsed = try PostFilters.filter(filter.joined(separator: " "), at: app.time.now())
      let rule = Rule(name: name, filter: parsed.filter.description, actions: actions)
      guard dryRun else {
        return try Changing(global).run("Added the rule \"\(name)\": \(rule.filter)") {
          try $0.save(rule, by: $1, now: $2)
        }
      }
      try Filter.term(Filter.Term(.album, album.map(FilterValue.word))).expectNames(in: app.library)
      let found = try rule.stored(app)
      if global.json { return try app.console.result(try JSONText.line(["found": found])) }
      app.console.message("It would have found \(NumberText.count(found.count, "stored post")).")
    }
  }

  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Do what a rule says with posts that are stored already.")

    @Argument(completion: Completing.rules) var name: String
    @Flag(help: "Tell how many posts would change, and change nothing.") var dryRun = false
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      let app = try App(global)
      try app.library.expectIfNamed()
      guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
      let rules = try app.library.withStore(for: .reading) { try $0.rules() }
      guard let rule = rules.first(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw MarkError.noRule(name, nearest: Spelling.nearest(to: name, among: rules.map(\.name)))
      }
      let posts = try rule.stored(app)
      let marking = try app.library.withStore { try $0.run(rule, on: posts, now: app.time.now(), dryRun: dryRun) }
      let count = NumberText.count(marking.changed.count, "post")
      try ChangedPosts(changed: marking.changed).say(
        "changed", app.console, json: global.json, changed: dryRun ? "\(count) would change." : "Changed \(count).",
        unchanged: ChangedPosts.unchanged)
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Delete a rule. What it did stays.")

    @Argument(completion: Completing.rules) var name: String
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try Changing(global).run("Deleted the rule \"\(name)\"") { try $0.deleteRule(name, by: $1, now: $2) }
    }
  }
}

extension Rule {
  /// The stored posts that it finds, hidden ones too, oldest first.
  fileprivate func stored(_ app: App) throws -> [Int64] {
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    var list = PostListQuery()
    list.filter = try PostFilters.filter(filter, at: app.time.now())
    try list.filter?.filter.expectNames(in: app.library)
    try app.library.readVisibilities(askedBy: list.filter)
    let members = try app.library.withStore(for: .reading) { [list] in try $0.members(of: list) }
    return members.ranges.flatMap { $0.map(Int64.init) }
  }
}
