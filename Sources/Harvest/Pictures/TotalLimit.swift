import Posts
import Synchronization

/// The most bytes of all files of one pull, counted as they come.
///
/// An announced length is set aside before its body, so that no file begins that has no room. Once a file had none, no other
/// begins: which files come does not depend on their lengths, and no server is asked for each of hundreds.
final class TotalLimit: Sendable {
  private struct State {
    var bound: Int64?
    var taken: Int64 = 0
    var isFull = false
  }

  private let state = Mutex(State())

  /// The most bytes; nil if there is no bound.
  var bound: Int64? {
    get { state.withLock(\.bound) }
    set { state.withLock { $0.bound = newValue } }
  }

  /// Whether no other file begins.
  var isFull: Bool { state.withLock { $0.isFull && $0.bound != nil } }

  /// Removes the bound.
  func lift() { bound = nil }

  /// Sets bytes aside. Returns whether there is room for them.
  func take(_ count: Int64) -> Bool {
    state.withLock { state in
      guard let bound = state.bound, count > bound - state.taken else {
        state.taken += count
        return true
      }
      state.isFull = true
      return false
    }
  }

  /// Gives back bytes that did not come.
  func giveBack(_ count: Int64) { state.withLock { $0.taken -= count } }
}

/// A limit leaves the file out.
struct LeftOutByLimit: Error {
  let limit: FileLimits.Limit
}
