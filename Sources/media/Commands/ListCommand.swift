import ArgumentParser
import Foundation
import Posts
import Storage
import Terminal

/// `media list`
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the posts of the library, newest first.",
    discussion: "A table, as wide as the terminal; with --json one object a line.")

  @Option(help: "Only posts that carry this tag, or that its feed brought.")
  var tag: String?

  @Option(help: ArgumentHelp("Only posts of this author.", valueName: "handle"))
  var user: String?

  @Option(help: ArgumentHelp("Only posts with these words; \"in quotes\" as a phrase.", valueName: "words"))
  var search: String?

  @Option(help: ArgumentHelp("Only posts of this day, in local time.", valueName: "yyyy-mm-dd"))
  var day: String?

  @Option(help: "At most this many.")
  var limit = 50

  @Option(help: ArgumentHelp("Only posts that stand below this one.", valueName: "id"))
  var before: Int64?

  @Flag(help: "Print the table also where an interactive list could be shown.")
  var plain = false

  @OptionGroup var global: GlobalOptions

  private var isFiltered: Bool { tag != nil || user != nil || search != nil || day != nil || before != nil }

  func validate() throws {
    for (flag, value) in [("--tag", tag), ("--user", user), ("--search", search)] {
      guard value?.allSatisfy(\.isWhitespace) != true else { throw ValidationError("\(flag) is empty") }
    }
    guard limit >= 1 else { throw ValidationError("--limit \(limit) lists nothing, it must be 1 or more") }
  }

  func run() throws {
    let app = try App(global)
    let query = PostQuery(
      tag: tag.map(Feed.tagName), user: user, search: search,
      day: try day.map { try TimeText().day($0, for: "--day") }, before: before, limit: limit)
    try app.withStore(for: .reading) { store in
      if global.json {
        try store.eachPost(query) { try app.console.result(try JSONText.line(PostLine($0))) }
      } else {
        try printTable(try store.posts(query), app)
      }
    }
  }

  private func printTable(_ posts: [StoredPost], _ app: App) throws {
    guard !posts.isEmpty else {
      return app.console.message(
        isFiltered ? "No post fits." : "No posts here. \"media tag cats --server mastodon.social\" pulls some.")
    }
    let times = TimeText()
    let isNarrow = app.tableWidth.map { $0 < 60 } ?? false
    let rows = posts.map { post in
      [
        "\(post.id)", isNarrow ? times.brief(post.createdAt) : times.short(post.createdAt), post.author?.handle ?? "",
        PostText.line(post), PostText.pictures(post),
      ]
    }
    try app.print(
      Table(
        [
          .init("ID", minimum: 2, trailing: true), .init("TIME", minimum: isNarrow ? 11 : 16),
          .init("AUTHOR", minimum: 6, ideal: 28), .init("CAPTION", minimum: 8), .init("PICS", minimum: 3),
        ], rows: rows))
  }
}
