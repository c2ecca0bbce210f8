import ArgumentParser
import FoundationEssentials
import Posts
import Storage
import Wording

/// `media look [FILTER]`
struct LookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "look", _superCommandName: Media.name,
    abstract: "Look at stored files: what pictures look like, and what files say of themselves.",
    discussion: """
      "media same" and filters such as like:12, camera:nikon, taken:2026-05, has:gps and duration:>30s use what is found. \
      Harvests look at new files, the last ones first. Nothing leaves this machine, and no file is changed.
      """)

  @Argument(
    help: ArgumentHelp("Only files of posts that this filter finds; all by default.", valueName: "filter"),
    completion: Completing.filters)
  var filter: [String] = []

  @Flag(help: "Look again at files that were looked at before.")
  var again = false

  @Option(help: ArgumentHelp("Only this: hash, facts. Both by default.", valueName: "what"))
  var only: [String] = []

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  private var kinds: Set<InspectionKind> {
    get throws {
      let names = only.flatMap { $0.split(separator: ",").map(String.init) }
      let kinds = try names.map { name in
        guard let kind = InspectionKind(rawValue: name) else {
          let known = InspectionKind.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("--only knows no \"\(name)\", it knows \(known)")
        }
        return kind
      }
      return kinds.isEmpty ? Set(InspectionKind.allCases) : Set(kinds)
    }
  }

  func validate() throws { _ = try kinds }

  func run() async throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    let now = app.time.now()
    let typed = try filter.isEmpty ? nil : PostFilters.filter(filter.joined(separator: " "), at: now)
    try typed?.filter.expectNames(in: app.library)
    let store = try app.library.openStore()
    defer { store.close() }
    let posts = try typed.map { filter in
      var list = PostListQuery()
      list.filter = filter
      return try store.members(of: list.listed(at: now)).ranges.flatMap { $0.map(Int64.init) }
    }
    let run = InspectionRun(store, app.inspector(), time: app.time)
    let all = posts == nil ? try store.inspectionProgress().files : nil
    let kinds = try kinds
    let report = try await Interruption.guarding { [console = app.console] in
      try await run.run(for: kinds, of: posts, again: again, within: .init()) { report in
        console.progress(
          "files: \(report.files)\(all.map { " of \($0)" } ?? "")",
          LogLine.Progress(done: report.files, total: all ?? report.files, unit: "files"))
      }
    }
    if let reason = report.unavailable, report.files == 0 {
      throw UsageError("files cannot be looked at: \(reason)", cure: "\"media doctor\" says what is missing")
    }
    if global.json {
      try app.console.result(try JSONText.line(["files": report.files, "failed": report.failed]))
    } else {
      let failed = report.failed > 0 ? ", \(report.failed) cannot be read" : ""
      app.console.message("\(NumberText.count(report.files, "file")) looked at\(failed).")
    }
    if let reason = report.missing { app.console.warning("media: some files are passed over: \(reason)") }
    if let reason = report.unavailable {
      throw UsageError("the others cannot be looked at: \(reason)", cure: "\"media doctor\" says what is missing")
    }
  }
}
