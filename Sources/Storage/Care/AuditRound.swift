import Dispatch
import Foundation
import Synchronization

/// Audits that are made side by side, each through a connection of its own: a large library keeps every one of them busy
/// for seconds, and none of them writes.
final class AuditRound: Sendable {
  private let store: Store
  private let audits: [StoreAudit]
  private let next = Atomic(0)
  private let ended: [DispatchSemaphore]
  private let results: Mutex<[Int: Result<[Finding], StorageError>]> = Mutex([:])
  private let lanes = DispatchGroup()

  /// Begins with the first of them, as many at once as there are cores.
  init(_ audits: [StoreAudit], of store: Store) {
    (self.audits, self.store) = (audits, store)
    ended = audits.map { _ in DispatchSemaphore(value: 0) }
    for _ in 0..<min(audits.count, ProcessInfo.processInfo.activeProcessorCount) {
      DispatchQueue.global().async(group: lanes) { self.work() }
    }
  }

  /// What an audit found; waits for it. Each is asked for once.
  func findings(of place: Int) throws(StorageError) -> [Finding] {
    ended[place].wait()
    guard let result = results.withLock({ $0.removeValue(forKey: place) }) else { return [] }
    return try result.get()
  }

  /// Begins no further one, and waits for those that are under way.
  func end() {
    next.store(audits.count, ordering: .relaxed)
    lanes.wait()
  }

  private func work() {
    while true {
      let place = next.add(1, ordering: .relaxed).oldValue
      guard place < audits.count else { return }
      let result: Result<[Finding], StorageError>
      do throws(StorageError) { result = .success(try store.findings(of: audits[place])) } catch {
        result = .failure(error)
      }
      results.withLock { $0[place] = result }
      ended[place].signal()
    }
  }
}
