import FoundationEssentials
import Glibc
import Hummingbird
import Logging
import NIOCore

/// A server of Mastodon's API, or of that of its dialect, with made-up people, posts and drawn pictures, on the loopback address, for logging in and pulling
/// without an account and without a network.
///
/// It keeps everything in memory and writes nothing. The same options give the same posts and picture bytes; only times
/// depend on `start`.
public struct DemoServer: Sendable {
  /// What kind of demo.
  public struct Options: Sendable, Equatable {
    /// How many posts carry `#demo`, exactly.
    public var posts: Int
    /// The port; 0 for any free one.
    public var port: Int
    /// Whether posts arrive, change and go while it runs.
    public var live: Bool
    /// The seed of its posts and pictures.
    public var seed: UInt64
    /// The newest posts are a few minutes older than this; nil for the start of the demo.
    public var start: Date?
    /// The server software that it imitates.
    public var dialect: Dialect

    /// Creates options; the default is 400 posts without changes.
    public init(
      posts: Int = 400, port: Int = 0, live: Bool = false, seed: UInt64 = 1, start: Date? = nil,
      dialect: Dialect = .mastodon
    ) {
      self.posts = posts
      self.port = port
      self.live = live
      self.seed = seed
      self.start = start
      self.dialect = dialect
    }
  }

  private let options: Options
  private let now: @Sendable () -> Date
  private let pause: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - now: the wall clock.
  ///   - pause: waits, and throws if its task is cancelled; used only by a live demo and by a stream.
  public init(
    options: Options,
    now: @escaping @Sendable () -> Date,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.options = options
    self.now = now
    self.pause = pause
  }

  /// Serves until its task is cancelled. `onReady` receives the address once requests can come.
  ///
  /// Throws `DemoServerError` if the port is unavailable.
  public func run(onReady: @escaping @Sendable (URL) -> Void) async throws {
    let world = World(
      count: max(options.posts, 0), seed: options.seed, start: options.start ?? now(),
      keepsEvents: options.dialect.api.hasStream)
    let serverState = ServerState(world: world, now: now, dialect: options.dialect)
    let application = application(serverState, onReady)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await application.run() }
        if options.live {
          group.addTask { try await LiveStory(serverState: serverState, seed: options.seed, pause: pause).run() }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch let error as IOError {
      throw fault(error)
    } catch  where Task.isCancelled {
      return
    }
  }

  private func application(
    _ serverState: ServerState,
    _ onReady: @escaping @Sendable (URL) -> Void
  ) -> some ApplicationProtocol {
    var silent = Logger(label: "demo")
    silent.logLevel = .critical
    return Application(
      router: router(serverState),
      server: options.dialect.api.server(serverState, pause),
      configuration: .init(address: .hostname("127.0.0.1", port: options.port), serverName: "media-demo"),
      onServerRunning: { channel in
        guard let port = channel.localAddress?.port, let url = URL(string: "http://127.0.0.1:\(port)") else { return }
        serverState.origin = "http://127.0.0.1:\(port)"
        onReady(url)
      },
      logger: silent
    )
  }

  private func router(_ serverState: ServerState) -> Router<DemoContext> {
    let router = Router(context: DemoContext.self, options: .autoGenerateHeadEndpoints)
    serverState.dialect.api.addRoutes(serverState, to: router)
    PictureRoutes(serverState: serverState).add(to: router)
    PageRoutes(serverState: serverState).add(to: router)
    return router
  }

  private func fault(_ error: IOError) -> any Error {
    switch error.errnoCode {
    case EADDRINUSE: DemoServerError.portTaken(options.port)
    case EACCES: DemoServerError.portForbidden(options.port)
    default: error
    }
  }
}
