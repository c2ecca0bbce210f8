import Derivatives
import FoundationEssentials
import HTTPTypes
import Hummingbird
import MediaLibrary
import Storage
import Web

/// The gallery: a library in the browser, live, beside any number of other commands.
///
/// Pages are HTML from the server and stay usable without scripts. The same addresses serve a window of a list as JSON,
/// the bytes of pictures, and the stream of changes.
package struct GalleryServer: Sendable {
  private let options: Options
  private let parts: GalleryParts
  private let derivatives: Derivatives
  private let signIns: SignIns
  private let direct: DirectReading?
  private let pause: @Sendable (Duration) async throws -> Void

  /// Creates a server. It listens once `run` is called.
  ///
  /// - Parameters:
  ///   - options: How it is served.
  ///   - library: The library, which stays open while the server runs.
  ///   - signIns: Who may look.
  ///   - derivatives: The small pictures of the library's pictures.
  ///   - direct: Where browsers read large files; nil if the gallery sends them.
  ///   - now: The clock.
  ///   - pause: Waits, and throws if its task is cancelled.
  package init(
    options: Options, library: Library, derivatives: Derivatives, direct: DirectReading? = nil, signIns: SignIns,
    now: @escaping @Sendable () -> Date, pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    (self.options, self.derivatives, self.direct) = (options, derivatives, direct)
    (self.signIns, self.pause) = (signIns, pause)
    parts = GalleryParts(library: library, options: options, now: now, pause: pause)
  }

  /// Serves until its task is cancelled, and then until the requests that have begun are answered.
  ///
  /// - Parameter onReady: Receives the address of the gallery, without a token, and its port, once requests can come.
  /// - Throws: `GalleryError` if it cannot listen, or others could reach it without a password.
  package func run(onReady: @escaping @Sendable (String, Int) async throws -> Void) async throws {
    if options.isOnNetwork, try await !signIns.hasPassword() { throw GalleryError.noPassword }
    let listeners = try listeners()
    // They end with this call, and their end ends nothing else.
    async let _: Void = ThumbPreparation(parts: parts, derivatives: derivatives).run()
    async let _: Void = AssetRoutes.prepare()
    async let _: Void = LateSteps.words.run(in: parts.library.store, pause)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { [hub = parts.changes] in await hub.run() }
        group.addTask { [derivatives] in await derivatives.run() }
        group.addTask { [parts] in await parts.endChildrenWhenCancelled() }
        var port = options.port
        // The other addresses get the port that the system chose for the first.
        for listener in listeners { port = try await listener.start(at: port, in: &group) }
        if let metrics = options.metrics {
          let listener = Listener(
            responder: MetricsListener(parts: parts, version: metrics.version).responder, limits: options.limits,
            tls: nil, host: metrics.address)
          _ = try await listener.start(at: metrics.port, in: &group)
        }
        try await onReady(options.server(at: port), port)
        try await group.next()
      }
    } catch  where Task.isCancelled {
      return
    }
  }

  private func listeners() throws -> [Listener] {
    let responder = router().buildResponder()
    let tls = try options.tls?.configuration()
    var limits = options.limits
    // All of its browsers come from the proxy.
    if options.isBehindProxy { limits.connectionsOfPeer = limits.connections }
    return options.addresses.map { [limits] in Listener(responder: responder, limits: limits, tls: tls, host: $0) }
  }

  private func router() -> Router<GalleryContext> {
    let router = Router(context: GalleryContext.self, options: .autoGenerateHeadEndpoints)
    addChecks(to: router)
    AssetRoutes().add(to: router)
    ListRoutes(parts: parts).add(to: router)
    PostRoutes(parts: parts).add(to: router)
    BlobRoutes(parts: parts, derivatives: derivatives, direct: direct).add(to: router)
    ThumbRoutes(parts: parts, derivatives: derivatives).add(to: router)
    ChangeRoutes(parts: parts, signIns: signIns, cookies: cookies).add(to: router)
    KeyRoutes(parts: parts, keys: options.keys).add(to: router)
    DeletionRoutes(parts: parts).add(to: router)
    DownloadRoutes(parts: parts).add(to: router)
    MarkRoutes(parts: parts).add(to: router)
    HidingRoutes(parts: parts).add(to: router)
    InsightRoutes(parts: parts).add(to: router)
    let origin = FeedOrigin(isSecure: options.tls != nil, isBehindProxy: options.isBehindProxy)
    FeedRoutes(parts: parts, origin: origin).add(to: router)
    TokenRoutes(parts: parts, signIns: signIns, origin: origin).add(to: router)
    SharesRoutes(parts: parts, origin: origin).add(to: router)
    ShareRoutes(
      parts: parts, derivatives: derivatives, gate: ShareGate(parts: parts, isBehindProxy: options.isBehindProxy)
    ).add(to: router)
    PullRoutes(parts: parts).add(to: router)
    LoginRoutes(parts: parts).add(to: router)
    AddRoutes(parts: parts).add(to: router)
    return router
  }

  private var cookies: SessionCookie {
    SessionCookie(isSecure: options.tls != nil, isBehindProxy: options.isBehindProxy)
  }

  /// What every request passes before a route sees it, the outermost first.
  private func addChecks(to router: Router<GalleryContext>) {
    let isSecure = options.tls != nil
    let hosts = AllowedHosts(
      added: Set(options.hosts.map { $0.lowercased() }), isSecure: isSecure, isBehindProxy: options.isBehindProxy)
    router.add(middleware: SafetyHeaders(direct: direct))
    router.add(middleware: ErrorAnswers())
    router.add(middleware: RequestChecks(hosts: hosts, isReadOnly: options.isReadOnly))
    router.add(
      middleware: SignInGate(signIns: signIns, cookies: cookies, takesPassword: options.isOnNetwork, pause: pause))
    router.add(middleware: MarkPrivacy(isReadOnly: options.isReadOnly))
    router.add(middleware: LibraryPresence(folder: parts.library.folder))
    SignInRoutes(
      signIns: signIns, cookies: cookies, takesPassword: options.isOnNetwork, guesses: .init(now: parts.now)
    ).add(to: router)
  }
}

