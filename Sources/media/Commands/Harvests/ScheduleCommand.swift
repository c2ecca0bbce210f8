import ArgumentParser

/// `media schedule show`, `install`, `remove`
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule", _superCommandName: Media.name,
    abstract: "Schedule harvests: show, install or remove the line in your crontab.",
    discussion: """
      Each library has its own line; all other lines stay unchanged. Errors go to harvest.log in the library. With \
      --systemd, a timer of your own systemd runs the harvest, and its journal keeps the errors.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable { case show, install, remove }

  @Argument(help: "What to do: show, install or remove.")
  var action = Action.show

  @Option(help: "The interval between harvests, which pull feeds that are due.")
  var every = "15m"

  @Flag(help: "Use a systemd timer instead of the crontab.")
  var systemd = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    guard app.library.address == nil else {
      throw UsageError(
        "a schedule is for a library in a folder",
        cure: "\"media harvest --workers 4\", started by a service manager, pulls a shared one")
    }
    let schedule = app.schedule(json: global.json)
    switch action {
    case .show: try schedule.show()
    case .install: try schedule.install(every: try interval(), systemd: systemd)
    case .remove: try schedule.remove()
    }
  }

  private func interval() throws -> Duration {
    guard let interval = Measures.duration(every), interval >= .seconds(60) else {
      throw UsageError(
        "--every \(every) is not a time of a minute or more", cure: "write one such as 15m or 2h")
    }
    return interval
  }
}
