import ArgumentParser
import FoundationEssentials
import Posts
import Storage
import Terminal
import Transfer

/// `media import PATH`
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", _superCommandName: Media.name,
    abstract: "Import posts and pictures from a folder, an archive or a file.",
    discussion: """
      The form is recognized: \(Self.formNames.joined(separator: ", ")). Importing the same again changes \
      nothing, and does what an interrupted import left. A later pull knows the imported posts. \
      "media delete --feed import:NAME" undoes it.
      """)

  @Argument(help: "The folder, archive or file.", completion: .file())
  var path: String

  @Option(
    help: ArgumentHelp("The form, if it is not recognized.", valueName: "form"),
    completion: .list(Self.formNames))
  var format: String?

  @Flag(name: .customLong("dry-run"), help: "Only say what would come.")
  var isPlan = false

  @Flag(
    name: .customLong("check"),
    help: "Only compare the archive with what it says to hold: its posts, the files they name, and files of no post.")
  var isCheck = false

  @Flag(name: .customLong("private"), help: "Also import posts that only some people were meant to see.")
  var includesPrivate = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  /// Whether nothing is changed.
  var dryRun: Bool { isPlan || isCheck }

  /// The names of all forms.
  private static var formNames: [String] {
    ownForms.map(\.rawValue) + ImportFormat.all.map(\.name) + [FollowsFile.formatName]
  }

  func run() throws {
    let app = try App(global)
    if try importOwn(app) { return }
    let tree = try importTree(path)
    if format == nil || format == FollowsFile.formatName {
      if let follows = try FollowsFile(tree) { return try follow(follows, app) }
      if let format { throw ImportError.unfit(path: path, format: format, reason: "it is not one list of feeds") }
    }
    let form = try format.map { try ImportFormat.named($0, among: Self.formNames) } ?? ImportFormat.recognized(tree)
    let reader = try form.makeReader(tree)
    let feed = Feed.importing(importName(path))
    let (now, line) = (app.time.now, LiveLine(app.console))
    let onStep: (Importer.Progress) -> Void = { step in
      line.show(
        ProgressBar(title: "\(feed.name)", done: step.posts, total: reader.total, unit: "posts", bytes: step.bytes))
    }
    let report = try app.library.withStore(for: dryRun ? .reading : .command) { store in
      defer { line.clear() }
      let importer = Importer(
        store: store, blobs: app.library.blobs, feed: feed, includesPrivate: includesPrivate, now: now)
      if dryRun { return try importer.plan(reader, onStep: onStep) }
      let lock = try app.library.pictureLock.acquireSharedBlocking()
      defer { withExtendedLifetime(lock) {} }
      return try importer.run(reader, of: tree, onStep: onStep)
    }
    try say(ImportText(report, of: feed, as: form.name, from: reader, isPlan: dryRun, isCheck: isCheck), app.console)
  }

  private func say(_ text: ImportText, _ console: Console) throws {
    if global.json {
      try console.result(try JSONText.line(text.json))
    } else if !global.quiet {
      for line in text.lines { try console.result(line) }
    }
    for line in text.messages { console.message(line) }
    if let fault = text.fault { console.error(fault) }
    if text.isIncomplete { throw ExitHandling.Quiet(code: .partial) }
  }

  private func follow(_ file: FollowsFile, _ app: App) throws {
    let follows = FollowsImport(file: file, parser: app.parser, now: app.time.now())
    let report = try app.library.withStore(for: dryRun ? .reading : .command) {
      try follows.run(in: $0, isPlan: dryRun)
    }
    for name in report.unusable.prefix(20) { app.console.message("media: \"\(name)\" is no feed that can be followed") }
    if global.json {
      try app.console.result(try JSONText.line(report))
    } else if !global.quiet {
      try app.console.result(report.text)
    }
    if file.isCut { app.console.error("media: \(path) has no end: it was cut off, and feeds may be missing") }
    if file.isCut || !report.unusable.isEmpty { throw ExitHandling.Quiet(code: .partial) }
  }
}
