import ArgumentParser
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

  @Option(
    help: ArgumentHelp(
      "Only posts with this tag or from its feed. Repeat it for posts of any of several tags.",
      valueName: "tag"),
    completion: Completing.tags)
  var tag: [String] = []

  @Option(help: ArgumentHelp("Only posts of this author.", valueName: "handle"), completion: Completing.authors)
  var user: String?

  @Option(
    help: ArgumentHelp("Only posts from this feed, as its summary names it.", valueName: "feed"),
    completion: Completing.feeds)
  var feed: String?

  @Option(
    help: ArgumentHelp(
      "Only posts with these words in title, text or warning. The last word is a prefix; \"in quotes\" is a phrase.",
      valueName: "words"))
  var search: String?

  @Option(help: ArgumentHelp("Only posts of this day, in local time.", valueName: "yyyy-mm-dd"))
  var day: String?

  @Option(help: "The maximum number of posts; with --follow, of posts printed first.")
  var limit = 50

  @Option(help: ArgumentHelp("Only posts below this one in the list.", valueName: "id"))
  var before: Int64?

  @Flag(help: "Print the newest posts, then every change of the list, until interrupted.")
  var follow = false

  @Flag(help: "Print a table instead of showing the interactive list.")
  var plain = false

  @Flag(help: "Disable animation in the interactive list.")
  var noAnimation = false

  @Option(help: "How to show pictures in the interactive list: auto, kitty, sixel, iterm, blocks or off.")
  var pictures: PicturePreference?

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  private var isFiltered: Bool {
    !tag.isEmpty || user != nil || feed != nil || search != nil || day != nil || before != nil
  }

  func validate() throws {
    for (flag, value) in tag.map({ ("--tag", $0) }) + [("--user", user), ("--search", search)] {
      guard value?.allSatisfy(\.isWhitespace) != true else { throw ValidationError("\(flag) is empty") }
    }
    guard limit >= 1 else { throw ValidationError("--limit \(limit) lists nothing, it must be 1 or more") }
    guard !follow || before == nil else {
      throw ValidationError("--follow begins with the newest post, leave --before out")
    }
  }

  func run() async throws {
    if follow { try await followChanges() } else { try await browsing()?.run() }
  }

  private func followChanges() async throws {
    let app = try App(global)
    // Watching a missing library would create it.
    guard app.library.exists else { throw NoLibrary(folder: app.library.path) }
    let list = PostListQuery(
      tags: tag.map(Feed.tagName), user: user, feed: try storedFeed(app.library), search: search,
      within: try interval(now: app.time.now()))
    let library = try Library(in: app.library.path, for: .reading) { app.time.now() }
    defer { library.close() }
    let follower = ListFollower(
      library: library, list: list, limit: limit, isJSON: global.json, console: app.console)
    try await Interruption.guarding { try await follower.run() }
  }

  /// The requested day, which must have begun.
  private func interval(now: Date) throws -> DateInterval? {
    guard let day else { return nil }
    let interval = try TimeText().day(day, for: "--day")
    guard interval.start <= now else {
      throw UsageError("--day \(day) is still to come", cure: "give a day that has begun")
    }
    return interval
  }

  /// The named feed, which must have been pulled.
  private func storedFeed(_ library: LibraryOpener) throws -> Feed? {
    try feed.map { name in
      try library.withStore(for: .reading) { try GapsCommand.feed(name, among: try $0.feeds(), try $0.feedTitles()) }
    }
  }

  /// Prints the posts, or returns the interactive list.
  func browsing() throws -> Browsing? {
    let app = try App(global)
    try app.library.expectIfNamed()
    let (day, feed) = (try interval(now: app.time.now()), try storedFeed(app.library))
    if isInteractive(app.console, app.environment) {
      let list = PostListQuery(
        tags: tag.map(Feed.tagName), user: user, feed: feed, within: day, grouping: .day(.autoupdatingCurrent))
      // The list's pulls need it, and exiting without it would leave the terminal in the list's mode.
      Digest.load()
      return app.browsing(list, search: search ?? "", isStill: noAnimation, pictures: pictures)
    }
    let query = PostQuery(
      tags: tag.map(Feed.tagName), user: user, feed: feed, search: search, day: day, before: before, limit: limit)
    try app.library.withStore(for: .reading) { store in
      if global.json {
        try store.eachPost(query) { try app.console.result(try JSONText.line(PostLine($0))) }
      } else {
        try printTable(try store.posts(query), app.output)
      }
    }
    return nil
  }

  /// Whether a user reads and types. A request for a part of the list is always printed.
  private func isInteractive(_ console: Console, _ environment: [String: String]) -> Bool {
    let isSeen = console.inputIsTerminal && console.outputIsTerminal && environment["TERM"] != "dumb"
    return isSeen && !plain && !global.json && before == nil
  }

  private func printTable(_ posts: [StoredPost], _ output: StyledConsole) throws {
    guard !posts.isEmpty else {
      return output.console.message(
        isFiltered ? "No post fits." : "No posts here. \"media tag cats --server mastodon.social\" pulls some.")
    }
    let times = TimeText()
    let isNarrow = output.tableWidth < 60
    let rows = posts.map { post in
      [
        "\(post.id)", isNarrow ? times.brief(post.createdAt) : times.short(post.createdAt), post.author?.handle ?? "",
        PostText.line(post), PostText.pictures(post),
      ]
    }
    let table = Table(
      [
        .init("ID", minimum: 2, trailing: true), .init("TIME", minimum: isNarrow ? 11 : 16),
        .init("AUTHOR", minimum: 6, ideal: 28), .init("CAPTION", minimum: 8, givesWayFirst: true),
        .init("PICS", minimum: 3),
      ], rows: rows)
    try output.print(table)
  }
}
