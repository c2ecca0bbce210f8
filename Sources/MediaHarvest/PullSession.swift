import FoundationEssentials
import HTTP
import Harvest
import MediaLibrary

/// A library that is open for pulling, with a network: what a program of your own needs to fill a library.
///
/// ```swift
/// let session = try PullSession.start(in: folder, configuration: configuration, agent: "birdwatch/1.0")
/// defer { session.close() }
/// let cats = Feed(source: .usual, kind: .tag, value: "cats", server: server)
/// for try await update in session.updater(of: cats).updates() {
///   print(update.report.summary.posts.new, "new, next refresh", update.nextRefresh ?? .distantFuture)
/// }
/// ```
///
/// Any number of processes may use the library meanwhile, the `media` command among them. They share the servers' rate
/// limits, and two of them never pull one feed at a time. A session pulls with lower priority than a person's command.
///
/// One session serves a whole program. Copies refer to the same session.
public struct PullSession: Sendable {
  /// The library.
  public let library: Library
  /// The logins with which it pulls.
  public let logins: Logins
  /// The pictures of its posts.
  public let pictures: LibraryPictures

  private let pulls: PullComposer

  /// Opens a library for pulling. No request is sent yet.
  ///
  /// - Parameters:
  ///   - folder: The path of the library's folder. It is created if it is missing.
  ///   - configuration: The path of the folder with the logins, such as `~/.config/media`, which the `media` command
  ///     uses. It is created by the first login, and only its owner may read it.
  ///   - agent: The user agent that servers see: the program's name and version (RFC 9110, 10.1.5).
  ///   - time: The clock, and what sleeps by it.
  ///   - environment: The environment that names proxies and certificates, as for `curl`.
  /// - Returns: The session. It must be closed.
  /// - Throws: `StorageError` if the library cannot be opened, `BlobError` if its pictures cannot.
  public static func start(
    in folder: String, configuration: String, agent: String, time: TimeSource = .system,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> PullSession {
    let library = try Library(in: folder, now: time.now)
    do {
      _ = try library.blobs.removeLeftovers()
    } catch {
      library.close()
      throw error
    }
    let session = Session(agent: agent, environment: environment)
    return PullSession(library, Logins(session, configuration: configuration, time: time), session, time)
  }

  private init(_ library: Library, _ logins: Logins, _ session: Session, _ time: TimeSource) {
    (self.library, self.logins) = (library, logins)
    pulls = PullComposer(library: library, logins: logins, session: session, time: time)
    pictures = LibraryPictures(library: library, pulls: pulls)
  }

  /// Closes the library, and ends its observations. Pulls that still run fail.
  public func close() { library.close() }

  /// Pulls a feed once.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - plan: Which pages are read, and whether pictures and avatars are downloaded. By default, new posts.
  ///   - onEvent: Is called with the progress, on any thread.
  /// - Returns: The counts, and what stopped the pull early. What came before a failure is stored.
  /// - Throws: `PullSessionError` if the feed cannot be pulled by a session, `AccountsError` or `LoginError` if its login
  ///   cannot be used, `StorageError` if the library fails.
  public func pull(
    _ feed: Feed, _ plan: PullPlan = PullPlan(.new, pages: 5, avatars: false),
    onEvent: @escaping @Sendable (PullEvent) -> Void = { _ in }
  ) async throws -> PullReport {
    try await pulls.pull(of: feed).run(feed, plan, onEvent: onEvent)
  }

  /// An updater of a feed: it says when the feed is pulled next, and pulls it then.
  ///
  /// The interval adapts to the feed, as that of `media harvest` does. If the library follows the feed, updater and
  /// harvests share its schedule, and what a person set there counts instead of `interval`.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - interval: The time between two refreshes, at least a minute; nil if it adapts.
  ///   - pictures: Whether pictures are downloaded.
  ///   - avatars: Whether the authors' avatars are downloaded.
  /// - Returns: The updater. It does nothing until its updates are read.
  public func updater(
    of feed: Feed, every interval: Duration? = nil, pictures: Bool = true, avatars: Bool = false
  ) -> FeedUpdater {
    let plan = PullPlan(.harvest, pages: nil, pictures: pictures, avatars: avatars)
    return FeedUpdater(of: feed, every: interval, plan: plan, pulls: pulls)
  }
}
