import Derivatives
import FoundationEssentials
import Glibc
import HTTP
import Harvest
import Login
import Machine
import MediaLibrary
import Pictures
import Posts
import S3Blobs
import Services
import Storage
import Terminal
import Transfer

/// The composition root: builds the live parts of a command, each when it is first needed, and hands each to what needs it.
/// Only the commands' `run` methods use it; nothing else receives it.
struct App: Sendable {
  let console: Console
  let environment: [String: String]
  /// The same with the certificate authorities of this command.
  let trustingEnvironment: [String: String]
  private let names: LibraryNames
  let paths: LibraryPaths
  /// The time by which the library goes.
  let time: TimeSource
  let clock = LibraryClock(TimeSource.system.now)
  let library: LibraryOpener
  let settings: LibrarySettings
  private(set) var transports: TransportFactory
  let output: StyledConsole
  private let isJSON: Bool

  /// The parts for the parsed options.
  init(_ global: GlobalOptions) throws {
    console = global.console
    time = TimeSource(clock)
    isJSON = global.json
    environment = ProcessInfo.processInfo.environment
    trustingEnvironment = try global.trust(in: environment)
    if let library = global.library, library.isEmpty { throw UsageError("--library is empty", cure: "name a folder") }
    names = LibraryNames(environment: environment, currentFolder: FileManager.default.currentDirectoryPath)
    paths = try names.paths(of: global.library)
    let session = Session(
      agent: App.agent, hosts: try paths.hosts(now: TimeSource.system.now()), environment: trustingEnvironment)
    transports = TransportFactory(
      session: session, console: console, time: time, machineTime: .system, cache: "\(paths.library)/cache")
    let address = try Self.address(of: paths, trustingEnvironment)
    library = LibraryOpener(
      at: paths.library, address: address, isNamed: global.library != nil, console: console, time: time, clock: clock)
    settings = LibrarySettings(paths: paths, console: console)
    try settings.expectNoMistake()
    output = StyledConsole(console: console, environment: environment, isPlain: global.noColor)
  }

  /// The address of a library that is on a server, and its pictures.
  private static func address(
    of paths: LibraryPaths, _ environment: [String: String]
  ) throws -> (library: LibraryAddress, blobs: PlacedBlobs)? {
    guard let address = paths.address else { return nil }
    guard !address.isCut else {
      throw UsageError(
        "the password in the address \(address.shown) has a slash, which would end it",
        cure: "write %2F for /, %3F for ? and %40 for @")
    }
    guard let text = address.blobs else {
      throw UsageError(
        "\(address.shown) does not say where the pictures are",
        cure: "add ?blobs=/FOLDER or ?blobs=s3://BUCKET/PREFIX to it")
    }
    let blobs = try BlobAddress(text).open { s3Environment(of: paths, environment, cacheLimit: 1 << 30) }
    return (address, PlacedBlobs(blobs))
  }

  /// Another library than that of the command.
  ///
  /// - Parameter name: Its folder, its address or its name, as it was typed.
  func otherLibrary(at name: String) throws -> LibraryOpener {
    let paths = try names.paths(of: name)
    let clock = LibraryClock(TimeSource.system.now)
    return LibraryOpener(
      at: paths.library, address: try Self.address(of: paths, trustingEnvironment), isNamed: true, console: console,
      time: TimeSource(clock), clock: clock)
  }

  /// The parts, with what pulls ask and what comes kept in a folder, if one is named. `endCapture` ends it.
  func capturing(in folder: String?) throws -> App {
    guard let folder else { return self }
    var app = self
    app.transports.capture = try WARCCapture(in: folder, software: App.agent, now: time.now)
    return app
  }

  /// The parts, with all requests counted.
  func counting(_ tally: RequestTally) -> App {
    var app = self
    app.transports.tally = tally
    return app
  }

  /// Gives the captured file its name.
  func endCapture() {
    guard let capture = transports.capture else { return }
    do {
      console.message("Kept what was asked and what came in \(try capture.finish()).")
    } catch {
      console.error("media: \("\(error)")")
    }
  }

  /// The user agent (RFC 9110, 10.1.5), with an address that tells those who run servers what asks them.
  static let agent = "media/\(Media.version) (+\(Media.website))"

  var hand: HandWriter { HandWriter(library: library, console: console, time: time, isJSON: isJSON) }

  // MARK: Feeds and logins

  /// The logins.
  var accounts: Accounts { Accounts(folder: paths.configuration) }

  var logins: AccountChooser {
    AccountChooser(
      folder: paths.configuration, transports: transports, console: console, settings: settings, time: time)
  }

  var servers: ServerResolver {
    ServerResolver(accounts: accounts) { [library] server in
      let feeds = library.exists ? try? library.withStore(for: .reading) { try $0.feeds() } : nil
      return Set((feeds ?? []).filter { $0.server == server && $0.isPulled && $0.kind != .url }.map(\.source))
    }
  }

  var parser: FeedParser { FeedParser(servers: servers) }

  var feeds: FeedResolver {
    FeedResolver(parser: parser, library: library, transports: transports, console: console, time: time)
  }

  var followCheck: FollowCheck {
    FollowCheck(
      console: console, library: library, logins: logins, pulls: pulls, discovery: discovery)
  }

  var discovery: FeedDiscovery { FeedDiscovery(logins: logins, transports: transports) }

  // MARK: Pulls

  var pictures: PictureFactory {
    PictureFactory(transports: transports, library: library, settings: settings, time: time)
  }

  var pulls: PullFactory {
    PullFactory(transports: transports, pictures: pictures, logins: logins, locks: library.feedLocks, time: time)
  }

