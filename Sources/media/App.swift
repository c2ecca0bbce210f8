import Blobs
import Foundation
import HTTP
import Harvest
import Login
import Posts
import Services
import Storage
import Synchronization
import Terminal

/// The composition root: creates each live part when a command first needs it.
struct App: Sendable {
  let console: Console
  let environment: [String: String]
  /// The same with the certificate authorities of this command.
  let trustingEnvironment: [String: String]
  let places: LibraryPaths
  let time = TimeSource.system
  /// One for the whole process, so that all requests share connections and limits.
  let session: Session
  /// The library's folder, under which its locks are found even after a rename.
  private let libraryFolder: OpenDirectory
  /// The pictures' bytes.
  let blobs: any BlobStoring
  private let isPlain: Bool
  /// Whether the library's folder was named on the command line.
  private let isLibraryNamed: Bool
  private let clockNotice = Once()
  /// Messages already shown about settings without effect.
  let settingsNotice = Once()

  /// The parts for the parsed options.
  init(_ global: GlobalOptions) throws {
    console = global.console
    environment = ProcessInfo.processInfo.environment
    trustingEnvironment = try global.trust(in: environment)
    session = Session(agent: App.agent, environment: trustingEnvironment)
    isPlain = global.noColor
    isLibraryNamed = global.library != nil
    if let library = global.library, library.isEmpty { throw UsageError("--library is empty", cure: "name a folder") }
    let folder = FileManager.default.currentDirectoryPath
    places = try LibraryPaths(environment: environment, library: global.library, currentFolder: folder)
    libraryFolder = OpenDirectory(places.library)
    blobs = DiskBlobs(library: libraryFolder)
  }

  /// The user agent (RFC 9110, 10.1.5).
  private static let agent = "media/\(Media.version)"

  /// The logins.
  var accounts: Accounts { Accounts(folder: places.configuration) }

  /// The library, which has to be closed. A read-only library that does not exist is empty.
  func openStore(for purpose: Store.Purpose = .command) throws -> Store {
    let store = try Store.open(library: places.library, for: purpose, now: time.now())
    // The folder may be new.
    libraryFolder.openIfPresent()
    if store.isUnchecked {
      console.message("media: the last command was cut off, and the library is large: \"media check\" looks it through")
    }
    return store
  }

  /// Runs work with the library open, then closes it.
  func withStore<Value>(for purpose: Store.Purpose = .command, _ body: (Store) throws -> Value) throws -> Value {
    let store = try openStore(for: purpose)
    defer { store.close() }
    return try body(store)
  }

  /// The lock for storing and removing pictures.
  var pictureLock: PictureLock { PictureLock(library: libraryFolder) }

  /// The lock for pulling a feed.
  var feedLocks: FeedLocks { FeedLocks(library: libraryFolder) }

  /// The lock for harvesting.
  var harvestLock: HarvestLock { HarvestLock(library: libraryFolder) }

  /// Whether the library exists.
  var hasLibrary: Bool { FileManager.default.fileExists(atPath: "\(places.library)/media.sqlite") }

  /// Throws if a folder named on the command line holds no library: a mistyped name is more likely than a new library, and
  /// reading creates none.
  func expectLibrary() throws {
    guard isLibraryNamed, !hasLibrary else { return }
    throw NoLibrary(folder: places.library)
  }

  /// Prepares the network, concurrently with what precedes the first request.
  func prepareNetwork() {
    // A thread's heap grows page by page, with a system call each, which wait for the threads that load libcurl.
    let pieces = (0..<8).map { _ in malloc(240 << 10) }
    pieces.forEach { free($0) }
    session.prepare()
  }

  /// The network with the default timeouts and retries.
  func transport(onWait: @escaping @Sendable (SafeText) -> Void) -> Transport {
    logged(session.transport).patient(time: time) { onWait(Waiting.words(for: $0)) }
  }

