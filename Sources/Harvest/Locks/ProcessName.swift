import Glibc
import Machine

/// A process, in words for people: `archive-2, process 4711`.
enum ProcessName {
  /// This process.
  static var own: String { "\(MachineName.hostName ?? "an unknown machine"), process \(getpid())" }
}
