import Storage
import Synchronization
import Terminal

/// Reports the progress of garbage collection.
final class GarbageProgress: Sendable {
  /// Where it is shown.
  let line: LiveLine
  private let unit = Mutex<SafeText>("")

  init(_ line: LiveLine) { self.line = line }

  /// Handles an event.
  func note(_ step: GarbageStep) {
    let bar = Self.bar(step)
    // The next phase has its own speed.
    unit.withLock { unit in
      if unit != bar.unit { line.begin() }
      unit = bar.unit
    }
    line.show(bar)
  }

  private static func bar(_ step: GarbageStep) -> ProgressBar {
    switch step {
    case .freed(let files, let known, let bytes):
      ProgressBar(title: "gc", done: files, total: known, unit: "files freed", bytes: bytes)
    case .files(let done, let known): ProgressBar(title: "gc", done: done, total: known, unit: "files")
    case .store: ProgressBar(title: "gc", done: 0, total: 1, unit: "store", note: "its empty room")
    }
  }
}
