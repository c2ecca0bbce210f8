import FoundationEssentials
import HTTP
import Harvest
import Machine
import Posts
import Services
import Storage
import Transfer

/// Reads pages of other sites into an open library, by programs that are installed.
struct PageReading: Sendable {
  /// What is taken.
  struct Bounds: Sendable {
    var readsAll = false
    /// The most posts; nil for all.
    var newest: Int?
    /// The most posts of a page of which none is known down to which all was read; nil for all.
    var first: Int?
    /// The most bytes of one file, and of all files together; nil for any number.
    var mostBytes: Int64?, mostInAll: Int64?
    /// The wanted kinds of files; nil for all.
    var only: Set<FileLimits.Kind>?
    /// When it ends, wherever it is; nil for no such time.
    var endsAt: Date?

    /// What it takes of files, one by one.
    var ofFiles: FileLimits { FileLimits(only: only, maxSize: mostBytes) }
  }

  /// What was read.
  struct Outcome: Sendable {
    let report: Importer.Report
    /// The program that read it.
    let program: String
    /// How many posts were passed over, since they are known.
    let known: Int
    let endedEarly: ExtractorReader.EarlyEnd?
    /// Whether the page has no posts down to which all was read.
    let isFirst: Bool
    /// Why it did not bring all; nil if it did.
    let failure: ExtractorError?
  }

  let library: LibraryOpener
  let store: Store
  let settings: Settings
  let paths: LibraryPaths
  let environment: [String: String]
  let time: TimeSource
  /// Makes other readings of a page wait; nil if the caller holds its lock.
  var locks: FeedLocks?
  var bounds = Bounds()

  private typealias Program = (extractor: Extractor, path: String)

  /// The programs that may read a page, with their paths.
  ///
  /// - Throws: `ExtractorError` if none may, or if none is installed.
  private func programs(
    for page: Feed, among extractors: [Extractor]
  ) throws -> (first: Program, rest: ArraySlice<Program>) {
    guard settings.extractors else { throw ExtractorError.notAllowed(address: page.value) }
    let installed: [Program] = extractors.compactMap { extractor in
      Programs.onPath(extractor.name, environment).map { (extractor, path: $0) }
    }
    guard let first = installed.first else { throw ExtractorError.notInstalled(address: page.value) }
    return (first, installed.dropFirst())
  }

  /// Reads a page by the first program that knows its site.
  ///
  /// - Parameters:
  ///   - page: The feed of the page.
  ///   - extractors: The programs that are asked.
  ///   - patience: How long it waits for another reading of the page; nil waits without limit.
  /// - Throws: `ExtractorError` if nothing could be asked, and what storing throws.
  func read(
    _ page: Feed, by extractors: [Extractor] = Extractor.all, within patience: Duration? = nil,
    onWait: @escaping @Sendable () -> Void = {}, onStep: @escaping @Sendable (Importer.Progress) -> Void
  ) async throws -> Outcome {
    let programs = try programs(for: page, among: extractors)
    let held = try await locks?.hold(page, within: patience, time: time, onWait: onWait)
    let sharing = held == nil ? try await library.pictureLock.share(time: time) : nil
    defer { withExtendedLifetime((held, sharing)) {} }
    let walk = try store.beginWalk(of: page, now: time.now())
    var isFinished = false
    defer { try? store.endWalk(walk, isFinished: isFinished, now: time.now()) }
    var (outcome, reached) = try await read(page, programs.first, walk, onStep)
    for next in programs.rest {
      guard case .refused(_, _, .unknownSite, _)? = outcome.failure else { break }
      let (other, isReached) = try await read(page, next, walk, onStep)
      // Where none knows the site, the first one says so.
      if case .refused(_, _, .unknownSite, _)? = other.failure { continue }
      (outcome, reached) = (other, isReached)
    }
    // Of a page that brought nothing, nothing is missing.
    let broughtNothing = try outcome.failure != nil && outcome.report.found == 0 && !store.hasPosts(of: page)
    isFinished = reached || broughtNothing
    return outcome
  }

  private func read(
    _ page: Feed, _ program: Program, _ walk: PageWalk,
    _ onStep: @escaping @Sendable (Importer.Progress) -> Void
  ) async throws -> (Outcome, isFinished: Bool) {
    let folder = try ExtractingFolder(in: library.path)
    defer { folder.remove() }
    let request = try request(page, folder, walk)
    let reader = ExtractorReader(
      program.extractor, at: program.path, request, environment: environment, now: time.now,
      mustEnd: { [bounds, time] in Interruption.happened || bounds.endsAt.map { $0 <= time.now() } ?? false })
    let importer = Importer(
      store: store, blobs: library.blobs, feed: page, includesPrivate: true, now: time.now)
    let run = Extraction(importer: importer, reader: reader, folder: ExtractorReader.folder(of: request))
    var report = try await BlockingExecutor("extractor").run { try run.report(onStep) }
    report.imported.leftOut += reader.unwanted
    let outcome = Outcome(
      report: report, program: program.extractor.name, known: reader.known, endedEarly: reader.endedEarly,
      isFirst: request.settled.isEmpty, failure: reader.failure)
    return (outcome, isFinished(outcome, reader, request))
  }

  private func request(_ page: Feed, _ folder: ExtractingFolder, _ walk: PageWalk) throws -> ExtractorReader.Request {
    var request = ExtractorReader.Request(address: page.value, folder: folder.path)
    request.lock = folder.lock.descriptor
    var limits = bounds.ofFiles
    limits.maxTotal = bounds.mostInAll
    limits = limits.over(try store.limits(of: page))
    request.readsAll = bounds.readsAll
    (request.mostBytes, request.mostInAll) = (limits.maxSize, limits.maxTotal)
    request.only = limits.only.flatMap { $0.count == FileLimits.Kind.allCases.count ? nil : $0 }
    request.isConfigured = settings.extractorConfig
    request.cookies = try Server(page.value).flatMap { try paths.cookieFile(of: $0.host) }
    try store.eachWholeAnswer(of: page, since: walk.since, within: limits) { answer, isSettled in
      guard let post = DownloadedFile(answer)?.post else { return }
      request.known.insert(post)
      if isSettled { request.settled.insert(post) }
    }
    request.most = bounds.newest ?? (request.settled.isEmpty ? bounds.first : nil)
    return request
  }

  /// Whether nothing is missing above what was known before. Who wants the newest posts alone of a page that is not known yet, or a
  /// harvest that begins with them, wants no others.
  private func isFinished(
    _ outcome: Outcome, _ reader: ExtractorReader, _ request: ExtractorReader.Request
  ) -> Bool {
    if let end = outcome.endedEarly { return end == .settled }
    guard let most = request.most, reader.seen >= most else { return outcome.failure == nil }
    return reader.hasMetSettled || request.known.isEmpty || bounds.first != nil
  }
}

/// An import through an extractor. One call of an executor does it, and whoever waits for the call reads the reader only once it
/// has returned: nothing else has them, so nothing is used by two threads at once.
private struct Extraction: @unchecked Sendable {
  let importer: Importer
  let reader: ExtractorReader
  let folder: String

  func report(_ onStep: @escaping (Importer.Progress) -> Void) throws -> Importer.Report {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try importer.run(reader, of: try FolderTree(folder), onStep: onStep)
  }
}