/// What the routes share.
struct GalleryParts: Sendable {
  let library: Library
  let now: @Sendable () -> Date
  let isReadOnly: Bool
  let readers: Readers
  let changes: ChangeHub
  let jobs: Jobs
  let logins: PasteLogins
  let doctor: DoctorReading
  /// The months of lists, which take long to count in a large library.
  let months: ComputedValues<MonthsKey, [PostMonth]>
  /// The albums and saved searches.
  let sideList: ComputedValues<Bool, ListLinks.Places>

  init(
    library: Library, options: GalleryServer.Options, now: @escaping @Sendable () -> Date,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    (self.library, self.now, isReadOnly) = (library, now, options.isReadOnly)
    let readers = Readers()
    self.readers = readers
    let position = { @Sendable in try await readers.next().run { try library.store.changePosition() } }
    (months, sideList) = (ComputedValues(position: position), ComputedValues(position: position))
    changes = ChangeHub(library: library, pause: pause)
    let program = MediaProgram(library: options.isLibraryInEnvironment ? nil : library.folder)
    jobs = Jobs(program) { [changes] job in await changes.publish(.init(job)) }
    logins = PasteLogins(program)
    doctor = DoctorReading(program)
  }

  /// Ends what runs for the pages once the task is cancelled. A request that waits for it is answered then.
  func endChildrenWhenCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
    async let ended: Void = logins.end()
    await jobs.end()
    await ended
  }

  /// A page for somebody who is signed in.
  func page(_ html: HTML, status: HTTPResponse.Status = .ok) -> Response {
    Response(html: PageFrame.naming(libraryName, in: html), status: status)
  }

  /// What people call the library: the name of its folder.
  private var libraryName: String { library.folder.split(separator: "/").last.map(String.init) ?? "" }

  /// Reads the library away from the threads that serve requests.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Library) throws -> Value) async throws -> Value {
    try await readers.next().run { [library] in try body(library) }
  }
}
