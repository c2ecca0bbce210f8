import ArgumentParser
import Filters
import FoundationEssentials
import HTTP
import MediaLibrary
import Posts
import Storage
import Terminal

/// `media list`
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", _superCommandName: Media.name, abstract: "List the posts of the library, newest first.",
    discussion: """
      In a terminal: a list that is moved through with the keys, ? shows them. Piped, or with --plain: a table; with \
      --json one object a line.
      """)

  @OptionGroup var filters: PostFilters

  @Option(help: "The maximum number of posts; with --follow, of posts printed first.")
  var limit = 50

  @Option(help: ArgumentHelp("Only posts below this one in the list.", valueName: "id"))
  var before: Int64?

  @Flag(help: "Print the newest posts, then every change of the list, until interrupted.")
  var follow = false

  @Flag(help: "Print what is planned and what is under way, soonest first.")
  var planned = false

  @Flag(help: "Print the deleted posts, which \"media restore\" brings back.")
  var deleted = false

  @Option(
    help: ArgumentHelp(
      "Print the posts whose pictures mean this, the nearest first, by the model of \"media settings look\".",
      valueName: "words"))
  var meaning: String?

  @Option(help: ArgumentHelp("Print those whose pictures mean what this post's first one does.", valueName: "id"))
  var meaningOf: Int64?

  @Flag(help: "Print a table instead of showing the interactive list.")
  var plain = false

  @Flag(help: "Disable animation in the interactive list.")
  var noAnimation = false

  @Option(help: "How to show pictures in the interactive list: auto, kitty, sixel, iterm, blocks or off.")
  var pictures: PicturePreference?

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  /// Whether posts are listed by what their pictures mean.
  var isByMeaning: Bool { meaning != nil || meaningOf != nil }

  private var isFiltered: Bool { filters.areGiven || before != nil }

  private var deletedPosts: DeletedPosts { deleted ? .only : .excluded }

  func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit \(limit) lists nothing, it must be 1 or more") }
    guard !planned || (!follow && before == nil) else {
      throw ValidationError("--planned begins with the soonest entry, leave --before and --follow out")
    }
    guard !planned || !deleted else {
      throw ValidationError("--planned and --deleted are two lists, leave one out")
    }
    guard meaning == nil || meaningOf == nil else {
      throw ValidationError("--meaning and --meaning-of ask for two lists, leave one out")
    }
    if isByMeaning {
      guard !follow, !planned, before == nil else {
        throw ValidationError("--meaning has an order of its own, leave --follow, --planned and --before out")
      }
      guard meaning?.allSatisfy(\.isWhitespace) != true else { throw ValidationError("--meaning is empty") }
      guard limit <= MeaningListing.most else {
        throw ValidationError("--meaning lists at most \(MeaningListing.most) posts")
      }
    }
    guard !follow || before == nil else {
      throw ValidationError("--follow begins with the newest post, leave --before out")
    }
  }

  func run() async throws {
    if follow {
      try await followChanges()
    } else if isByMeaning {
      try await printMeanings()
    } else {
      try await browsing()?.run()
    }
  }

  /// The list that the filters choose.
  private func list(_ app: App) throws -> PostListQuery {
    try app.library.expectIfNamed()
    // Watching a missing library would create it.
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    let filter = try filters.posts(at: app.time.now())
    try readVisibilities(app, filter)
    try filters.expectUser(in: app.library)
    try filter?.filter.expectNames(in: app.library)
    var list = PostListQuery(
      tags: filters.tags, user: filters.handle, feed: try filters.storedFeed(app.library), search: filters.search,
      within: try filters.interval(now: app.time.now(), mayBeToCome: true), deleted: deletedPosts)
    list.visibility = filters.seenBy
    list.filter = filter
    list.hidden = .excluded
    list.isFolded = try app.foldsLists()
    return list
  }

  private func printMeanings() async throws {
    let app = try App(global)
    let list = try list(app)
    let store = try app.library.openStore(for: .reading)
    defer { store.close() }
    let listing = MeaningListing(store: store, list: list.listed(at: app.time.now()), limit: limit)
    let found =
      if let meaningOf { try listing.posts(meaningOf: meaningOf) } else {
        // The model is ended with this program.
        try await Interruption.guarding { [meaning, model = app.model(try app.settings.read(in: store))] in
          try await listing.posts(meaning: meaning ?? "", by: model)
        }
      }
    guard global.json else {
      return try PostTable(isFiltered: true, isPlanned: false, isDeleted: deleted)
        .print(found.map(\.post), app.output, scores: found.map(\.score))
    }
    for (post, score) in found { try app.console.result(try JSONText.line(PostLine(post, score: score))) }
  }

  private func followChanges() async throws {
    let app = try App(global)
    let list = try list(app)
    let library = try app.library.openLibrary(for: .reading)
    defer { library.close() }
    let follower = ListFollower(
      library: library, list: list, limit: limit, isJSON: global.json, console: app.console, time: app.time)
    try await Interruption.guarding { try await follower.run() }
  }

  /// Prints the posts, or returns the interactive list.
  func browsing() throws -> Browsing? {
    let app = try App(global)
    try app.library.expectIfNamed()
    let day = try filters.interval(now: app.time.now(), mayBeToCome: true)
    let feed = try filters.storedFeed(app.library)
    try filters.expectUser(in: app.library)
    // What is printed is mixed anew each time, unless it goes on with a list.
    let isBrowsed = isInteractive(app.console, app.environment)
    let filter = try filters.posts(
      at: app.time.now(), seed: isBrowsed || before != nil ? nil : Int64(app.time.now().timeIntervalSince1970 * 1000))
    try filter?.filter.expectNames(in: app.library)
    if isBrowsed {
      var list = PostListQuery(
        tags: filters.tags, user: filters.handle, feed: feed, within: day, grouping: .day(.autoupdatingCurrent))
      list.visibility = filters.seenBy
      list.filter = filter
      list.isFolded = try app.foldsLists()
      // The list's pulls need it, and exiting without it would leave the terminal in the list's mode.
      Digest.load()
      return app.browsing(
        list.listed(at: app.time.now()), search: filters.typedSearch, isStill: noAnimation, pictures: pictures)
    }
    try readVisibilities(app, filter)
    let now = app.time.now()
    var query = PostQuery(
      tags: filters.tags, user: filters.handle, feed: feed, search: filters.search, day: day, before: before,
      limit: limit, deleted: deletedPosts)
    query.visibility = filters.seenBy
    query.filter = filter
    query = query.shown(at: now)
    try app.library.withStore(for: .reading) { store in
      query.isFolded = try app.settings.read(in: store).fold
      if planned {
        try printPlanned(try store.plannedPosts(of: query.listed(at: now), at: now, limit: limit), app, now: now)
      } else if global.json {
        try store.eachPost(query) { try app.console.result(try JSONText.line(PostLine($0))) }
      } else {
        let posts = try store.posts(query)
        let isPlanned =
          try posts.isEmpty && !deleted && !store.plannedPosts(of: query.listed(at: now), at: now, limit: 1).isEmpty
        try PostTable(isFiltered: isFiltered, isPlanned: isPlanned, isDeleted: deleted).print(posts, app.output)
        if posts.isEmpty, let filter { try sayUnlooked(try store.expanded(filter.filter), store, app) }
        if let hidden = try store.hiddenPosts(of: query.listed(at: now)).hiddenWords { app.console.message(hidden) }
      }
    }
    return nil
  }

  /// Says so if nothing may be found because files were not looked at.
  private func sayUnlooked(_ filter: Filter, _ store: Store, _ app: App) throws {
    let kinds: [InspectionKind] = (filter.asksFacts ? [.facts] : []) + (filter.asksText ? [.text] : [])
    guard try kinds.contains(where: { try store.awaitsInspection(for: $0) }) else { return }
    app.console.message("Some files were not looked at yet: \"media look\" does so, and so do harvests.")
  }

  /// Who may see a post must be known where it is chosen by or printed.
  private func readVisibilities(_ app: App, _ filter: PostFilter?) throws {
    if global.json || filters.seenBy != .all { return try app.library.readVisibilities() }
    try app.library.readVisibilities(askedBy: filter)
  }

  private func printPlanned(_ posts: [StoredPost], _ app: App, now: Date) throws {
    guard global.json else { return try PlannedTable(now: now).print(posts, app.output) }
    for post in posts { try app.console.result(try JSONText.line(PostLine(post))) }
  }

  /// Whether a user reads and types. A request for a part of the list is always printed.
  private func isInteractive(_ console: Console, _ environment: [String: String]) -> Bool {
    let isSeen = console.inputIsTerminal && console.outputIsTerminal && environment["TERM"] != "dumb"
    return isSeen && !plain && !planned && !deleted && !global.json && before == nil
  }
}