  /// The network for a pull that keeps to the servers' limits, and a counter of page requests, including retries.
  ///
  /// Failures of a picture host are not reported for each picture but at the end, and a requested delay once. `meter`
  /// measures the traffic, and `dialect` reads the limits of the pages' server.
  func pullTransport(
    as account: Account? = nil, rates: RateGate, dialect: RateDialect = .common, metered meter: TrafficMeter? = nil,
    onWait: @escaping @Sendable (SafeText) -> Void
  ) -> (transport: Transport, requests: @Sendable () -> Int) {
    let counter = RequestCounter()
    let once = Once()
    let clocks = ClockWatch(time: time, once: clockNotice) { onWait($0) }
    let wire = clocks.watching(signed(session.transport, account))
    let live = rates.guarding(logged(counter.counting(meter?.measuring(wire) ?? wire)))
    let pages = live.patient(RetryPolicy(rates: dialect), time: time) { notice in
      meter?.waits(notice, from: time.now())
      onWait(Waiting.words(for: notice))
    }
    let pictures = live.patient(PictureFetcher.patience, time: time) { notice in
      meter?.waits(notice, from: time.now())
      let words = Waiting.words(for: notice)
      if notice.asked, once.isFirst(notice.host) { onWait(words) }
    }
    return (Transport(send: pages.send, download: pictures.download), { counter.count })
  }

  /// Signs requests with a login whose token is not sent.
  private func signed(_ transport: Transport, _ account: Account?) -> Transport {
    guard let keys = account?.signingKeys else { return transport }
    return transport.signed(
      with: keys, now: { [time] in Int(time.now().timeIntervalSince1970) }, random: { randomBytes($0) })
  }

  /// With `--verbose`, reports each finished request.
  private func logged(_ transport: Transport) -> Transport {
    console.isVerbose ? RequestLog(console: console, time: time).logging(transport) : transport
  }

  /// The login by pasted code.
  func loginFlow(telling tell: (@Sendable (SafeText) -> Void)? = nil) -> LoginFlow {
    LoginFlow(
      transport: transport { [console] in if let tell { tell($0) } else { console.message($0) } }, accounts: accounts,
      providers: .catalogue, time: time, website: nil)
  }

  /// A server from typed text.
  func server(_ text: String) throws -> Server {
    guard let server = Server(text) else {
      throw UsageError(
        "\"\(text)\" is no server", cure: "write a host such as mastodon.social, or a URL")
    }
    return server
  }

  /// How to name a server with flags.
  static let serverCure = "add --server mastodon.social, or another"

  /// The server of the only login, of all or of one source.
  ///
  /// - Parameter cure: Says how to name another.
  func onlyServer(
    of source: SourceName? = nil, cure: String = App.serverCure
  ) throws -> Server {
    let servers = Set(try accounts.all().filter { source == nil || $0.source == source }.map(\.server))
    guard let server = servers.first, servers.count == 1 else {
      throw UsageError(
        servers.isEmpty ? "no server is named" : "there are logins at \(servers.count) servers",
        cure: cure)
    }
    return server
  }

  /// The feeds of typed names with their own servers after an `@`, and of the flags; one for each server.
  func feeds(_ kind: Feed.Kind, _ texts: [String], _ options: PullOptions) throws -> [Feed] {
    let places = try options.server.map { Optional(try place($0)) }
    var feeds: [Feed] = []
    for text in texts {
      for place in places.isEmpty ? [nil] : places {
        let feed = try feed(kind, text, at: place, options)
        if !feeds.contains(feed) { feeds.append(feed) }
      }
    }
    return feeds
  }

  /// The feed of a typed name, whose server is named or can be inferred.
  func feed(
    _ kind: Feed.Kind, _ text: String, _ options: PullOptions, cure: String = App.serverCure
  ) throws -> Feed {
    try feed(kind, text, at: nil, options, cure: cure)
  }

