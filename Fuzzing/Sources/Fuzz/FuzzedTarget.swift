import Dispatch
import FuzzTargets

/// The target that is fuzzed, for a function that C calls.
enum FuzzedTarget {
  /// Written once, before the first call.
  nonisolated(unsafe) static var chosen: FuzzTarget?

  /// Gives the bytes to the target and waits until it has read them; a broken promise ends the process as a crash does.
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
