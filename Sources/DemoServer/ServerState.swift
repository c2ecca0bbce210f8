import FoundationEssentials
import Synchronization

/// The state that all requests share: the posts, the logins, the time. Each has a lock, which is held only for lookups.
final class ServerState: Sendable {
  let world: Mutex<World>
  let registry = Mutex(Registry())
  let rates = Mutex(RateWindow())
  let pictures: Mutex<PictureWindow>?
  let studio = Studio()
  let blobs = BlueskyBlobs()
  let now: @Sendable () -> Date
  let dialect: Dialect
  private let address = Mutex("")

  init(world: World, now: @escaping @Sendable () -> Date, dialect: Dialect = .mastodon) {
    self.world = Mutex(world)
    self.dialect = dialect
    pictures = dialect.pictureLimit.map { Mutex(PictureWindow(limit: $0)) }
    self.now = now
  }

  /// The server's address, known once it listens.
  var origin: String {
    get { address.withLock { $0 } }
    set { address.withLock { $0 = newValue } }
  }

  /// A picture of this moment to answer from; the lock is free again while the answer is written.
  var wire: Wire { Wire(world: world.withLock { $0 }, origin: origin, dialect: dialect) }
}
