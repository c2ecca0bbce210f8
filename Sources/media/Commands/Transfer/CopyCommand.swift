import ArgumentParser
import FoundationEssentials
import Posts
import Storage
import Terminal
import Transfer

/// `media copy FROM TO`
struct CopyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", _superCommandName: Media.name,
    abstract: "Copy a library into another one, and merge what both have.",
    discussion: """
      TO may be new, or have posts of its own: the later of a delete and a restore wins, and the later of two wordings; \
      the other stays as a revision. FROM is not changed. Pulls into both may run meanwhile. A copy that was cut off is \
      run again, and a repeated copy writes only what changed. At the end both are compared. Exits with 1 if something \
      could not be copied.
      """)

  @Argument(help: "The library that is copied.", completion: Completing.libraries)
  var from: String

  @Argument(help: "The library into which it is copied; it is made if it is absent.", completion: Completing.libraries)
  var to: String

  @Flag(help: "Only say what would change.")
  var dryRun = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard !from.isEmpty, !to.isEmpty else { throw ValidationError("a library has no name") }
  }

  func run() async throws {
    let app = try App(global)
    let (source, target) = (try app.otherLibrary(at: from), try app.otherLibrary(at: to))
    try source.expectIfNamed()
    guard !source.isSame(as: target) else {
      throw UsageError("\(source.shownPath) and \(target.shownPath) are one library", cure: "name two")
    }
    let isNew = target.address == nil && !target.exists
    // Nobody removes pictures of a library on a disk that may not be written.
    let lock = try? await source.pictureLock.share(time: app.time)
    defer { withExtendedLifetime(lock) {} }
    try source.withStore(for: .reading) { here in
      try target.withStore(for: dryRun ? .reading : .command) { there in
        let targetLock = dryRun ? nil : try target.pictureLock.acquireSharedBlocking()
        defer { withExtendedLifetime(targetLock) {} }
        let copy = LibraryCopy(
          from: LibraryCopy.Side(here, source.blobs), to: LibraryCopy.Side(there, target.blobs), dryRun: dryRun,
          now: app.time.now())
        let report = CopyReport(app.console, json: global.json, total: try here.stats().posts)
        defer { report.line.clear() }
        let result = try copy.run(report.note)
        report.line.clear()
        let checked = dryRun ? ([], 0) : try report.compare { try copy.verify(isNew: isNew) }
        try report.end(result, missing: checked, to: target.shownPath, isPlan: dryRun)
      }
    }
  }
}
