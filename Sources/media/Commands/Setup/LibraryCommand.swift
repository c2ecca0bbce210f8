import ArgumentParser
import Posts
import S3Blobs
import Storage
import Terminal
import Wording

/// `media library make`, `grants`, `meaning`, `move-pictures`
struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library", _superCommandName: Media.name,
    abstract: "Make a library on a server, say who may use it, or move its pictures.",
    discussion: """
      For a library in PostgreSQL, by the login that owns the database. "make" makes it and records where its pictures \
      are. "grants" prints what lets one role read and another one write, too; with --run it grants that. \
      "meaning" has a server with pgvector compare embeddings itself when somebody searches by meaning. \
      "move-pictures" copies the pictures to another folder or bucket, compares each with its hash, and records the \
      new place; if it is the place where they are, it verifies them there. Before "meaning" and "move-pictures", end workers, galleries and lists.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case make, grants, meaning
    case movePictures = "move-pictures"
  }

  @Argument(help: "What to do: make, grants, meaning or move-pictures.")
  var action: Action

  @Argument(help: "With move-pictures: the new place, s3://BUCKET/PREFIX or the absolute path of a folder.")
  var destination: String?

  @Option(help: "The role that reads.")
  var reader = LibraryGrants().reader

  @Option(help: "The role that also writes.")
  var writer = LibraryGrants().writer

  @Flag(name: .customLong("run"), help: "With grants: run the statements instead of printing them.")
  var runs = false

  @Flag(help: "With move-pictures: go on although many pictures are missing.")
  var lost = false

  @Flag(help: "With move-pictures: leave the old place to another database, of which this one is a copy.")
  var copy = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard (destination != nil) == (action == .movePictures) else {
      throw ValidationError(destination == nil ? "move-pictures needs a place" : "\(action.rawValue) takes no place")
    }
    if runs, action != .grants { throw ValidationError("--run belongs to grants") }
    if copy, action != .movePictures { throw ValidationError("--copy belongs to move-pictures") }
    if lost, action != .movePictures { throw ValidationError("--lost belongs to move-pictures") }
  }

  func run() throws {
    let app = try App(global)
    switch action {
    case .make: try make(app)
    case .grants: try grant(app)
    case .meaning: try compare(app)
    case .movePictures: try move(app, to: try BlobAddress(destination ?? ""))
    }
  }

  private func make(_ app: App) throws {
    let isNew = try app.library.makeOnServer()
    let recorded = Result { try app.library.recordPlace() }
    let isPlaced = (try? recorded.get()) != nil
    if global.json {
      try app.console.result(try JSONText.line(["made": isNew]))
    } else if !global.quiet {
      try app.console.result(
        isNew ? "Made the library \(app.library.shownPath)." : "\(app.library.shownPath) has a library already.")
      if !isPlaced { try app.console.result("It has no place for its pictures.") }
    }
    if isNew { app.console.message("\"media library grants\" prints what lets others use it.") }
    try recorded.get()
  }

  private func grant(_ app: App) throws {
    let grants = LibraryGrants(reader: reader, writer: writer)
    let store = try app.library.openServer(for: runs ? .command : .reading)
    defer { store.close() }
    guard runs else {
      for statement in try store.statements(of: grants) {
        try app.console.result(global.json ? try JSONText.line(["statement": statement]) : "\(statement);")
      }
      return
    }
    try store.run(grants)
    if global.json { return try app.console.result(try JSONText.line(["reader": reader, "writer": writer])) }
    if !global.quiet {
      try app.console.result("\(reader) may read \(app.library.shownPath), and \(writer) may write it.")
    }
  }

  private func compare(_ app: App) throws {
    let store = try app.library.openServer(for: .command)
    defer { store.close() }
    let isNew = try store.compareOnServer {
      app.console.message("A million embeddings take some minutes, in which nobody else writes or searches by meaning.")
    }
    if global.json { return try app.console.result(try JSONText.line(["made": isNew])) }
    if !global.quiet {
      try app.console.result(
        "The server of \(app.library.shownPath) compares embeddings \(isNew ? "from now on" : "already").")
    }
  }

  private func move(_ app: App, to address: BlobAddress) throws {
    let line = LiveLine(app.console)
    line.begin()
    defer { line.clear() }
    let result = try app.library.movePictures(to: app.place(address), lost: lost, copies: copy) { done, known in
      line.show(ProgressBar(title: "pictures", done: done, total: known, unit: "pictures"))
    }
    line.clear()
    if global.json {
      return try app.console.result(
        try JSONText.object([
          "blobs": address.description, "verified": result.verified, "copied": result.copied, "bytes": result.bytes,
          "missing": result.missing,
        ]))
    }
    if !global.quiet { try app.console.result(text(result, address)) }
    if result.missing > 0 { throw ExitHandling.Quiet(code: .partial) }
  }

  private static func are(_ pictures: Int) -> String {
    "\(NumberText.count(pictures, "picture")) \(pictures == 1 ? "is" : "are")"
  }

  private func text(_ result: PlaceMove.Result, _ address: BlobAddress) -> SafeText {
    let copied: SafeText =
      result.copied > 0 ? ", of which \(result.copied) were copied (\(NumberText.bytes(result.bytes)))" : ""
    let missing: SafeText = result.missing > 0 ? " \(Self.are(result.missing)) missing." : ""
    return
      "\(Self.are(result.verified)) in \(address.description)\(copied). Write \(LibraryAddress.option(blobs: address.description)) in the library's address from now on.\(missing)"
  }
}
