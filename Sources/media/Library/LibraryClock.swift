import FoundationEssentials
import HTTP
import Storage
import Synchronization

/// The clock by which a library goes. Machines that share a library go by its server's: what one of them writes, such as
/// when a feed is due or when a server's limit ends, the others compare with their own time.
///
/// Durations are this machine's.
final class LibraryClock: Sendable {
  private let machine: TimeSource
  /// How far the server's clock is ahead, in seconds.
  private let difference = Mutex<TimeInterval>(0)

  /// - Parameter machine: This machine's clock. The library goes by it until `follow` is called.
  init(_ machine: TimeSource) { self.machine = machine }

  /// The time of the library.
  var time: TimeSource {
    TimeSource(now: { self.now() }, sleep: machine.sleep, chance: machine.chance)
  }

  private func now() -> Date { machine.now().addingTimeInterval(difference.withLock(\.self)) }

  /// Goes by the server's clock from now on. Calling it again corrects what the clocks have drifted apart since.
  ///
  /// - Returns: The server's time.
  /// - Throws: `StorageError` if the library cannot be read.
  @discardableResult
  func follow(_ leases: any LeaseRecords) throws(StorageError) -> Date {
    let asked = machine.now()
    let server = try leases.serverTime()
    // The answer was on its way for half of the time, more or less.
    let middle = asked.addingTimeInterval(machine.now().timeIntervalSince(asked) / 2)
    difference.withLock { $0 = server.timeIntervalSince(middle) }
    return server
  }
}
