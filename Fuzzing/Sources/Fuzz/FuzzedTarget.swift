import Dispatch
import FuzzTargets

/// The target being fuzzed, for a function that C calls.
enum FuzzedTarget {
  /// Written once, before the first call.
  nonisolated(unsafe) static var chosen: FuzzTarget?

  /// Passes the bytes to the target and waits until it has read them. A broken promise ends the process like a crash.
  static func read(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let chosen else { return -1 }
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let done = DispatchSemaphore(value: 0)
    Task {
      do { try await chosen.read(input) } catch { fatalError("\(chosen.name): \(error)") }
      done.signal()
    }
    done.wait()
    return 0
  }
}
