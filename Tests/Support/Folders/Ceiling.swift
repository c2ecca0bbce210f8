import Foundation
import Synchronization

/// A ceiling on this process's memory that the kernel holds it to.
///
/// Tests of hostile servers and texts run below one: whatever gathers what a stranger sends without end comes to its end
/// there, with the test run, and the machine does not.
public enum Ceiling {
  /// How much more the process may take than it has, in bytes of addresses. All tests that run meanwhile share it: the
  /// stacks and heaps of their threads take some 3 GiB, most of it never written to.
  public static let room: rlim_t = 8 << 30

  private struct State: Sendable {
    var tests = 0
    var before = rlim_t.max
  }
  private static let state = Mutex(State())

  /// Runs `body` below a ceiling, which is there from the first of several at once until the last of them ends.
  ///
  /// A sanitizer needs more addresses than can be counted so.
  public static func during(_ body: () async throws -> Void) async rethrows {
    guard ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil else { return try await body() }
    enter()
    defer { leave() }
    try await body()
  }

  private static func enter() {
    state.withLock { state in
      if state.tests == 0 { state.before = set(addresses + room) }
      state.tests += 1
    }
  }

  private static func leave() {
    state.withLock { state in
      state.tests -= 1
      if state.tests == 0 { _ = set(state.before) }
    }
  }

  /// Sets the limit and returns the one before. The hard limit stays, so that this one can be lifted again.
  private static func set(_ most: rlim_t) -> rlim_t {
    let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
    var limit = rlimit()
    precondition(getrlimit(resource, &limit) == 0)
    let before = limit.rlim_cur
    limit.rlim_cur = min(most, limit.rlim_max)
    precondition(setrlimit(resource, &limit) == 0)
    return before
  }

  /// The addresses that the process has.
  private static var addresses: rlim_t {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
    return rlim_t((pages.flatMap { UInt64($0) } ?? 0) * UInt64(sysconf(Int32(_SC_PAGESIZE))))
  }
}
