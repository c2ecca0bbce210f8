import ArgumentParser
import Filters
import Posts
import Storage
import Terminal
import Wording

/// `media searches [save NAME FILTER / rename NAME NEW / delete NAME]`
struct SearchesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searches", _superCommandName: Media.name,
    abstract: "Keep filters under names.",
    discussion: "\"media list saved:good\" lists what a saved search finds, now and whenever it is asked.",
    subcommands: [List.self, Save.self, Rename.self, Delete.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The saved searches, and how many posts each finds.")

    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      let app = try App(global)
      try app.library.expectIfNamed()
      let now = app.time.now()
      let found =
        app.library.exists
        ? try app.library.withStore(for: .reading) { store in
          try store.savedSearches().map { search -> Line in
            let posts: Int? = try Self.filter(search).flatMap { filter in
              var list = PostListQuery()
              list.filter = PostFilter(filter, now: now, searchesNotes: true)
              return try store.totalIfUsable(of: list.listed(at: now))?.shown
            }
            return Line(name: search.name, filter: search.filter, posts: posts)
          }
        } : []
      for line in found {
        if global.json {
          try app.console.result(try JSONText.line(line))
        } else {
          let count = line.posts.map { NumberText.count($0, "post") } ?? "cannot be used"
          try app.console.result("\(line.name)  \(count)  \(line.filter)")
        }
      }
      if found.isEmpty, !global.json {
        app.console.message("There is no saved search: \"media searches save NAME FILTER\" saves one.")
      }
    }

    /// The filter that names it; nil if its own cannot be read.
    private static func filter(_ search: SavedSearch) -> Filter? {
      (try? Filter(parsing: search.filter)).map { _ in .term(.init(.saved, [.word(search.name)])) }
    }

    private struct Line: Encodable {
      let name, filter: String
      /// At least so many, where it finds more than are counted.
      let posts: Int?
    }
  }

  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Save a filter under a name, in place of an earlier one.")

    @Argument var name: String
    @Argument(completion: Completing.filters) var filter: [String]
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      let parsed = try PostFilters.filter(filter.joined(separator: " "), at: try App(global).time.now())
      try Changing(global).run("Saved \"\(name)\": \(parsed.filter)") {
        try $0.save(parsed.filter, as: name, by: $1, now: $2)
      }
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give a saved search another name.")

    @Argument(completion: Completing.searches) var name: String
    @Argument(help: "The new name.") var new: String
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try Changing(global).run("Renamed the saved search \"\(name)\" to \"\(new)\"") {
        try $0.renameSearch(name, to: new, by: $1, now: $2)
      }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Delete a saved search. What it found stays.")

    @Argument(completion: Completing.searches) var name: String
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try Changing(global).run(
        "Deleted the saved search \"\(name)\"", holders: { try $0.holders(ofSearch: name) }
      ) { try $0.deleteSearch(name, by: $1, now: $2) }
    }
  }
}

extension ListTotal {
  /// The number, or the one that it is above.
  fileprivate var shown: Int {
    switch self {
    case .exactly(let count), .moreThan(let count): count
    }
  }
}
