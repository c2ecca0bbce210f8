import FoundationEssentials
import HTTP
import Harvest
import Machine
import Posts
import Services
import Storage
import Transfer
import Wording

/// Gets what web addresses show, each in the way that knows most of it.
struct PostGetter: Sendable {
  /// What is taken.
  struct Bounds: Sendable {
    var readsAll = false
    /// The most posts; nil for all.
    var newest: Int?
    /// The most bytes of one file, and of all files together; nil for any number.
    var mostBytes: Int64?, mostInAll: Int64?
  }

  /// How an address is read.
  enum Way: Sendable {
    /// A source pulls its feed.
    case feed(Feed)
    /// A source is asked for one post.
    case post(id: String, Feed)
    /// A program of others reads it.
    case program([Extractor])
  }

  let app: App
  /// The program that is to read it, whatever else could.
  let program: String?
  let bounds: Bounds
  let isJSON: Bool

  /// Says how each address would be read.
  func explain(_ addresses: [String]) async throws {
    let isAllowed = try settings().extractors
    for address in addresses {
      let address = try Self.whole(address)
      let line = GetLine(address, try await way(of: address), isAllowed: isAllowed)
      try app.console.result(isJSON ? JSONText.line(line) : line.text)
    }
  }

  /// Gets all of them, even after failures.
  func run(_ addresses: [String]) async throws {
    var failures: [any Error] = []
    for address in addresses where !Interruption.happened {
      do {
        let address = try Self.whole(address)
        switch try await way(of: address) {
        case .feed(let feed): try await pull(feed)
        case .post(let id, let feed): try await lookUp(id, feed, address)
        case .program(let extractors): try await extract(address, extractors)
        }
      } catch { failures.append(error) }
    }
    if Interruption.happened { throw ExitHandling.Quiet(code: Interruption.code) }
    guard let first = failures.first else { return }
    if addresses.count == 1 { throw first }
    let codes = Set(failures.map { ExitHandling.say($0) })
    throw ExitHandling.Quiet(code: codes.count == 1 && failures.count == addresses.count ? codes.first! : .partial)
  }

  private func settings() throws -> Settings {
    try app.library.withStore(for: .reading) { try app.settings.read(in: $0) }
  }

  // MARK: Ways

  /// A typed address with its scheme. Neither a file nor what a program takes for an order, such as `oauth:`, is one.
  private static func whole(_ text: String) throws -> String {
    let typed = try Feed(addressed: text).value
    // As it was typed, for a program may read what stands behind `#`.
    let isWhole = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
    return isWhole && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : typed
  }

  private func way(of address: String) async throws -> Way {
    if let program { return .program(Extractor.all.filter { $0.name == program }) }
    if let own = try await ownWay(of: address) { return own }
    do { return .feed(try await app.feeds.feed(at: address)) } catch let error as SourceError {
      switch error {
      case .noFeed, .forbidden, .blocked, .needsLogin, .unreadable, .notFound: break
      default: throw error
      }
    }
    return .program(Extractor.all)
  }

  /// The way of a source of ours; nil if none knows the address.
  private func ownWay(of address: String) async throws -> Way? {
    guard let (page, source, server) = Catalogue.page(at: address) else { return nil }
    let known: [Feed] = app.library.exists ? try app.library.withStore(for: .reading) { try $0.feeds() } : []
    switch page {
    case .post(let id?):
      let asked = Feed(source: source, kind: .import, value: address, server: server)
      guard let found = try await app.feeds.spoken(asked, among: known),
        // Nobody is made to pay for what other ways show.
        Catalogue.entry(found.source)?.usual.prices == nil
      else { return nil }
      return .post(id: id, found)
    case .post(nil): return nil
    case .tag, .user:
      guard let feed = Catalogue.feed(at: address) else { return nil }
      return try await app.feeds.spoken(feed, among: known).map(Way.feed)
    }
  }

  // MARK: Sources

  private func pull(_ feed: Feed) async throws {
    let size = bounds.newest.map { min($0, 1000) }
    let isWhole = bounds.readsAll && bounds.newest == nil
    var limits = FileLimits(maxSize: bounds.mostBytes)
    limits.maxTotal = bounds.mostInAll
    let plan = PullPlan(isWhole ? .all : .newest, pages: isWhole ? nil : 1, pageSize: size, limits: limits)
    try await app.pullRunner(account: nil, plan: plan, json: isJSON).run([feed])
  }

