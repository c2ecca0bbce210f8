import ArgumentParser
import Harvest
import Posts
import Storage
import Terminal

/// `media runs`
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", _superCommandName: Media.name,
    abstract: "Show the results of harvests: new posts, failures, and requests.",
    discussion: """
      Harvests are recorded for a year: for earlier days only the one with the most new posts. A harvest that was killed \
      is "cut off"; its results until then are shown. Pulls by hand, as by "media tag", say so; --last and --verbose leave \
      them out. With an ID, or with --verbose, the events of a harvest are shown, \
      too: what was read, what failed, and for what it waited. 200 of a harvest are kept, 100 of them of what went well, \
      and 20,000 of all.
      """)

  @Argument(help: ArgumentHelp("Show this harvest, feed by feed, and its events.", valueName: "run"))
  var id: Int64?

  @Flag(help: "Show the last harvest, feed by feed.")
  var last = false

  @Option(help: ArgumentHelp("The maximum number of harvests, newest first. (default: 50)", valueName: "limit"))
  var limit: Int?

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) shows nothing, it must be 1 or more") }
    guard id == nil || !last && limit == nil else { throw ValidationError("an ID goes without --last and --limit") }
  }

  /// Whether events are shown. Without a number of harvests, of the last one.
  private var isVerbose: Bool { id != nil || global.verbose }

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let (runs, events, newest) = try app.library.withStore(for: .reading) { store in
      let runs = try chosen(in: store)
      return (runs, try isVerbose ? runs.map { try store.events(of: $0.id) } : [], try store.runs(limit: 1).first?.id)
    }
    if let id, runs.isEmpty {
      throw UsageError("there is no harvest \(id), or no longer", cure: "\"media runs\" lists them")
    }
    let isHeld = app.library.harvestLock.isHeld
    let isRunning = { (run: HarvestRun) in isHeld && run.id == newest }
    if global.json {
      for (index, run) in runs.enumerated() {
        let line = run.json(isRunning: isRunning(run), events: isVerbose ? events[index] : nil)
        try app.console.result(try JSONText.line(line))
      }
      return
    }
    guard !runs.isEmpty else { return app.console.message("Nothing was harvested yet.") }
    let table = RunTable()
    if last || isVerbose {
      for (index, run) in runs.enumerated() {
        if index > 0 { try app.console.result("") }
        try showWhole(run, table, isRunning: isRunning(run), app.library, app.output)
        if isVerbose { try showEvents(events[index], app.output) }
      }
      return
    }
    // The state matters more than the columns after it, which are dropped if there is no room.
    let width = app.output.reportWidth ?? .max
    let isNarrow = width < 100
    var columns: [Table.Column] = [
      .init("ID", trailing: true), .init("WHEN", minimum: isNarrow ? 11 : 16), .init("TOOK", minimum: 4),
      .init("FEEDS", trailing: true), .init("NEW", trailing: true), .init("UPDATED", trailing: true),
      .init("PICS", trailing: true), .init("REQUESTS", trailing: true), .init("STATE", minimum: 15),
      .init("BYTES", minimum: 7), .init("WAITED", minimum: 4),
    ]
    var rows = runs.map { table.cells(of: $0, isRunning: isRunning($0), isNarrow: isNarrow) }
    if width < Self.roomForState {
      columns.insert(columns.remove(at: 8), at: 2)
      for index in rows.indices { rows[index].insert(rows[index].remove(at: 8), at: 2) }
    }
    try app.output.print(Table(columns, rows: rows))
  }

  /// Below this width the column STATE would be dropped where it stands usually.
  private static let roomForState = 76

  private func chosen(in store: Store) throws -> [HarvestRun] {
    if let id { return try store.run(id).map { [$0] } ?? [] }
    let isOne = last || (isVerbose && limit == nil)
    return try store.runs(limit: isOne ? 1 : limit ?? 50, withPulls: !(last || isVerbose))
  }

  private func showEvents(_ events: [LogLine], _ output: StyledConsole) throws {
    try output.console.result("")
    guard !events.isEmpty else { return try output.console.result("No events.") }
    let columns: [Table.Column] = [
      .init("TIME", minimum: 8), .init("LEVEL", minimum: 6), .init("EVENT", minimum: 16), .init("TOOK", trailing: true),
      .init("COUNT", trailing: true), .init("WHAT", minimum: 12),
    ]
    try output.print(Table(columns, rows: events.map { RunTable().cells(of: $0) }))
  }

  private func showWhole(
    _ run: HarvestRun, _ table: RunTable, isRunning: Bool, _ library: LibraryOpener, _ output: StyledConsole
  ) throws {
    for line in table.lines(of: run, isRunning: isRunning) { try output.console.result(line) }
    guard !run.parts.isEmpty else { return }
    let titles = try library.withStore(for: .reading) { try $0.feedTitles().unambiguous }
    let columns: [Table.Column] = [
      .init("FEED", minimum: 12), .init("NEW", trailing: true), .init("UPDATED", trailing: true),
      .init("PICTURES", trailing: true), .init("REQUESTS", trailing: true), .init("STATE", minimum: 8),
    ]
    try output.print(Table(columns, rows: run.parts.map { [$0.feed.label(titles)] + table.cells(of: $0) }))
  }
}