  /// The reading of pages of other sites into an open library.
  func pageReading(in store: Store) throws -> PageReading {
    PageReading(
      library: library, store: store, settings: try settings.read(in: store), paths: paths, environment: environment,
      time: time, locks: library.feedLocks.shared(by: store))
  }

  /// Whether a program of others may read pages, and is installed.
  func mayReadPages() throws -> Bool {
    let mayStart = try library.withStore(for: .reading) { try settings.read(in: $0).extractors }
    return mayStart && Extractor.all.contains { Programs.onPath($0.name, environment) != nil }
  }

  /// Whether lists show a post that came by several networks once.
  func foldsLists() throws -> Bool {
    try library.exists && library.withStore(for: .reading) { try settings.read(in: $0).fold }
  }

  var rechecks: RecheckFactory {
    RecheckFactory(
      transports: transports, accounts: accounts, logins: logins, locks: library.feedLocks, time: time)
  }

  var cache: AvatarCache { AvatarCache(settings: settings, library: library, time: time) }

  /// What looks at stored files, in as many children as there are processors.
  func inspector() -> Inspector {
    Inspector(blobs: library.blobs, configuration: pictureWorkers, clocks: pictureClocks)
  }

  /// The program with a model that the person chose; nil if they chose none.
  func model(_ settings: Settings) -> ModelProgram? {
    settings.look.map { line in
      ModelProgram(
        blobs: library.blobs, temporary: pictureWorkers.temporary,
        .init(line: line, environment: environment, memory: Int64(settings.lookMemory.bytes)), now: { .now },
        mustEnd: { Interruption.happened })
    }
  }

  /// What takes the places out of files that are published.
  func stripper() -> Stripper {
    let workers = pictureWorkers
    return Stripper(program: workers.program, environment: workers.environment) { .now }
  }

  private var pictureWorkers: Derivatives.Configuration {
    .init(
      program: (try? PictureProgram.find(environment)) ?? PictureProgram.name, environment: environment,
      children: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  private var pictureClocks: Derivatives.Clocks {
    .init(now: time.now, instant: { .now }, sleep: { try await Task.sleep(for: $0) })
  }

  /// Small pictures, made by as many children as there are processors.
  func derivatives() throws -> Derivatives {
    let limit = try library.withStore(for: .reading) { try settings.read(in: $0).thumbnails.bytes }
    return Derivatives(
      blobs: library.blobs, cache: ThumbnailCache(library: library.path, limit: Int(limit), now: time.now),
      configuration: pictureWorkers, clocks: pictureClocks,
      notice: { console.message("media: \($0)") })
  }

  var notices: NoticeFinder {
    NoticeFinder(settings: settings, accounts: accounts, library: paths.library, time: time)
  }

  var examinations: Examinations {
    Examinations(
      library: library, settings: settings, accounts: accounts, transports: transports,
      schedule: schedule(json: false), environment: environment, time: .system)
  }

  // MARK: Runners

  func dialog(
    _ flow: LoginFlow, opensBrowser: Bool, show: @escaping @Sendable (Authorization) throws -> Void
  ) -> LoginDialog {
    LoginDialog(console: console, environment: environment, flow: flow, opensBrowser: opensBrowser, show: show)
  }

  func pullRunner(
    account: String?, plan: PullPlan, json: Bool, api: String? = nil, budget: Price? = nil
  ) -> PullRunner {
    PullRunner(
      console: console, library: library, settings: settings, transports: transports, logins: logins, pulls: pulls,
      cache: cache, environment: environment, account: account, plan: plan, json: json, api: api, budget: budget)
  }

  func recheckRunner(
    account: String?, since: Date?, pictures: Bool, json: Bool, budget: Price?
  ) -> RecheckRunner {
    RecheckRunner(
      console: console, logins: logins, rechecks: rechecks, fetches: self.pictures, account: account, since: since,
      pictures: pictures, json: json, budget: budget)
  }

  /// - Parameter isLocking: Whether pulls take the locks of feeds. A worker holds them already.
  func harvestRunner(in store: Store, json: Bool, isLocking: Bool = true) throws -> HarvestRunner {
    var (pulls, pages) = (pulls, try pageReading(in: store))
    if !isLocking { (pulls.locks, pages.locks) = (nil, nil) }
    let reporter = NoticeReporter(console: console, settings: settings, notices: notices, time: time, store: store)
    return HarvestRunner(
      console: console, library: library, settings: settings, logins: logins, pulls: pulls, pages: pages,
      rechecks: rechecks, pictures: pictures, cache: cache, inspector: inspector(), environment: environment,
      model: { model($0) }, reporter: reporter, time: time,
      store: store,
      manager: ServiceManager(environment), json: json)
  }

  func schedule(json: Bool) -> Schedule {
    Schedule(
      console: console, library: library, paths: paths, environment: environment,
      trustingEnvironment: trustingEnvironment, time: time, json: json)
  }

  func browsing(
    _ list: PostListQuery, search: String, isStill: Bool, pictures: PicturePreference?
  ) -> Browsing {
    Browsing(
      console: console, output: output, library: library, settings: settings, logins: logins, parser: parser,
      pulls: pulls, discovery: discovery, fetches: self.pictures, cache: cache, notices: notices,
      environment: environment, time: time, list: list, search: search, isStill: isStill, pictures: pictures)
  }
}

extension TimeSource {
  /// The time of a library. Waits are this machine's.
  init(_ clock: LibraryClock) {
    self.init(now: { clock.now() }, sleep: TimeSource.system.sleep, chance: TimeSource.system.chance)
  }
}
