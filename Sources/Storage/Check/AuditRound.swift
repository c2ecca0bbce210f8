import Dispatch
import FoundationEssentials
import Synchronization

/// Runs audits concurrently, each on a connection of its own. In a large library every audit takes seconds, and none of
/// them writes.
final class AuditRound: Sendable {
  private let store: Store
  private let audits: [StoreAudit]
  private let next = Atomic(0)
  private let ended: [DispatchSemaphore]
  private let results: Mutex<[Int: Result<[Finding], StorageError>]> = Mutex([:])
  private let workers = DispatchGroup()

  /// Starts as many at once as there are cores.
  init(_ audits: [StoreAudit], of store: Store) {
    (self.audits, self.store) = (audits, store)
    ended = audits.map { _ in DispatchSemaphore(value: 0) }
    for _ in 0..<min(audits.count, ProcessInfo.processInfo.activeProcessorCount) {
      DispatchQueue.global().async(group: workers) { self.work() }
    }
  }

  /// Waits for an audit's findings. Call it once for each audit.
  func findings(of index: Int) throws(StorageError) -> [Finding] {
    ended[index].wait()
    guard let result = results.withLock({ $0.removeValue(forKey: index) }) else { return [] }
    return try result.get()
  }

  /// Starts no further audit, and waits for those that are running.
  func end() {
    next.store(audits.count, ordering: .relaxed)
    workers.wait()
  }

  private func work() {
    while true {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < audits.count else { return }
      let result: Result<[Finding], StorageError>
      do throws(StorageError) { result = .success(try store.findings(of: audits[index])) } catch {
        result = .failure(error)
      }
      results.withLock { $0[index] = result }
      ended[index].signal()
    }
  }
}
