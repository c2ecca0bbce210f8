import HTTP
import Machine
import Storage

/// A lease, extended until this is released, which waits for one statement.
///
/// The holder is not told when the lease is lost. A process that sleeps longer than the lease lasts may find that another one
/// has taken it: the store refuses what it then writes with the pull it had begun.
public final class HeldLease: Sendable {
  /// How long a lease lasts that is not extended.
  static let length = Duration.seconds(60)
  private static let queue = BlockingExecutor("leases")

  private let leases: Leases
  private let lease: Lease
  private let extending: Task<Void, Never>

  /// Takes a lease; nil if another process holds it.
  public static func take(_ name: String, of leases: Leases, time: TimeSource) async throws -> HeldLease? {
    let taken = try await queue.run { try leases.takeLeases([name], most: 1, as: ProcessName.own, lasting: length) }
    return taken.first.map { HeldLease($0, of: leases, time: time) }
  }

  private init(_ lease: Lease, of leases: Leases, time: TimeSource) {
    (self.leases, self.lease) = (leases, lease)
    // It outlives this call, and `deinit` ends it. It holds the lease's name, not this object.
    extending = Task {
      while (try? await time.sleep(Self.length / 3)) != nil {
        // A server that is away for a moment ends no lease: the next attempt may extend it in time.
        let isOurs = (try? await Self.queue.run { try leases.extendLease(lease, lasting: Self.length) }) ?? true
        if !isOurs { return }
      }
    }
  }

  deinit {
    extending.cancel()
    try? leases.releaseLease(lease)
  }
}
