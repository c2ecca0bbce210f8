import Synchronization
import Terminal
import Transfer
import Wording

/// Reports the progress of a backup, and what it did.
final class BackupReport: Sendable {
  /// Where the progress is shown.
  let line: LiveLine
  private let console: Console
  private let json: Bool
  private let unit = Mutex<SafeText>("")

  init(_ console: Console, json: Bool) {
    (self.console, self.json, line) = (console, json, LiveLine(console))
  }

  /// Handles an event.
  func note(_ step: BackupStep) {
    let bar =
      switch step {
      case .store(let done, let known):
        ProgressBar(title: "backup", done: done, total: known, unit: "parts of the store")
      case .blobs(let done, let known, let bytes):
        ProgressBar(title: "backup", done: done, total: known, unit: "pictures", bytes: bytes)
      }
    // The next phase has its own speed.
    unit.withLock { unit in
      if unit != bar.unit { line.begin() }
      unit = bar.unit
    }
    line.show(bar)
  }

  /// Says that another command has to end first.
  func waits() { line.say("backup: waits for another command that removes pictures") }

  /// Prints what was done.
  func end(_ result: BackupResult, folder: String) throws {
    line.clear()
    if json {
      let failed = result.lostCount + result.refused.values.reduce(0, +)
      return try console.result(
        try JSONText.object([
          "folder": folder, "unchanged": result.isUnchanged, "copied": result.copied, "bytes": result.bytes,
          "removed": result.removed, "failed": failed,
        ]))
    }
    guard !console.isQuiet else { return }
    if result.isUnchanged { return try console.result("\(folder) is up to date.") }
    let copied = "\(NumberText.count(result.copied, "new picture")) (\(NumberText.bytes(result.bytes)))"
    let removed =
      result.removed > 0 ? ", without \(NumberText.count(result.removed, "picture")) that the library let go" : ""
    try console.result("Backed up into \(folder): the store and \(copied)\(removed).")
  }

  /// Complains of what could not be copied.
  func complain(of result: BackupResult) throws {
    guard result.lostCount > 0 || !result.refused.isEmpty else { return }
    for (reason, count) in result.refused.sorted(by: { $0.key < $1.key }) {
      console.error("media: \(NumberText.count(count, "record")) cannot be stored: \(reason)")
    }
    guard result.lostCount > 0 else { throw ExitHandling.Quiet(code: .partial) }
    for id in result.lost { console.message("backup: \(id.path) is missing from the library, or damaged") }
    console.error(
      "media: \(NumberText.count(result.lostCount, "picture")) could not be copied, all else is backed up: run \"media check --repair\", then back up again"
    )
    throw ExitHandling.Quiet(code: .partial)
  }
}
