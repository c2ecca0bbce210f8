import FoundationEssentials
import Glibc
import Posts
import Storage

/// How a harvest went, in words.
struct RunText {
  /// The rows of the timeline.
  enum Group: Int, CaseIterable, Sendable {
    case inOrder, withFailures, endedEarly

    var words: String {
      switch self {
      case .inOrder: "in order"
      case .withFailures: "with failures"
      case .endedEarly: "ended early"
      }
    }

    /// The class of its marks.
    var tone: String {
      switch self {
      case .inOrder: "good"
      case .withFailures: "bad"
      case .endedEarly: "warn"
      }
    }
  }

  private let run: HarvestRun
  private let isRunning: Bool

  /// The words of a run. One without an end is running if its process is.
  init(_ run: HarvestRun, isAlive: (Int32) -> Bool = RunText.isAlive) {
    (self.run, isRunning) = (run, run.state == .open && isAlive(run.process))
  }

  /// `done`, `interrupted`, `running` or `cut off`.
  var state: String {
    run.state == .open ? isRunning ? "running" : HarvestRun.State.cutOff.rawValue : run.state.rawValue
  }

  /// The state with what went wrong: `done, 2 failed`.
  var outcome: String {
    let counts = [(run.failed, "failed"), (run.limited, "limited"), (run.putOff, "put off")]
    return ([state] + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }).joined(separator: ", ")
  }

  var group: Group {
    if run.state != .done, !isRunning { return .endedEarly }
    return run.failed > 0 ? .withFailures : .inOrder
  }

  /// How long it took; nil if its end is unknown.
  var took: String? { run.finishedAt.map { NumberText.span($0.timeIntervalSince(run.startedAt)) } }

  static func isAlive(_ process: Int32) -> Bool { process > 0 && (kill(process, 0) == 0 || errno == EPERM) }
}