  /// A user may belong to another server than the one asked, and a search may contain an `@`.
  private func feed(
    _ kind: Feed.Kind, _ text: String, at place: FeedAddressText?, _ options: PullOptions, cure: String = App.serverCure
  ) throws -> Feed {
    // The form that summaries use.
    let prefix = "\(kind.rawValue):"
    // Checked before the server: without a name no server helps.
    if text.allSatisfy(\.isWhitespace) || text == prefix { throw Self.unusable(kind, text) }
    let text = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    var value = text
    var place = place
    if let at = text.lastIndex(of: "@"), at > text.startIndex, kind != .search || mayBeServer(text[at...].dropFirst()),
      place == nil || kind == .tag
    {
      guard place == nil else {
        throw UsageError("\(text) names its server already", cure: "leave --server out")
      }
      place = try self.place(String(text[text.index(after: at)...]))
      value = String(text[..<at])
    }
    let (source, server) = try origin(of: kind, place, options, cure: cure)
    let feed = Feed(source: source, kind: kind, value: value, server: server)
    return try checked(feed, writtenAs: text)
  }

  func mayBeServer(_ text: Substring) -> Bool {
    (text.contains(".") || text.contains("://")
      || Catalogue.entry(SourceName(rawValue: String(text)))?.home?.isNamedInSearches == true)
      && !text.contains(where: \.isWhitespace)
  }

  /// The feed, if its value is valid for its kind.
  func checked(_ feed: Feed, writtenAs text: String) throws -> Feed {
    let isWord = !feed.value.isEmpty && !feed.value.contains { $0.isWhitespace || $0 == "/" || $0 == "#" }
    let isShort = feed.value.utf8.count <= 500
    switch feed.kind {
    case .tag where !isWord || !isShort || feed.value.contains(":"): throw Self.unusable(.tag, text)
    case .user where !isWord || !isShort: throw Self.unusable(.user, text)
    case .search where feed.value.isEmpty: throw Self.unusable(.search, text)
    case .search where !isShort:
      throw UsageError("the words to search for are longer than 500 bytes", cure: "write a few, such as \"red panda\"")
    default: return feed
    }
  }

  private static func unusable(_ kind: Feed.Kind, _ text: String) -> UsageError {
    switch kind {
    case .tag: UsageError("\"\(text)\" is no tag", cure: "write one word, with or without #")
    case .user: UsageError("\"\(text)\" is no user", cure: "write a name such as birds@photos.example")
    case .search: UsageError("\"\(text)\" has no words to search for", cure: "write a few, such as \"red panda\"")
    case .url: UsageError("\"\(text)\" is no address", cure: "write one such as https://blog.example.org")
    }
  }

  /// The login to use at a feed's server; nil if there is none and none was requested.
  func account(for feed: Feed, named name: String?) throws -> Account? {
    guard let name else { return try accounts.account(at: feed.server, source: feed.source) }
    let account = try accounts.choose(name)
    guard account.server == feed.server, account.source == feed.source else {
      throw UsageError(
        "\(account.handle) is a login at \(account.server) (\(account.source.rawValue)), "
          + "not at \(feed.server) (\(feed.source.rawValue))", cure: "choose one of that server")
    }
    return account
  }

  /// The maximum width of tables: the terminal's, else COLUMNS, else that of a common terminal. A cell may be very long.
  var tableWidth: Int {
    let size =
      console.outputIsTerminal ? TerminalSize.current(environment: environment) : TerminalSize.from(environment)
    return size?.columns ?? 80
  }

  /// Prints a table that fits.
  func print(_ table: Table) throws {
    for line in table.lines(width: tableWidth, style: style) { try console.result(line) }
  }

  /// The environment for pictures: without colours they are drawn as shapes.
  var drawingEnvironment: [String: String] {
    isPlain ? environment.merging(["NO_COLOR": "1"]) { _, plain in plain } : environment
  }

  /// The styles of results.
  var style: Style { isPlain ? Style(.none) : Style(for: 1, environment: environment) }
}

/// The named folder holds no library.
struct NoLibrary: ExplainedError, Equatable {
  let folder: String

  var summary: String { "there is no library at \(folder)" }
  var cure: String? {
    "check how it is spelt, or name the folder to which it has moved with --library; a pull or \"media add\" makes one"
  }
  var exitCode: ExitCode { .storage }
}
