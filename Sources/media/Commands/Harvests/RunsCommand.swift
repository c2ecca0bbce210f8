import ArgumentParser
import FoundationEssentials
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
      is "cut off"; its results until then are shown.
      """)

  @Flag(help: "Show the last harvest, feed by feed.")
  var last = false

  @Option(help: "The maximum number of harvests, newest first.")
  var limit = 50

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit \(limit) shows nothing, it must be 1 or more") }
  }

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let runs = try app.library.withStore(for: .reading) { try $0.runs(limit: last ? 1 : limit) }
    let isRunning = app.library.harvestLock.isHeld
    if global.json {
      for (index, run) in runs.enumerated() {
        try app.console.result(try JSONText.line(RunLine(run, isRunning: isRunning && index == 0)))
      }
      return
    }
    guard let newest = runs.first else { return app.console.message("Nothing was harvested yet.") }
    let table = RunTable()
    if last { return try showWhole(newest, table, isRunning: isRunning, app.library, app.output) }
    // The state matters more than the columns after it, which are dropped if there is no room.
    let isNarrow = app.output.reportWidth.map { $0 < 100 } ?? false
    let columns: [Table.Column] = [
      .init("WHEN", minimum: isNarrow ? 11 : 16), .init("TOOK", minimum: 4), .init("FEEDS", trailing: true),
      .init("NEW", trailing: true), .init("UPDATED", trailing: true), .init("PICS", trailing: true),
      .init("REQUESTS", trailing: true), .init("STATE", minimum: 15), .init("BYTES", minimum: 7),
      .init("WAITED", minimum: 4),
    ]
    let rows = runs.enumerated().map { table.cells(of: $1, isRunning: isRunning && $0 == 0, isNarrow: isNarrow) }
    try app.output.print(Table(columns, rows: rows))
  }

  private func showWhole(
    _ run: HarvestRun, _ table: RunTable, isRunning: Bool, _ library: LibraryOpener, _ output: StyledConsole
  ) throws {
    for line in table.lines(of: run, isRunning: isRunning) { try output.console.result(line) }
    guard !run.parts.isEmpty else { return }
    let titles = try library.withStore(for: .reading) { try $0.feedTitles() }
    let columns: [Table.Column] = [
      .init("FEED", minimum: 12), .init("NEW", trailing: true), .init("UPDATED", trailing: true),
      .init("PICTURES", trailing: true), .init("REQUESTS", trailing: true), .init("STATE", minimum: 8),
    ]
    try output.print(Table(columns, rows: run.parts.map { [$0.feed.label(titles)] + table.cells(of: $0) }))
  }
}
