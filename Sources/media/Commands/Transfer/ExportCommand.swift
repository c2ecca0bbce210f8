import ArgumentParser
import FoundationEssentials
import Posts
import Storage
import Terminal
import Transfer

/// `media export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: Media.name,
    abstract: "Write posts in a format that other programs read.",
    discussion: """
      Without filters: every post, newest first. Deleted posts stay out. A file appears when it is whole. opml has the \
      followed feeds instead of posts.
      """)

  @Option(help: "The format: \(TransferFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = TransferFormat.ndjson

  @Option(
    help: ArgumentHelp("The file to write; standard output by default.", valueName: "file"), completion: .file())
  var out: String?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @OptionGroup var filters: PostFilters

  @Option(help: "The maximum number of posts; unlimited by default.")
  var limit: Int?

  @Option(help: ArgumentHelp("Only posts below this one in the list.", valueName: "id"))
  var before: Int64?

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) exports nothing, it must be 1 or more") }
    if out?.isEmpty == true { throw ValidationError("--out is empty") }
    guard !force || out != nil else { throw ValidationError("--force goes with --out") }
    guard format != .opml || !(filters.areGiven || limit != nil || before != nil) else {
      throw ValidationError("opml has the followed feeds, leave what chooses posts out")
    }
  }

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    switch format {
    case .ndjson: try export(PostLines(), app)
    case .csv: try export(CSVDocument(), app)
    case .jsonFeed, .atom, .opml, .activitystreams, .html, .warc, .diary, .ics:
      throw UsageError("this version does not write \(format.rawValue)", cure: "ndjson and csv are there")
    }
  }

  /// Writes a document of the chosen posts, one by one.
  private func export(_ document: some PostDocument, _ app: App) throws {
    var document = document
    let query = PostQuery(
      tags: filters.tags, user: filters.user, feed: try filters.storedFeed(app.library), search: filters.search,
      day: try filters.interval(now: app.time.now()), before: before, limit: limit)
    let output = try ExportOutput(path: out, replaces: force, console: app.console)
    var count = 0
    try output.write(document.head)
    try app.library.withStore(for: .reading) { store in
      try store.eachPost(query) { post in
        try output.write(try document.text(of: post))
        count += 1
      }
    }
    try output.write(document.tail)
    try output.finish()
    try report(count, output, app.console)
  }

  /// Says what a file holds now. Standard output has only the document.
  private func report(_ count: Int, _ output: ExportOutput, _ console: Console) throws {
    guard let path = output.path else { return }
    if global.json {
      let line = ExportLine(format: format.rawValue, posts: count, bytes: output.byteCount, path: path)
      return try console.result(try JSONText.line(line))
    }
    console.message("Wrote \(count) post\(count == 1 ? "" : "s") to \(path), \(ByteText.of(output.byteCount)).")
  }
}

/// An export as JSON.
private struct ExportLine: Encodable {
  let format: String
  let posts, bytes: Int
  let path: String
}

/// Posts as `media list --json` prints them.
private struct PostLines: PostDocument {
  let head = ""
  let tail = ""

  func text(of post: StoredPost) throws -> String { try JSONText.line(PostLine(post)).text + "\n" }
}

extension TransferFormat: ExpressibleByArgument {}
