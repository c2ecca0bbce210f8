import FoundationEssentials
import Synchronization

/// What every request sees: the posts, who is logged in, the time. One lock each, held for look-ups alone.
final class ServerState: Sendable {
  let world: Mutex<World>
  let registry = Mutex(Registry())
  let rates = Mutex(RateWindow())
  let pictures: Mutex<PictureWindow>?
  let studio = Studio()
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
