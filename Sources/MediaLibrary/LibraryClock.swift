import FoundationEssentials
import Storage
import Synchronization

/// The clock by which a library goes. Machines that share a library go by its server's: what one of them writes, such as
/// when a feed is due or when a server's limit ends, the others compare with their own time.
///
/// Durations are this machine's.
package final class LibraryClock: Sendable {
  private let machine: @Sendable () -> Date
  /// How far the server's clock is ahead, in seconds.
  private let difference = Mutex<TimeInterval>(0)

  /// - Parameter machine: This machine's clock. The library goes by it until `follow` is called.
  package init(_ machine: @escaping @Sendable () -> Date) { self.machine = machine }

  /// The time of the library.
  package func now() -> Date { machine().addingTimeInterval(difference.withLock(\.self)) }

  /// Goes by the server's clock from now on. Calling it again corrects what the clocks have drifted apart since.
  ///
  /// - Returns: The server's time.
  /// - Throws: `StorageError` if the library cannot be read.
  @discardableResult
  package func follow(_ leases: Leases) throws(StorageError) -> Date {
    let asked = machine()
    let server = try leases.serverTime()
    // The answer was on its way for half of the time, more or less.
    let middle = asked.addingTimeInterval(machine().timeIntervalSince(asked) / 2)
    difference.withLock { $0 = server.timeIntervalSince(middle) }
    return server
  }
}
