import Storage
import Synchronization
import Terminal

/// Says how far collecting garbage is.
final class GarbageProgress: Sendable {
  /// Where it is said.
  let line: LiveLine
  private let unit = Mutex<Inert>("")

  init(_ line: LiveLine) { self.line = line }

  /// Takes what happened.
  func note(_ step: GarbageStep) {
    let bar = Self.bar(step)
    // What is counted now has a pace of its own.
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
