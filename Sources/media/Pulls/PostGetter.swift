import FoundationEssentials
import HTTP
import Harvest
import Posts
import Services
import Storage
import Transfer

/// Gets what web addresses show, each in the way that knows most of it.
struct PostGetter: Sendable {
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
  let bounds: PageReading.Bounds
  let isJSON: Bool

  /// Says how each address would be read.
  func explain(_ addresses: [String]) async throws {
    let isAllowed = try settings().extractors
    for address in addresses {
      let address = try Feed.typedAddress(address)
      let line = GetLine(address, try await way(of: address), isAllowed: isAllowed)
      try app.console.result(isJSON ? JSONText.line(line.json) : line.text)
    }
  }

  /// Gets all of them, even after failures.
  func run(_ addresses: [String]) async throws {
    try await each(addresses) { address in
      let address = try Feed.typedAddress(address)
      switch try await way(of: address) {
      case .feed(let feed): try await pull(feed)
      case .post(let id, let feed): try await lookUp(id, feed, address)
      case .program(let extractors): try await extract(address, extractors)
      }
    }
  }

  /// Reads pages on which programs of others were reading before, even after failures.
  func read(_ pages: [Feed]) async throws {
    try await each(pages.map(\.value)) { try await extract($0, Extractor.all) }
  }

  private func each(_ addresses: [String], _ get: (String) async throws -> Void) async throws {
    var failures: [any Error] = []
    for address in addresses where !Interruption.happened {
      do { try await get(address) } catch { failures.append(error) }
    }
    if Interruption.happened { throw ExitHandling.Quiet(code: Interruption.code) }
    try ExitHandling.end(failures, of: addresses.count)
  }

  private func settings() throws -> Settings {
    try app.library.withStore(for: .reading) { try app.settings.read(in: $0) }
  }

  // MARK: Ways

  private func way(of address: String) async throws -> Way {
    if let program { return .program(Extractor.all.filter { $0.name == program }) }
    if let own = try await ownWay(of: address) { return own }
    do { return .feed(try await app.feeds.feed(at: address)) } catch let error as SourceError {
      guard error.isOfNoFeed else { throw error }
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
    case .tag, .user, .search:
      guard let feed = Catalogue.feed(at: address) else { return nil }
      return try await app.feeds.spoken(feed, among: known).map(Way.feed)
    }
  }

  // MARK: Sources

  private func pull(_ feed: Feed) async throws {
    let size = bounds.newest.map { min($0, 1000) }
    let isWhole = bounds.readsAll && bounds.newest == nil
    var limits = bounds.ofFiles
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
    let (imported, post, files) = try await Interruption.guarding { [app] in
      let account = try await app.logins.login(for: asked)
      let (source, rates) = try app.pulls.preview(of: asked, as: account, in: store)
      let answer: Result<LookupResult, SourceError>
      do throws(SourceError) { answer = .success(try await source.lookUp([id])) } catch { answer = .failure(error) }
      await rates.giveBack()
      let found = try answer.get()
      guard let item = found.shown.first else { throw SourceError.notFound(asked.server, what: "such post") }
      // What its server says now is newest.
      let imported = try store.save([ImportItem(item, replaces: true)], of: feed, now: app.time.now())
      let name = item.post.flatMap { $0.url ?? $0.uri } ?? address
      let id = try store.post(at: name, of: Catalogue.entries.map(\.name))
      guard let id else { return (imported, id, [] as [StoredAttachment]) }
      let pictures = app.pictures.pull(into: store) { [console = app.console] in console.message($0) }
      try await pictures.run(asked: [id], within: bounds.ofFiles) { _ in }
      return (imported, id, try store.post(id)?.post.attachments ?? [])
    }
    try say(GetLine(address, imported, post: post, files))
    for file in files where file.state == .failed {
      let (name, reason) = (file.url.map(Feed.spoken) ?? "a file", file.failure ?? "it was not tried yet")
      app.console.error("media: could not download picture: \(name): \(reason)")
    }
    if files.contains(where: { $0.state == .failed }) { throw ExitHandling.Quiet(code: .partial) }
  }

  // MARK: Programs

  private func extract(_ address: String, _ extractors: [Extractor]) async throws {
    let store = try app.library.openStore()
    defer { store.close() }
    var reading = try app.pageReading(in: store)
    reading.bounds = bounds
    let line = LiveLine(app.console)
    let page = Feed.importing(address)
    let read = try await Interruption.guarding { [reading] in
      try await reading.read(page, by: extractors) { step in
        line.show(ProgressBar(title: "\(page.spoken)", done: step.posts, total: nil, unit: "posts", bytes: step.bytes))
      }
    }
    line.clear()
    // A mistyped address leaves nothing.
    if read.failure != nil, read.report.found == 0 { _ = try store.forgetEmpty(page) }
    if read.failure == nil || read.report.found > 0 {
      try say(GetLine(address, read.report, by: read.program, known: read.known, isBounded: bounds.mostBytes != nil))
    }
    if read.endedEarly == .total { app.console.message("media: --max-total is reached: the same command goes on") }
    if let failure = read.failure { throw failure }
    // A program does not say which files it left out because they are large.
    if read.report.imported.unreadable > 0 || bounds.mostBytes == nil && read.report.absent > 0 {
      throw ExitHandling.Quiet(code: .partial)
    }
  }

  private func say(_ line: GetLine) throws {
    if isJSON {
      try app.console.result(try JSONText.line(line.json))
    } else if !app.console.isQuiet {
      try app.console.result(line.text)
    }
    for message in line.messages { app.console.message(message) }
  }
}

extension SourceError {
  /// Whether an address is that of no feed that can be read, so that a program of others may know it.
  var isOfNoFeed: Bool {
    switch self {
    case .noFeed, .forbidden, .blocked, .needsLogin, .unreadable, .notFound: true
    default: false
    }
  }
}
