import Blocking
import FoundationEssentials
import Glibc
import Hummingbird
import Logging
import MediaLibrary
import NIOCore

/// The gallery: a library in the browser, live, beside any number of other commands.
///
/// Pages are HTML from the server and stay usable without scripts. The same addresses serve a window of a list as JSON,
/// the bytes of pictures, and the stream of changes.
package struct GalleryServer: Sendable {
  /// How the gallery is served.
  package struct Options: Sendable, Equatable {
    /// The port; 0 for any free one.
    package var port: Int
    /// Whether every request that would change something is refused.
    package var isReadOnly: Bool

    /// Creates options; the default is any free port.
    package init(port: Int = 0, isReadOnly: Bool = false) {
      self.port = port
      self.isReadOnly = isReadOnly
    }
  }

  private let options: Options
  private let parts: GalleryParts

  /// Creates a server. It listens once `run` is called.
  ///
  /// - Parameters:
  ///   - options: How it is served.
  ///   - library: The library, which stays open while the server runs.
  ///   - now: The clock.
  package init(options: Options, library: Library, now: @escaping @Sendable () -> Date) {
    self.options = options
    parts = GalleryParts(library: library, now: now, isReadOnly: options.isReadOnly)
  }

  /// Serves until its task is cancelled.
  ///
  /// - Parameter onReady: Receives the address once requests can come.
  /// - Throws: `GalleryError` if the port cannot be used.
  package func run(onReady: @escaping @Sendable (String) -> Void) async throws {
    let application = application(onReady)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await application.run() }
        group.addTask { [hub = parts.changes] in await hub.run() }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch let error as IOError {
      throw GalleryError(error, port: options.port)
    } catch  where Task.isCancelled {
      return
    }
  }

  private func application(_ onReady: @escaping @Sendable (String) -> Void) -> some ApplicationProtocol {
    var silent = Logger(label: "gallery")
    silent.logLevel = .critical
    return Application(
      router: router(),
      configuration: .init(address: .hostname("127.0.0.1", port: options.port), serverName: "media"),
      onServerRunning: { channel in
        guard let port = channel.localAddress?.port else { return }
        onReady("http://127.0.0.1:\(port)")
      },
      logger: silent
    )
  }

  private func router() -> Router<GalleryContext> {
    let router = Router(context: GalleryContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: ErrorAnswers())
    router.add(middleware: SafetyHeaders())
    AssetRoutes().add(to: router)
    ListRoutes(parts: parts).add(to: router)
    PostRoutes(parts: parts).add(to: router)
    BlobRoutes(parts: parts).add(to: router)
    ChangeRoutes(parts: parts).add(to: router)
    DeletionRoutes(parts: parts).add(to: router)
    return router
  }
}

/// What the routes share.
struct GalleryParts: Sendable {
  let library: Library
  let now: @Sendable () -> Date
  let isReadOnly: Bool
  let readers: Readers
  let changes: ChangeHub

  init(library: Library, now: @escaping @Sendable () -> Date, isReadOnly: Bool) {
    (self.library, self.now, self.isReadOnly) = (library, now, isReadOnly)
    readers = Readers()
    changes = ChangeHub(library: library)
  }

  /// Reads the library away from the threads that serve requests.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Library) throws -> Value) async throws -> Value {
    try await readers.next().run { [library] in try body(library) }
  }
}
