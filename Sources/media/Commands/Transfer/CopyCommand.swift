import ArgumentParser
import Blobs
import Copies
import FoundationEssentials
import Storage
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
    try source.expectIfNamed(asOther: true)
    guard !source.isSame(as: target) else {
      throw UsageError("\(source.shownPath) and \(target.shownPath) are one library", cure: "name two")
    }
    // Nobody removes pictures of a library on a disk that may not be written.
    let lock = try? await source.pictureLock.share(time: app.time)
    defer { withExtendedLifetime(lock) {} }
    try source.withStore(for: .reading) { here in
      let mark = try CopyMarks.Mark(here, now: source.time.now())
      let stats = try here.stats()
      if stats.blobs > 0, let blobs = source.blobs as? DiskBlobs, !blobs.isThere {
        throw BackupError.noPictures(blobs.folder)
      }
      let report = CopyReport(app.console, json: global.json, total: stats.posts)
      do {
        try copy(from: here, source, to: target, app, report)
      } catch  where error is ExitHandling.Quiet || error is Console.ClosedPipe {
        throw error
      } catch {
        report.line.clear()
        if !dryRun { try report.waits(try source.copyMarks.waiting(for: target.shownPath, in: here)) }
        throw error
      }
      if !dryRun { source.copyMarks.note(mark, of: target.shownPath) }
    }
  }

  private func copy(
    from here: Store, _ source: LibraryOpener, to target: LibraryOpener, _ app: App, _ report: CopyReport
  ) throws {
    let isNew = target.address == nil && !target.exists
    try target.withStore(for: dryRun ? .reading : .command) { there in
      let lock = dryRun ? nil : try target.pictureLock.acquireSharedBlocking()
      defer { withExtendedLifetime(lock) {} }
      let copy = LibraryCopy(
        from: LibraryCopy.Side(here, source.blobs), to: LibraryCopy.Side(there, target.blobs), dryRun: dryRun,
        now: target.time.now())
      defer { report.line.clear() }
      let back = dryRun ? nil : try BackMark(of: target, for: source, in: there)
      let result = try copy.run(report.note)
      report.line.clear()
      let checked = dryRun ? ([], 0) : try report.compare { try copy.verify(isNew: isNew) }
      try back?.advance(over: result.posts, in: there, now: target.time.now())
      try report.end(result, missing: checked, to: target.shownPath, isPlan: dryRun)
    }
  }
}

/// The mark of an earlier copy in the other direction. What this copy brings need not be sent back.
private struct BackMark {
  private let marks: CopyMarks
  private let name: String
  private let position: ChangePosition

  /// Nil if there was none, or something waited to be sent: the mark does not tell one post from another.
  init?(of target: LibraryOpener, for source: LibraryOpener, in store: Store) throws {
    (marks, name) = (target.copyMarks, source.shownPath)
    guard let mark = marks.mark(of: name), let position = ChangePosition(mark.position),
      try store.countChanges(after: position) == 0
    else { return nil }
    self.position = position
  }

  /// Moves the mark past what the copy wrote, if nobody else changed a post meanwhile.
  func advance(over result: MergeResult, in store: Store, now: Date) throws {
    let mark = try CopyMarks.Mark(store, now: now)
    guard let changed = try store.countChanges(after: position), changed <= result.new + result.updated else { return }
    marks.note(mark, of: name)
  }
}
