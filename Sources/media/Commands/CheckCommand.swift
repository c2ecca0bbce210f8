import ArgumentParser
import Foundation
import Harvest
import Storage

/// `media check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: Media.name,
    abstract: "Look the whole library through, every row and every byte.",
    discussion: """
      Changes nothing, and others may pull meanwhile. With --repair, wrong bytes are moved to the library's quarantine \
      folder and fetched anew, and what is kept twice is counted and indexed anew; nothing is ever deleted. Where the \
      blobs folder is not there, or many pictures are not in it, they stay as they are: put the folder back. Ends with 0 \
      where all is in order, with 1 where something is not, and with 74 where the store itself is damaged.
      """)

  @Flag(help: "Mend what can be mended without losing anything.")
  var repair = false

  @Flag(help: "Also unpack and verify every answer that a server gave.")
  var deep = false

  @Flag(help: "With --repair: fetch anew whatever has no file, even if that is every picture.")
  var lost = false

  @OptionGroup(title: HelpPage.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    try app.expectLibrary()
    let report = CheckReport(app.console, json: global.json, repair: repair)
    let repairs = repair && app.hasLibrary
    let lock = repairs ? try app.pictureLock.takeAlone() : nil
    defer { withExtendedLifetime(lock) {} }
    let store = try app.openStore(for: repairs ? .mending : .reading)
    defer { store.close() }
    var result = try check(app, store, repairs, report)
    if !result.postsToFetch.isEmpty { try await fetch(app, store, &result, report) }
    try report.end(result)
  }

  private func check(_ app: App, _ store: Store, _ repairs: Bool, _ report: CheckReport) throws -> CheckResult {
    let pictures = app.pictureLock
    let check = LibraryCheck(store: store, blobs: app.blobs, now: app.time.now()) { !repairs && pictures.isHeld }
    return try check.run(repair: repairs, deep: deep, lost: lost, onStep: report.note, found: report.say)
  }

  /// Retries pictures that were given up, and reports those that still fail.
  private func fetch(_ app: App, _ store: Store, _ result: inout CheckResult, _ report: CheckReport) async throws {
    let posts = Array(Set(result.postsToFetch)).sorted()
    let rates = RateGate(store: store, rank: .interactive, time: app.time)
    defer { rates.giveBack() }
    let (transport, _) = app.pullTransport(rates: rates) { report.message($0) }
    let pictures = app.pictureFetcher(transport, into: store)
    let failure = try await Interruption.guarding {
      await pictures.fetch(ofPosts: posts, from: store, time: app.time) { report.note($0) }
    }
    for finding in try store.missingPictures(ofPosts: posts) {
      try report.say(finding, isMended: false)
      result.remaining += 1
    }
    if Interruption.happened { throw CancellationError() }
    if let failure { throw failure }
  }
}
