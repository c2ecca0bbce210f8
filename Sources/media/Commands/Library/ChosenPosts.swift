import ArgumentParser
import Filters
import Posts
import Storage
import Wording

/// Posts that a filter chooses for a change. How many they are is said before anything is changed.
struct ChosenPosts: ParsableArguments {
  @Option(
    help: ArgumentHelp("The posts that a filter finds instead.", valueName: "filter"), completion: Completing.filters)
  var filter: String?

  @Flag(help: "With --filter: do not ask first.")
  var yes = false

  func validate() throws {
    guard filter?.allSatisfy(\.isWhitespace) != true else { throw ValidationError("--filter is empty") }
    guard filter != nil || !yes else { throw ValidationError("--yes goes with --filter") }
  }

  /// The numbers of the posts; none if none fits, or if the person does not want them changed.
  ///
  /// - Parameters:
  ///   - deed: What is done to them: `delete`.
  ///   - deleted: How deleted posts are treated.
  ///   - includesHidden: Whether the filter finds hidden posts, too.
  ///   - isDryRun: Whether nothing will be changed, so that nobody has to be asked.
  func confirmed(
    _ deed: String, _ deleted: DeletedPosts, _ app: App, isDryRun: Bool = false, includesHidden: Bool = false
  ) throws -> [Int64] {
    guard let filter else { return [] }
    let now = app.time.now()
    var list = PostListQuery(deleted: deleted)
    list.filter = try PostFilters.filter(filter, at: now)
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    try list.filter?.filter.expectNames(in: app.library)
    try app.library.readVisibilities(askedBy: list.filter)
    list = list.listed(at: now)
    if includesHidden { list.hidden = .included }
    let ids = try app.library.withStore(for: .reading) { [list] in try $0.orderedMembers(of: list) }
    let count = NumberText.count(ids.count, "post")
    guard !ids.isEmpty, !yes, !isDryRun else { return ids }
    guard app.console.inputIsTerminal else {
      throw UsageError("the filter finds \(count), and nobody can be asked", cure: "--yes does it without asking")
    }
    return app.console.confirms("\(deed.capitalized) \(count)?") ? ids : []
  }
}
