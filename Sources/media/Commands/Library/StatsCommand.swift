import ArgumentParser
import Copies
import FoundationEssentials
import LibraryMetrics
import Machine
import Storage
import Terminal
import Web
import Wording

/// `media stats`
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", _superCommandName: Media.name, abstract: "Show statistics of the library.")

  @Option(
    help: ArgumentHelp(
      "The form of metrics that Prometheus collects: prometheus, as for node_exporter's textfile folder, or openmetrics.",
      valueName: "form"))
  var format: MetricsForm?

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    if let format {
      let metrics = try app.library.withStore(for: .reading) { store in
        try [Metric](
          of: store, folder: app.library.path, version: Media.version,
          waiting: try app.library.copyMarks.waiting(in: store).map(\.count))
      }
      return try app.console.document(Array(format.text(of: metrics).utf8))
    }
    let (stats, waiting, progress, languages) = try app.library.withStore(for: .reading) { store in
      let languages = try app.settings.read(in: store).readableLanguages(app.environment)
      let progress = try store.inspectionProgress(in: languages?.text)
      return (try store.stats(), try app.library.copyMarks.waiting(in: store), progress, languages)
    }
    if global.json {
      return try app.console.result(try JSONText.line(json(stats, waiting, progress, readsText: languages != nil)))
    }
    let times = MomentText()
    let span = [stats.oldest, stats.newest].compactMap(\.self).map(times.minute).joined(separator: " to ")
    let pictures = PictureState.allCases.compactMap { state in
      stats.pictures[state].flatMap { $0 > 0 ? "\($0) \(state.rawValue)" : nil }
    }
    let lines =
      [
        ("posts", "\(stats.posts)\(span.isEmpty ? "" : ", \(span)")"), ("deleted", "\(stats.deleted)"),
        ("authors", "\(stats.authors)"), ("tags", "\(stats.tags)"), ("feeds", "\(stats.feeds)"),
        ("pictures", pictures.isEmpty ? "0" : pictures.joined(separator: ", ")),
        ("blobs", "\(stats.blobs), \(NumberText.bytes(stats.blobBytes))"), ("unreadable", "\(stats.unreadable)"),
        ("looked at", [progress.text, progress.modelText].compactMap(\.self).joined(separator: "; ")),
        ("library", app.library.shownPath),
      ]
      + (languages == nil ? [] : [("text read", progress.textProgress)])
      + waiting.filter { $0.count > 0 }.map {
        ("waiting", "\(NumberText.count($0.count, "change")) to be sent to \($0.target)")
      }
    for (name, value) in lines { try app.console.result("\(name.padded(to: 12))\(value)") }
  }

  /// A library's statistics as JSON.
  private func json(
    _ stats: LibraryStats, _ waiting: [CopyMarks.Waiting], _ progress: InspectionProgress, readsText: Bool
  ) -> JSONMembers {
    let model: JSONMembers? = progress.model.map {
      ["name": $0, "inspected": progress.inspected[.model] ?? 0, "failed": progress.failed[.model] ?? 0]
    }
    let pictures = PictureState.allCases.map { ($0.rawValue, stats.pictures[$0] ?? 0) }
    return JSONMembers(present: [
      "posts": stats.posts, "deleted": stats.deleted, "authors": stats.authors, "tags": stats.tags,
      "feeds": stats.feeds, "unreadable": stats.unreadable, "blobs": stats.blobs, "bytes": stats.blobBytes,
      "inspected": progress.whole, "read": readsText ? progress.inspected[.text] ?? 0 : nil,
      "pictures": Dictionary(uniqueKeysWithValues: pictures), "model": model,
      "oldest": stats.oldest.map(UTC.text), "newest": stats.newest.map(UTC.text),
      "waiting": waiting.isEmpty ? nil : Dictionary(waiting.map { ($0.target, $0.count) }) { $1 },
    ])
  }
}

extension MetricsForm: ExpressibleByArgument {}
