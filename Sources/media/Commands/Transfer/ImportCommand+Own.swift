import Blobs
import FoundationEssentials
import Glibc
import Machine
import Posts
import Storage
import Terminal
import Transfer
import Web
import Wording

extension ImportCommand {
  /// Imports a library in lines of JSON, a diary or a calendar.
  ///
  /// - Returns: Whether the file is one.
  func importOwn(_ app: App) throws -> Bool {
    if format == nil || format == TransferFormat.ndjson.rawValue, try LibraryArchive.recognizes(path) {
      try withStore(app) { store in
        try merge(app) {
          try LibraryArchive.read(
            path, into: store, app.library.blobs, dryRun: dryRun, now: app.time.now(), onProgress: $0)
        }
      }
      return true
    }
    guard let form = try ownForm() else { return false }
    guard let file = OpenFile(path, O_RDONLY) else {
      throw errno == ENOENT
        ? ImportError.absent(path: path) : .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    let read = { try file.read(upTo: 1 << 20) }
    try withStore(app) { store in
      switch form {
      case .ndjson: try merge(read, into: store, app)
      case .ics:
        var reader = ICalendarReader(
          now: app.time.now(), known: { try store.startsMadeByHand(ofSeries: $0) }, read: read)
        try add(to: store, app) { try reader.next() }
        say(reader.leftOut, app.console)
      default:
        var reader = DiaryReader(read: read)
        try add(to: store, app) { try reader.next() }
      }
    }
    return true
  }

  /// Opens the library, from which nobody removes pictures meanwhile.
  private func withStore(_ app: App, _ body: (Store) throws -> Void) throws {
    try app.library.withStore(for: dryRun ? .reading : .command) { store in
      let lock = dryRun ? nil : try app.library.pictureLock.acquireSharedBlocking()
      defer { withExtendedLifetime(lock) {} }
      try body(store)
    }
  }

  /// The forms that this program writes itself, and calendars.
  static let ownForms: [TransferFormat] = [.ndjson, .diary, .ics]

  /// The form that was named, or that the file's beginning shows.
  private func ownForm() throws -> TransferFormat? {
    if let format { return Self.ownForms.first { $0.rawValue == format } }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = OpenFile(path, O_RDONLY) else {
      return nil
    }
    return TransferFormat.recognized(try file.read(upTo: 64 << 10))
  }

  private func merge(_ read: @escaping () throws -> [UInt8], into store: Store, _ app: App) throws {
    let folder = PathText.parent(of: path)
    let beside = FileManager.default.fileExists(atPath: "\(folder)/blobs") ? DiskBlobs(library: folder) : nil
    try merge(app) { onProgress in
      try NdjsonImport(
        into: store, blobs: app.library.blobs, pictures: beside, dryRun: dryRun, now: app.time.now()
      ).run(read: read, onProgress: onProgress)
    }
  }

  private func merge(
    _ app: App, _ run: (_ onProgress: (NdjsonImport.Result) throws -> Void) throws -> NdjsonImport.Result
  ) throws {
    let line = LiveLine(app.console)
    defer { line.clear() }
    let result = try run { step in
      line.show(
        ProgressBar(title: "Importing", done: step.posts.new + step.posts.updated + step.posts.unchanged, unit: "posts")
      )
    }
    line.clear()
    let counts = EntryCounts(
      new: result.posts.new, updated: result.posts.updated, unchanged: result.posts.unchanged,
      unreadable: result.unreadable, pictures: result.pictures, missing: result.missing, unclaimed: result.unclaimed,
      marks: result.posts.marks.json)
    try report(counts, app.console)
    if !global.json, !global.quiet, let marks = result.posts.marks.words(isPlan: dryRun) {
      try app.console.result("\(marks)")
    }
    if result.missing > 0 {
      app.console.message(
        "\(NumberText.count(result.missing, "picture")) not taken over: the next pulls fetch those that servers still have, and \"media export --blobs FOLDER\" takes pictures along"
      )
    }
    if result.unclaimed > 0 {
      app.console.message(
        "\(NumberText.count(result.unclaimed, "coverage interval")) not taken over: the next pulls read them again")
    }
    guard result.isComplete else {
      app.console.error("media: \(path) has no end: it was cut off, or lines of it were changed")
      throw ExitHandling.Quiet(code: .partial)
    }
    if result.unreadable > 0 { throw ExitHandling.Quiet(code: .partial) }
  }

  private func add(to store: Store, _ app: App, _ next: () throws -> EntryReading?) throws {
    var entries = EntryImport(into: store, blobs: app.library.blobs, now: app.time.now())
    let result = try entries.run(dryRun: dryRun, next)
    for part in result.unreadable.prefix(20) {
      let start = String(decoding: part.bytes.prefix(80), as: UTF8.self)
      app.console.error("media: an entry cannot be read, \(part.reason): \(start)")
    }
    let unreadable = result.unreadable.count + result.moreUnreadable
    try report(
      EntryCounts(
        new: result.new, updated: result.updated, unchanged: result.unchanged, unreadable: unreadable, pictures: 0,
        missing: 0, unclaimed: 0, marks: nil), app.console)
    if unreadable > 0 { throw ExitHandling.Quiet(code: .partial) }
  }

  private func report(_ counts: EntryCounts, _ console: Console) throws {
    if global.json { return try console.result(try JSONText.line(counts)) }
    let verb = dryRun ? "Would import" : "Imported"
    let pictures = counts.pictures > 0 ? ", \(NumberText.count(counts.pictures, "picture"))" : ""
    let unreadable = counts.unreadable > 0 ? ", \(counts.unreadable) unreadable" : ""
    guard !global.quiet else { return }
    try console.result(
      "\(verb): \(counts.new) new, \(counts.updated) updated, \(counts.unchanged) unchanged\(pictures)\(unreadable)")
  }

  private func say(_ left: ICalendarReader.LeftOut, _ console: Console) {
    let parts = [
      (left.recurrences, "instance of recurring events", "instances of recurring events"),
      (left.endless, "recurring event from two years ahead on", "recurring events from two years ahead on"),
      (left.rules, "recurring event except its first instance", "recurring events except their first instances"),
      (left.tasks, "task", "tasks"), (left.alarms, "reminder", "reminders"),
      (left.cancelled, "cancelled event", "cancelled events"), (left.files, "file", "files"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    if !parts.isEmpty { console.message("Left out: \(parts.joined(separator: ", "))") }
    if left.stale > 0 {
      let entries = left.stale == 1 ? "1 entry is" : "\(left.stale) entries are"
      console.message("\(entries) in the calendar no more, and left as before: \"media delete\" takes entries away")
    }
    for zone in left.zones.sorted().prefix(10) {
      console.message("media: the system knows no zone \"\(zone)\"; its times were taken as local")
    }
  }
}

/// What an import of the program's own forms did, as JSON.
private struct EntryCounts: Encodable {
  let new, updated, unchanged, unreadable, pictures, missing, unclaimed: Int
  let marks: JSONMembers?
}
