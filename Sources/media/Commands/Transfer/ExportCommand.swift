import ArgumentParser
import FeedDocuments
import FoundationEssentials
import Machine
import Posts
import Storage
import Terminal
import Transfer
import Web
import Wording

import enum HTTP.Digest
import func HTTP.base64URL

/// `media export`
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: Media.name,
    abstract: "Write posts in a format that other programs read.",
    discussion: """
      ndjson without filters has everything, deleted posts included, and "media import" reads it; with --out FILE.tar \
      the pictures are in the file, too. Other formats have \
      posts, newest first, without deleted ones and what is planned for later. diary and ics have the posts made by hand, opml the followed feeds. A \
      file appears when it is whole. What is made to be published leaves out posts that not everybody may see: all formats \
      but ndjson, opml and diary, and --files. html makes a folder of pages and pictures; made again, only what is new is \
      written, and pages of posts that are gone go. zip has the pictures and files in one file. --files writes the pictures and files themselves: nothing \
      is ever replaced, and a second time only what is new is written.
      """)

  @Option(help: "The format of what is written.")
  var format = TransferFormat.ndjson

  @Option(
    help: ArgumentHelp("The file to write; standard output by default. For html, a folder.", valueName: "file"),
    completion: .file())
  var out: String?

  @Flag(help: "Replace the file if it exists; for html, write into a folder with other files.")
  var force = false

  @Option(help: "For html, atom and json-feed: what it is called.")
  var title: String?

  @Option(
    help: ArgumentHelp("For html: where the folder will be served, for its feed and map.", valueName: "address"))
  var baseURL: String?

  @OptionGroup var filters: PostFilters

  @Option(help: "The maximum number of posts; unlimited by default.")
  var limit: Int?

  @Option(help: ArgumentHelp("Only posts below this one in the list.", valueName: "id"))
  var before: Int64?

  @Flag(help: "With ndjson: also the verbatim answers of servers.")
  var raw = false

  @Option(
    help: ArgumentHelp("With ndjson: copy the pictures to this folder, as a library has them.", valueName: "folder"),
    completion: .directory)
  var blobs: String?

  @Flag(help: "Also posts that not everybody may see, in what is made to be published.")
  var `private` = false

  @Flag(help: "In csv and sidecars: also your ratings, notes, own tags and the like.")
  var marks = false

  @Flag(inversion: .prefixedNo, help: "In html: take out of pictures and videos where they were taken.")
  var stripLocation = true

  @OptionGroup(title: "Files") var files: FilesOptions

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) exports nothing, it must be 1 or more") }
    if out?.isEmpty == true { throw ValidationError("--out is empty") }
    guard !force || out != nil else { throw ValidationError("--force goes with --out") }
    guard format != .html || (out != nil && out != "-") else { throw ValidationError("html needs a folder: --out") }
    guard format != .zip || out != nil else {
      throw ValidationError("zip needs a file, or - for standard output: --out")
    }
    guard files.name == nil || files.areGiven || format == .zip else {
      throw ValidationError("--name goes with --files and --format zip")
    }
    guard baseURL == nil || format == .html else { throw ValidationError("--base-url goes with --format html") }
    guard title == nil || [.html, .atom, .jsonFeed].contains(format) else {
      throw ValidationError("--title goes with --format html, atom and json-feed")
    }
    guard format == .ndjson || !raw && blobs == nil else {
      throw ValidationError("--raw and --blobs go with --format ndjson")
    }
    guard !isArchive || blobs == nil else { throw ValidationError("a tar has the pictures, leave --blobs out") }
    guard !`private` || files.areGiven || ![.ndjson, .opml, .diary].contains(format) else {
      throw ValidationError("--private goes with what is made to be published; \(format.rawValue) has all posts")
    }
    guard !marks || format == .csv || files.sidecars != nil else {
      throw ValidationError(
        "--marks goes with --format csv and --sidecars; ndjson has all, and the others none of them")
    }
    if blobs?.isEmpty == true { throw ValidationError("--blobs is empty") }
    guard stripLocation || format == .html else {
      throw ValidationError("--no-strip-location goes with --format html; other formats have files as they are")
    }
    guard format != .opml || !(filters.areGiven || limit != nil || before != nil) else {
      throw ValidationError("opml has the followed feeds, leave what chooses posts out")
    }
  }

  func run() async throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    if format != .opml { try app.library.readVisibilities() }
    if files.areGiven {
      let pictures = FilesExport(
        console: app.console, library: app.library, options: files, json: global.json,
        includesPrivate: `private`, marks: marks)
      var chosen = try query(app)
      if ![.diary, .ics].contains(format) { chosen = chosen.exported(at: app.time.now()) }
      try pictures.run(chosen)
      try sayHidden(chosen, app)
      // A document is written besides only where it is asked for.
      if out == nil { return }
    }
    let publication = Publication(includesPrivate: `private`)
    switch format {
    case .ndjson: try exportLibrary(app)
    case .csv: try export(CSVDocument(marks: marks), app, publication)
    case .jsonFeed: try export(ExportedFeed<JSONFeedDocument>(feedFacts), app, publication)
    case .atom: try export(ExportedFeed<AtomDocument>(feedFacts), app, publication)
    case .activitystreams: try export(OutboxDocument(), app, publication)
    case .opml: try exportFollows(app)
    case .html: try await exportSite(app, publication)
    case .warc: try exportArchive(app, publication)
    case .diary: try exportEntries(app, Publication(includesPrivate: true))
    case .ics: try exportEntries(app, publication)
    case .zip: try exportZip(app, publication)
    }
    publication.report(to: app.console)
    if format != .opml { try sayHidden(try query(app), app) }
  }

  /// Says how many posts were left out because they are hidden.
  func sayHidden(_ query: PostQuery, _ app: App) throws {
    guard query.hidden == .excluded, app.library.exists else { return }
    let list = query.listed(at: app.time.now())
    let hidden = try app.library.withStore(for: .reading) { try $0.hiddenPosts(of: list) }
    if let words = hidden.hiddenWords { app.console.message(words) }
  }

  /// What the chosen posts are called.
  private var name: String {
    title ?? choice ?? "All posts"
  }

  /// What the choice of posts says.
  private var choice: String? {
    FeedFacts.title(
      tags: filters.tags, user: filters.handle, feed: filters.feed, search: filters.publicWords, day: filters.span)
  }

  /// A feed of the same choice is the same feed. Of a choice that tells of the person, only this machine makes the same id.
  private var feedFacts: FeedFacts {
    let choice = self.choice ?? "All posts"
    let secret = filters.filter.joined(separator: " ")
    let mark =
      secret.isEmpty || choice.contains(secret)
      ? "" : "&\(base64URL(Digest.sha256(Array("\(MachineName.current) \(secret)".utf8))).prefix(16))"
    return FeedFacts(id: "tag:media.invalid,2026:export?\(choice.queryEncoded)\(mark)", title: name)
  }

  /// Writes a document of the chosen posts, one by one.
  private func export(_ document: some PostDocument, _ app: App, _ publication: Publication) throws {
    var document = document
    let query = try query(app)
    let output = try ExportOutput(path: out, replaces: force, console: app.console)
    var count = 0
    try output.write(document.head)
    try app.library.withStore(for: .reading) { store in
      try store.eachPost(query) { post in
        guard publication.takes(post) else { return }
        try output.write(try document.text(of: post))
        count += 1
      }
    }
    try output.write(document.tail)
    try output.finish()
    try report(count, "post", output, app.console)
  }

  /// Writes the followed feeds. Addresses of feeds may hold keys, so that their owner alone may read the file.
  private func exportFollows(_ app: App) throws {
    let output = try ExportOutput(path: out, replaces: force, isPrivate: true, console: app.console)
    let (follows, titles) = try app.library.withStore(for: .reading) { (try $0.follows(), try $0.feedTitles()) }
    try output.write(OPMLDocument(follows, titles: titles).text)
    try output.finish()
    try report(follows.count, "feed", output, app.console)
  }

  /// Writes what web archives keep.
  private func exportArchive(_ app: App, _ publication: Publication) throws {
    let query = try query(app)
    let output = try ExportOutput(path: out, replaces: force, console: app.console)
    var document = WARCDocument(of: app.library.blobs, software: "media/\(Media.version)", now: app.time.now())
    var count = 0
    try output.write(document.head)
    try app.library.withStore(for: .reading) { store in
      try store.eachPost(query) { post in
        guard publication.takes(post) else { return }
        let raw = publication.answer(try store.post(post.id)?.raw, of: post)
        if try document.add(post, raw: raw, write: { try output.write($0) }) { count += 1 }
      }
    }
    try output.finish()
    try report(count, "post", output, app.console)
  }

  private func exportSite(_ app: App, _ publication: Publication) async throws {
    guard let out else { return }
    let base = try baseURL.map { text in
      guard let base = FeedItem.webAddress(text) else {
        throw UsageError("--base-url \(text) is not an address", cure: "give one such as https://example.org/cats/")
      }
      return base
    }
    let site = SiteExport(
      path: out, title: name, base: base, force: force, library: app.library, derivatives: try app.derivatives(),
      stripper: stripLocation ? app.stripper() : nil)
    let query = try query(app)
    let done = try await Interruption.guarding { try await site.write(query) { publication.takes($0) } }
    if global.json { return try app.console.result(try JSONText.line(done)) }
    app.console.message(done.text)
  }

  /// Whether the lines and the pictures go into one archive.
  var isArchive: Bool { format == .ndjson && out?.hasSuffix(".tar") == true }

  /// Whether posts were chosen.
  var areChosen: Bool { filters.areGiven || limit != nil || before != nil }

  /// The chosen posts. What is planned heads no list that is newest first.
  func query(_ app: App) throws -> PostQuery {
    let now = app.time.now()
    try filters.expectUser(in: app.library)
    var query = PostQuery(
      tags: filters.tags, user: filters.handle, feed: try filters.storedFeed(app.library), search: filters.search,
      day: try filters.interval(now: now, mayBeToCome: [.diary, .ics].contains(format)), before: before, limit: limit)
    query.visibility = filters.seenBy
    query.filter = try filters.posts(at: now)
    try query.filter?.filter.expectNames(in: app.library)
    switch format {
    case .ndjson, .diary, .opml, .warc: break
    case .ics: query.hidden = .excluded
    case .csv, .jsonFeed, .atom, .activitystreams, .html, .zip: query = query.exported(at: now)
    }
    return query
  }

  /// Says what a file holds now. Standard output has only the document.
  func report(_ count: Int, _ noun: String, _ output: ExportOutput, _ console: Console) throws {
    guard let path = output.path else { return }
    if global.json {
      return try console.result(
        try JSONText.object(["format": format.rawValue, "items": count, "bytes": output.byteCount, "path": path]))
    }
    console.message("Wrote \(count) \(noun)\(count == 1 ? "" : "s") to \(path), \(NumberText.bytes(output.byteCount)).")
  }
}

extension TransferFormat: ExpressibleByArgument {}
