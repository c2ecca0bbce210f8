import Machine
import Synchronization

/// A job with what runs for it. The thread that reads its child changes it, and the actor `Jobs` too.
final class JobRecord: Sendable {
  let id: Int
  let plan: JobPlan
  private let state: Mutex<State>

  private struct State {
    var job: Job
    var child: ChildCommand?
    var isCancelled = false
  }

  /// The time between two reports of progress.
  private static let pace = Duration.milliseconds(200)

  init(id: Int, plan: JobPlan) {
    (self.id, self.plan) = (id, plan)
    state = Mutex(State(job: Job(id: id, title: plan.title, kind: plan.kind)))
  }

  var job: Job { state.withLock(\.job) }

  func change(_ body: (inout Job) -> Void) { state.withLock { body(&$0.job) } }

  /// Ends the job: at once if it waits, else when its child has ended.
  func cancel(within grace: Duration) {
    state.withLock { state in
      guard state.job.isActive else { return }
      state.isCancelled = true
      if state.job.state == .waiting { state.job.state = .cancelled }
      state.child?.end(within: grace)
    }
  }

  /// Runs a command to its end.
  ///
  /// - Parameter onProgress: Called after changes, a few times a second.
  /// - Returns: Whether it succeeded. If not, the job has ended.
  func run(_ command: MediaArguments, by program: MediaProgram, onProgress: @escaping @Sendable () -> Void) async
    -> Bool
  {
    let child: ChildCommand
    do { child = try program.start(command.adding("--json")) } catch {
      change { $0.fail("\(error)") }
      return false
    }
    let isCancelled = state.withLock { state in
      state.child = child
      return state.isCancelled
    }
    if isCancelled { child.end(within: .zero) }
    let status = await BlockingExecutor("gallery.job").run { [self] in read(child, onProgress) }
    return state.withLock { state in
      state.child = nil
      if status != 0 { state.job.finish(status: status, wasCancelled: state.isCancelled) }
      return status == 0
    }
  }

  /// Ends the job well.
  func finish() { change { $0.finish(status: 0, wasCancelled: false) } }

  private func read(_ child: ChildCommand, _ onProgress: () -> Void) -> Int32 {
    var (hasChanged, reportedAt) = (false, ContinuousClock().now - Self.pace)
    return child.run { output in
      guard output == .pause else {
        change { $0.note(output) }
        hasChanged = true
        return
      }
      let now = ContinuousClock().now
      guard hasChanged, now - reportedAt >= Self.pace else { return }
      (hasChanged, reportedAt) = (false, now)
      onProgress()
    }
  }
}
