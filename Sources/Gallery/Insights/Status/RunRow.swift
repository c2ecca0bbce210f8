import Glibc
import Storage
import Wording

/// The rows of the timeline of harvests.
enum RunRow: Int, CaseIterable, Sendable {
  case inOrder, withFailures, endedEarly

  /// The row of a harvest.
  init(_ run: HarvestRun) {
    let isEarly = run.state != .done && !run.isRunning
    self = isEarly ? .endedEarly : run.failed > 0 ? .withFailures : .inOrder
  }

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

extension HarvestRun {
  /// Whether it has no end yet, and its process is running.
  var isRunning: Bool { state == .open && process > 0 && (kill(process, 0) == 0 || errno == EPERM) }

  /// In words.
  var text: RunText { RunText(self, isRunning: isRunning) }
}

extension Follow.State {
  /// The class of its mark.
  var tone: String {
    switch self {
    case .new: "soft"
    case .well: "good"
    case .limited: "warn"
    case .failing, .login, .gone: "bad"
    }
  }
}