  /// Asks a source for one post, and stores it.
  private func lookUp(_ id: String, _ asked: Feed, _ address: String) async throws {
    app.transports.prepare()
    let store = try app.library.openStore()
    defer { store.close() }
    let feed = Feed.importing(address)
    let ids = try await Interruption.guarding { [app] in
      let account = try await app.logins.login(for: asked)
      let (source, rates) = try app.pulls.preview(of: asked, as: account, in: store)
      let answer: Result<LookupResult, SourceError>
      do throws(SourceError) { answer = .success(try await source.lookUp([id])) } catch { answer = .failure(error) }
      await rates.giveBack()
      let found = try answer.get()
      guard let item = found.shown.first else { throw SourceError.notFound(asked.server, what: "this post") }
      // What its server says now is newest.
      let imported = try store.save([ImportItem(item, replaces: true)], of: feed, now: app.time.now())
      let name = item.post.flatMap { $0.url ?? $0.uri } ?? address
      let id = try store.post(at: name, of: Catalogue.entries.map(\.name))
      if let id {
        let pictures = app.pictures.pull(into: store) { [console = app.console] in console.message($0) }
        try await pictures.run(asked: [id], within: FileLimits(maxSize: bounds.mostBytes)) { _ in }
      }
      return (imported, id)
    }
    try say(GetLine(address, ids.0, post: ids.1))
  }

  // MARK: Programs

  private func extract(_ address: String, _ extractors: [Extractor]) async throws {
    let settings = try settings()
    guard settings.extractors else { throw ExtractorError.notAllowed(address: address) }
    let installed = extractors.compactMap { extractor in
      Programs.onPath(extractor.name, app.environment).map { (extractor, $0) }
    }
    guard !installed.isEmpty else { throw ExtractorError.notInstalled(address: address) }
    var failure: (any Error)?
    for (extractor, program) in installed {
      do { return try await extract(address, extractor, program, settings) } catch let error as ExtractorError {
        // The next one may know the site.
        guard case .refused(_, _, .unknownSite, _) = error else { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func extract(
    _ address: String, _ extractor: Extractor, _ program: String, _ settings: Settings
  ) async throws {
    let feed = Feed.importing(address)
    let store = try app.library.openStore()
    defer { store.close() }
    let folder = try ExtractingFolder(in: app.library.path)
    defer { folder.remove() }
    var request = ExtractorReader.Request(address: address, folder: folder.path)
    request.lock = folder.lock.descriptor
    (request.readsAll, request.most) = (bounds.readsAll, bounds.newest)
    (request.mostBytes, request.mostInAll) = (bounds.mostBytes, bounds.mostInAll)
    request.isConfigured = settings.extractorConfig
    request.cookies = try Server(address).flatMap { try app.paths.cookieFile(of: $0.host) }
    try store.eachWholeAnswer(of: feed) { answer in
      if let post = DownloadedFile(answer)?.post { request.known.insert(post) }
    }
    let reader = ExtractorReader(
      extractor, at: program, request, environment: app.environment, now: app.time.now,
      mustEnd: { Interruption.happened })
    let line = LiveLine(app.console)
    let importer = Importer(
      store: store, blobs: app.library.blobs, feed: feed, includesPrivate: true, now: app.time.now)
    let work = BlockingExecutor("extractor")
    let run = Extraction(importer: importer, reader: reader, folder: ExtractorReader.folder(of: request))
    let lock = try await app.library.pictureLock.share(time: app.time)
    defer { withExtendedLifetime(lock) {} }
    let report = try await Interruption.guarding {
      try await work.run {
        try run.report { step in
          line.show(
            ProgressBar(
              title: "\(Feed.spoken(address))", done: step.posts, total: nil, unit: "posts", bytes: step.bytes))
        }
      }
    }
    line.clear()
    let failure = run.reader.failure
    if failure == nil || report.found > 0 {
      try say(GetLine(address, report, by: extractor.name, known: run.reader.known))
    }
    if run.reader.isCut { app.console.message("media: --max-total is reached: the same command goes on") }
    if let failure { throw failure }
    if report.imported.unreadable > 0 || report.absent > 0 { throw ExitHandling.Quiet(code: .partial) }
  }

  private func say(_ line: GetLine) throws {
    if isJSON {
      try app.console.result(try JSONText.line(line))
    } else if !app.console.isQuiet {
      try app.console.result(line.text)
    }
    for message in line.messages { app.console.message(message) }
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
