import ArgumentParser
import Harvest
import Posts
import Storage
import Wording

/// `media pictures ID... / --filter F`
struct PicturesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pictures", _superCommandName: Media.name,
    abstract: "Download missing pictures of posts now, also those that failed before.",
    discussion: """
      Pictures that are gone from their server are requested again, too, and so are files that the limits of a pull left \
      out: only the limits given here count.
      """)

  @Argument(help: ArgumentHelp("The ids of posts, as \"media list\" shows them.", valueName: "id"))
  var posts: [PostIDs] = []

  @OptionGroup var chosen: ChosenPosts

  @OptionGroup var files: FileOptions

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard posts.isEmpty != (chosen.filter == nil) else { throw ValidationError("give numbers of posts, or --filter") }
  }

  func run() async throws {
    let limits = try files.limits()
    let app = try App(global)
    try app.library.expectIfNamed()
    let ids = try posts.flatMap(\.ids) + chosen.confirmed("download", .excluded, app)
    if chosen.filter != nil, ids.isEmpty { return try end(Outcome([], []), app.console) }
    guard app.library.exists else { throw StorageError.unknownPosts(ids) }
    app.transports.prepare()
    let store = try app.library.openStore()
    defer { store.close() }
    let before = try store.posts(numbered: ids)
    let unknown = Set(ids).subtracting(before.map(\.id)).sorted()
    guard !before.isEmpty else { throw StorageError.unknownPosts(unknown) }
    let pull = app.pictures.pull(into: store) { [console = app.console] in console.message($0) }
    try await Interruption.guarding {
      try await pull.run(asked: ids, within: limits) { [console = app.console] event in
        guard case .picture(let done, let known, _) = event else { return }
        console.progress(
          "pictures: \(done) of \(known)", LogLine.Progress(done: done, total: known, unit: "pictures"))
      }
    }
    try end(Outcome(before, try store.posts(numbered: ids)), app.console)
    if !unknown.isEmpty { throw StorageError.unknownPosts(unknown) }
  }

  private func end(_ outcome: Outcome, _ console: Console) throws {
    for reason in outcome.failures { console.error("media: could not download picture: \(reason)") }
    if global.json {
      try console.result(
        try JSONText.line(["media": ["downloaded": outcome.downloaded, "failed": outcome.failed]]))
    } else if !global.quiet {
      let failed = outcome.failed > 0 ? ", \(outcome.failed) failed" : ""
      try console.result("\(NumberText.count(outcome.downloaded, "picture")) downloaded\(failed)")
    }
    if outcome.failed > 0 { throw ExitHandling.Quiet(code: .partial) }
  }
}

/// What came of missing pictures.
private struct Outcome {
  let downloaded: Int
  let failed: Int
  /// The first reasons for failures.
  let failures: [String]

  init(_ before: [StoredPost], _ after: [StoredPost]) {
    func count(_ posts: [StoredPost]) -> Int { posts.flatMap(\.attachments).count { $0.state == .stored } }
    let missing = after.flatMap(\.attachments).filter {
      $0.state == .failed || $0.state == .gone || $0.state == .pending
    }
    downloaded = max(0, count(after) - count(before))
    failed = missing.count
    failures = Array(missing.map { "\($0.url ?? "it"): \($0.failure ?? "it is not there yet")" }.prefix(20))
  }
}
