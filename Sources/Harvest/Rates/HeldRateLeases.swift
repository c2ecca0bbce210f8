import FoundationEssentials
import HTTP
import Machine
import Storage
import Synchronization

/// The leases of this process, one per key, and the ledger behind them.
///
/// Most requests need only the lease. Whatever needs the ledger, which may wait for another process, runs on a blocking
/// executor. Until it has ended, everything else about that key runs there, too, in order. So no request is sent before the
/// ledger holds its reservation, and no thread of the network or of tasks waits for SQLite.
final class HeldRateLeases: Sendable {
  private struct State {
    var leases: [RateKey: HeldRateLease] = [:]
    /// The number of calls on the executor that have not ended, per key. Only they may change the key's lease.
    var pending: [RateKey: Int] = [:]
  }

  private let state = Mutex(State())
  /// Only calls on the executor use it.
  private let ledger: Mutex<RateLedger>
  /// Reads the limits that answers name.
  private let dialect: RateDialect
  private let executor: BlockingExecutor
  private let time: TimeSource

  init(_ store: Store?, _ dialect: RateDialect, named name: String, _ time: TimeSource) {
    ledger = Mutex(RateLedger(store))
    self.dialect = dialect
    executor = BlockingExecutor(name)
    self.time = time
  }

  /// Grants one request, or returns when to try again.
  func acquire(_ key: RateKey, _ rank: RateRank) async -> HeldRateLease.Decision {
    await change(key) {
      $0.acquireHeld(now: $1)
    } withLedger: {
      $0.acquire(key, rank, from: &$1, now: $2)
    }
  }

  /// Records how a request ended; `answer` is nil if it failed, or if another host answered.
  func end(_ ticket: HeldRateLease.Ticket, of key: RateKey, _ answer: Response?) async {
    await change(key) {
      $0.endHeld(ticket, with: answer, now: $1)
    } withLedger: {
      $0.end(ticket, of: key, with: answer, in: &$1, now: $2)
    }
  }

  /// Returns unsent requests of all keys.
  func giveBack() async {
    for key in state.withLock({ Array($0.leases.keys) }) {
      await change(key) { lease, _ in
        lease.hasUnreported ? nil : ()
      } withLedger: {
        $0.giveBack(key, to: &$1, now: $2)
      }
    }
  }

  /// Changes a lease: by `held` if no call for its key is on the executor and `held` does not return nil, else by
  /// `withLedger` on the executor. If `held` returns nil, its changes are dropped.
  private func change<Value: Sendable>(
    _ key: RateKey, held: (inout HeldRateLease, Date) -> Value?,
    withLedger: @escaping @Sendable (inout HeldRateLease, inout RateLedger, Date) -> Value
  ) async -> Value {
    let now = time.now()
    let value = state.withLock { state -> Value? in
      if state.pending[key] == nil {
        var lease = state.leases[key] ?? HeldRateLease(dialect: dialect)
        if let value = held(&lease, now) {
          state.leases[key] = lease
          return value
        }
      }
      state.pending[key, default: 0] += 1
      return nil
    }
    if let value { return value }
    return await executor.run { [self] in
      var lease = state.withLock { $0.leases[key] ?? HeldRateLease(dialect: dialect) }
      let value = ledger.withLock { withLedger(&lease, &$0, time.now()) }
      state.withLock { state in
        state.leases[key] = lease
        let left = (state.pending[key] ?? 1) - 1
        state.pending[key] = left == 0 ? nil : left
      }
      return value
    }
  }
}
