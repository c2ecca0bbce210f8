import Synchronization
import Terminal

/// A live line that counts, where a person looks at standard error; nothing elsewhere.
final class LiveCount: Sendable {
  private let console: Console
  private let title: String
  private let unit: String
  private let isDrawn = Mutex(false)

  init(_ console: Console, title: String, unit: String) {
    self.console = console
    self.title = title
    self.unit = unit
  }

  /// Shows a count.
  func show(_ count: Int) {
    guard console.messagesAreSeen, !console.isQuiet else { return }
    isDrawn.withLock { $0 = true }
    let bar = ProgressBar(title: title, done: count, unit: unit)
    console.live("\r\u{1B}[K" + bar.render(width: (TerminalSize.of(2)?.columns ?? 80) - 1))
  }

  /// A line of its own amid the live one.
  func say(_ line: String) {
    clear()
    console.message(line)
  }

  /// Takes the live line away.
  func clear() {
    let wasDrawn = isDrawn.withLock { isDrawn in
      defer { isDrawn = false }
      return isDrawn
    }
    if wasDrawn { console.live("\r\u{1B}[K") }
  }
}
