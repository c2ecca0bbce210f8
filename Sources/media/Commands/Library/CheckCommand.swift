import ArgumentParser
import FoundationEssentials
import Harvest
import Storage

/// `media check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: Media.name,
    abstract: "Check every row and every byte of the library.",
    discussion: """
      Changes nothing, and pulls may run meanwhile. With --repair, files with wrong content are moved to the library's \
      quarantine folder and downloaded again, and counts and indexes are rebuilt; nothing is deleted. If the blobs \
      folder or many pictures are missing, they are not repaired: put the folder back. Exits with 0 if all is in order, \
      with 1 if something is not, and with 74 if the store itself is damaged.
      """)

  @Flag(help: "Repair what can be repaired without losing anything.")
  var repair = false

  @Flag(help: "Also verify every stored answer of a server, and that no picture is cut short.")
  var deep = false

  @Flag(help: "With --repair: download all pictures without a file, even if that is every picture.")
  var lost = false

  @Option(
    help: ArgumentHelp(
      "Compare with another library instead: list what differs, whatever the numbers of posts.", valueName: "library"),
    completion: Completing.libraries)
  var against: String?

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard against == nil || !(repair || deep || lost) else {
      throw ValidationError("--against only compares, leave --repair, --deep and --lost out")
    }
    guard repair || !lost else { throw ValidationError("--lost goes with --repair") }
    if against?.isEmpty == true { throw ValidationError("--against is empty") }
  }

  func run() async throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    if let against { return try compare(app, with: try app.otherLibrary(at: against)) }
    let report = CheckReport(app.console, json: global.json, repair: repair)
    let repairs = repair && app.library.exists
    let lock = repairs ? try app.library.pictureLock.acquireExclusive() : nil
    defer { withExtendedLifetime(lock) {} }
    let store = try app.library.openStore(for: repairs ? .mending : .reading)
    defer { store.close() }
    var result = try check(app.library, store, repairs, report, now: app.time.now())
    if !result.postsToFetch.isEmpty { try await fetch(app.transports, app.pictures, store, &result, report) }
    try report.end(result)
  }

  private func check(
    _ library: LibraryOpener, _ store: Store, _ repairs: Bool, _ report: CheckReport, now: Date
  ) throws -> CheckResult {
    let pictures = library.pictureLock
    return try store.check(
      library.blobs, CheckPlan(repair: repairs, deep: deep, lost: lost), now: now,
      isPulling: { !repairs && pictures.isHeld }, onStep: report.note, found: report.say)
  }

  /// Retries pictures that were given up, and reports those that still fail.
  private func fetch(
    _ transports: TransportFactory, _ factory: PictureFactory, _ store: Store,
    _ result: inout CheckResult,
    _ report: CheckReport
  ) async throws {
    let posts = Array(Set(result.postsToFetch)).sorted()
    let rates = RateGate(store: store, rank: .interactive, time: factory.time)
    let (transport, _) = transports.pullTransport(rates: rates) { report.message($0) }
    let pictures = factory.fetcher(transport, into: store)
    let failure = try await Interruption.guarding {
      let failure = await pictures.fetch(ofPosts: posts, from: store, time: factory.time) { report.note($0) }
      await rates.giveBack()
      return failure
    }
    for finding in try store.missingPictures(ofPosts: posts) {
      try report.say(finding, isMended: false)
      result.remaining += 1
    }
    if Interruption.happened { throw CancellationError() }
    if let failure { throw failure }
  }
}
