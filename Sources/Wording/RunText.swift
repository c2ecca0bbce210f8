import FoundationEssentials
import Posts
import Storage

/// How a harvest went, in words.
package struct RunText {
  private let run: HarvestRun
  /// Whether it is under way.
  package let isRunning: Bool

  /// The words of a harvest.
  ///
  /// - Parameter isRunning: Whether its process is running, if the harvest has no end yet.
  package init(_ run: HarvestRun, isRunning: Bool) {
    (self.run, self.isRunning) = (run, run.state == .open && isRunning)
  }

  /// `done`, `interrupted`, `running`, or `cut off` if its process ended without a record.
  package var state: String {
    run.state == .open ? isRunning ? "running" : HarvestRun.State.cutOff.rawValue : run.state.rawValue
  }

  /// The state with what went wrong: `done, 2 failed`, or `by hand, failed: tag:cats@…`.
  package var outcome: String {
    if run.isByHand {
      let words = [(run.state != .done, state), (run.failed > 0, "failed"), (run.limited > 0, "limited")]
      let outcome = (["by hand"] + words.filter(\.0).map(\.1)).joined(separator: ", ")
      return outcome + (run.feed.map { ": \(Feed.spoken($0))" } ?? "")
    }
    let counts = [(run.failed, "failed"), (run.limited, "limited"), (run.putOff, "put off")]
    let parts = counts.filter { $0.0 > 0 }.map { "\(NumberText.grouped($0.0)) \($0.1)" }
    return ([state] + parts).joined(separator: ", ")
  }

  /// How long it took; nil if its end is unknown.
  package var took: String? { run.finishedAt.map { NumberText.span($0.timeIntervalSince(run.startedAt)) } }
}
