import ArgumentParser
import Filters
import FoundationEssentials
import Pictures
import Posts
import Storage
import Wording

/// `media look [FILTER]`
struct LookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "look", _superCommandName: Media.name,
    abstract: """
      Look at stored files: what pictures look like, what files say of themselves, text in pictures, and what a model of yours \
      finds.
      """,
    discussion: """
      "media same" and filters such as like:12, camera:nikon, taken:2026-05, has:gps and duration:>30s use what is found. \
      Searches find the text, in the languages of the setting text-languages. machine:cat and "media list --meaning" use what \
      the program of the setting look finds. Harvests look at new files, the last ones first. No file is changed, and nothing \
      leaves this machine unless that program sends it.
      """)

  @Argument(
    help: ArgumentHelp("Only files of posts that this filter finds; all by default.", valueName: "filter"),
    completion: Completing.filters)
  var filter: [String] = []

  @Flag(help: "Look again at files that were looked at before.")
  var again = false

  @Option(help: ArgumentHelp("Only this: hash, facts, text, model. All by default.", valueName: "what"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Say that this tag of a model is wrong for some posts, ID.2 meaning the second file.", valueName: "tag"))
  var wrong: String?

  @Option(help: ArgumentHelp("Take back that this tag is wrong for them.", valueName: "tag"))
  var right: String?

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

  private var verdict: (verdict: MachineTagVerdict, tag: String)? {
    let said = (wrong.map { (MachineTagVerdict.wrong, $0) } ?? right.map { (.none, $0) })
    // As it is shown.
    return said.map { ($0, String($1.trimmingWhiteSpace.drop { $0 == "~" })) }
  }

  func validate() throws {
    _ = try kinds
    guard let verdict else { return }
    guard wrong == nil || right == nil else { throw ValidationError("--wrong and --right exclude each other") }
    guard !again, only.isEmpty else { throw ValidationError("--wrong and --right go with posts alone") }
    guard !verdict.tag.isEmpty else { throw ValidationError("the tag is empty") }
    guard !filter.isEmpty else {
      throw ValidationError("a verdict is about posts: give their numbers, such as 12 40.2")
    }
    for text in filter where PictureReference(text) == nil {
      throw ValidationError("\"\(Spelling.printable(text))\" is no number of a post, and no ID.N")
    }
  }

  func run() async throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    if let verdict { return try decide(verdict.verdict, verdict.tag, app) }
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
    let (kinds, model) = (try kinds, app.model(try app.settings.read(in: store)))
    if model == nil, kinds == [.model] {
      throw UsageError("no model is chosen", cure: "\"media settings look COMMAND\" names the program of one")
    }
    let languages = try languages(app, store)
    let run = InspectionRun(store, app.inspector(), model: model, time: app.time, languages: languages)
    let progress = posts == nil ? try store.inspectionProgress(in: languages?.text) : nil
    let (isAgain, mayReplace) = (again, posts == nil && (again || kinds == [.model]))
    @Sendable func inspect(
      _ kinds: Set<InspectionKind>, _ unit: String, _ all: Int?
    ) async throws -> InspectionRun.Report {
      guard !kinds.isEmpty else { return InspectionRun.Report() }
      return try await run.run(for: kinds, of: posts, again: isAgain, replacingModel: mayReplace, within: .init()) {
        [console = app.console] report in
        console.progress(
          "\(unit): \(report.files)\(all.map { " of \($0)" } ?? "")",
          LogLine.Progress(done: report.files, total: all ?? report.files, unit: unit))
      }
    }
    let (report, text) = try await Interruption.guarding {
      var report = try await inspect(kinds.intersection(InspectionKind.ofFiles), "files", progress?.files)
      let byModel = try await inspect(kinds.intersection([.model]), "files", progress?.files)
      (report.modelUnavailable, report.failed) = (byModel.modelUnavailable, report.failed + byModel.failed)
      report.hasOtherModel = byModel.hasOtherModel
      (report.files, report.texts) = (max(report.files, byModel.files), byModel.texts)
      let readsText = languages != nil && report.unavailable == nil
      return (report, try await inspect(readsText ? [.text] : [], "pictures", progress?.pictures))
    }
    try self.report(report, text, isOnlyText: kinds == [.text], app)
  }

  /// The languages in which text is read; nil if it is not.
  private func languages(_ app: App, _ store: Store) throws -> TextLanguages? {
    guard try kinds.contains(.text) else { return nil }
    let languages = try app.settings.read(in: store).textLanguages
    let obstacle =
      languages == nil ? "the setting text-languages is off" : languages?.obstacle(app.environment)
    guard let obstacle else { return languages }
    if !only.isEmpty {
      throw UsageError(
        "text in pictures cannot be read: \(obstacle)",
        cure: languages == nil ? "\"media settings text-languages eng\" turns it on" : nil)
    }
    // Who named no language may do without.
    if let languages, languages.text != SettingKey.textLanguages.standard {
      app.console.warning("media: text in pictures is not read: \(obstacle)")
    }
    return nil
  }

  private func report(
    _ report: InspectionRun.Report, _ text: InspectionRun.Report, isOnlyText: Bool, _ app: App
  ) throws {
    let unavailable = report.unavailable ?? text.unavailable
    if let reason = unavailable, report.files + text.files == 0 {
      throw UsageError("files cannot be looked at: \(reason)", cure: "\"media doctor\" says what is missing")
    }
    if global.json {
      try app.console.result(
        try JSONText.line(
          ["files": report.files, "failed": report.failed + text.failed, "read": text.files]))
    } else {
      func failed(_ report: InspectionRun.Report) -> String {
        report.failed > 0 ? ", \(report.failed) cannot be read" : ""
      }
      if !isOnlyText {
        app.console.message("\(NumberText.count(report.files, "file")) looked at\(failed(report)).")
      }
      if isOnlyText || text.files > 0 {
        app.console.message("\(NumberText.count(text.files, "picture")) searched for text\(failed(text)).")
      }
    }
    if Interruption.happened {
      app.console.error("media: interrupted: what was found is stored, \"media look\" goes on from there")
      throw ExitHandling.Quiet(code: Interruption.code)
    }
    if let reason = report.missing ?? text.missing {
      app.console.warning("media: some files are passed over: \(reason)")
    }
    if report.hasOtherModel { app.console.warning("media: the model does not look: \(InspectionRun.otherModel)") }
    if let reason = report.modelUnavailable {
      throw UsageError("the model cannot look: \(reason)", cure: "\"media settings look\" shows its command")
    }
    if let reason = unavailable {
      throw UsageError("the others cannot be looked at: \(reason)", cure: "\"media doctor\" says what is missing")
    }
  }

  private func decide(_ verdict: MachineTagVerdict, _ tag: String, _ app: App) throws {
    let references = filter.compactMap(PictureReference.init)
    let (changed, isGiven) = try app.library.withStore { store in
      let files = try references.flatMap { try $0.blobs(in: store) }
      let changed = try store.set(verdict, ofTag: tag, at: files, by: app.marker, now: app.time.now())
      return (changed, try store.isGiven(tag, to: files))
    }
    if global.json { return try app.console.result(try JSONText.line(["changed": changed])) }
    guard changed > 0 else { return app.console.message(ChangedPosts.unchanged) }
    app.console.message(isGiven || verdict == .none ? "Noted." : "Noted, though no model gave these files this tag.")
  }
}
