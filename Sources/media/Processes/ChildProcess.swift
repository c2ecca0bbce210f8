import Glibc
import HTTP
import Machine

/// Another program that this one started and waits for. It inherits the environment.
struct ChildProcess: Sendable {
  /// Its process identifier, which is also that of its group.
  let id: pid_t

  /// Starts a program. Its starter waits for its end.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments, without its own name.
  ///   - input: Its standard input; /dev/null if nil, as for the others.
  ///   - output: Its standard output.
  ///   - errors: Its standard error.
  init(
    _ program: String, _ arguments: [String], input: OpenFile? = nil, output: OpenFile? = nil, errors: OpenFile? = nil
  ) throws(Spawning.NotStarted) {
    defer { withExtendedLifetime((input, output, errors)) {} }
    id = try Spawning.start(
      program, arguments, files: (input?.descriptor, output?.descriptor, errors?.descriptor))
  }

  /// Waits for its end. Must be called once.
  ///
  /// - Returns: Its status; the number of the signal that ended it, plus 128.
  @discardableResult
  func wait() -> Int32 { Spawning.wait(for: id) }

  /// Waits for its end on another thread.
  ///
  /// - Parameter onEnd: Called there with its status.
  func waitInBackground(_ onEnd: @escaping @Sendable (Int32) -> Void = { _ in }) {
    // If there is no thread, nobody waits. What depends on the end must not wait forever.
    if !DetachedThread.start("media.child", { onEnd(wait()) }) { onEnd(127) }
  }
}
