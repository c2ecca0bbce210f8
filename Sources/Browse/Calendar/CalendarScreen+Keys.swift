import FoundationEssentials
import Terminal

// What keys do in the calendar.

extension CalendarScreen {
  /// What a key asks of the list.
  enum Outcome: Equatable {
    case stay
    /// Shows the selected post whole.
    case read
    /// Writes an entry for this time.
    case write(EntryDraft)
    /// Changes the selected entry.
    case edit
    case help
    case close
  }

  /// Handles a key.
  ///
  /// - Parameters:
  ///   - size: The size of the day's table.
  ///   - now: The current time, whose day a key selects.
  mutating func handle(_ key: Key, size: DayTable.Size, now: Date) -> Outcome {
    defer { table.settle(size) }
    return isInDay ? handleInDay(key, size.rows, now) : handleInMonth(key, now)
  }

  private mutating func handleInMonth(_ key: Key, _ now: Date) -> Outcome {
    switch key {
    case .escape, .character("q"), .character("c"), .backspace: return .close
    case .left, .character("h"): move(days: -1)
    case .right, .character("l"): move(days: 1)
    case .up, .character("k"): move(days: -7)
    case .down, .character("j"): move(days: 7)
    case .pageUp, .character("b"), .character("p"): move(months: -1)
    case .pageDown, .character(" "), .character("n"): move(months: 1)
    case .home, .character("g"): move(days: -selectedIndex)
    case .end, .character("G"): move(days: days.count - 1 - selectedIndex)
    case .character("t"): select(now)
    case .enter, .tab: isInDay = true
    case .character("a"): return .write(draft)
    case .character("?"): return .help
    default: break
    }
    return .stay
  }

  private mutating func handleInDay(_ key: Key, _ height: Int, _ now: Date) -> Outcome {
    switch key {
    case .escape, .character("q"), .character("c"), .backspace, .tab, .backTab: isInDay = false
    case .up, .character("k"): step(-1)
    case .down, .character("j"): step(1)
    case .pageUp, .character("b"): step(-height)
    case .pageDown, .character(" "): step(height)
    case .home, .character("g"): table.goToStart()
    case .end, .character("G"): table.goToEnd()
    case .left, .character("p"), .character("h"): move(days: -1)
    case .right, .character("n"), .character("l"): move(days: 1)
    case .character("t"): select(now)
    case .character("a"): return .write(draft)
    case .character("e"): return table.row == nil ? .stay : .edit
    case .enter:
      table.selectCovering()
      return table.row == nil ? .stay : .read
    case .character("?"): return .help
    default: break
    }
    return .stay
  }

  /// An entry in the hour of the cursor.
  private var draft: EntryDraft { EntryDraft(start: table.interval.start, finish: table.interval.end) }

  /// Moves the cursor. Beyond the last hour is the day after, above the first the day before.
  private mutating func step(_ count: Int) {
    if !table.move(by: count) { scroll(days: count < 0 ? -1 : 1) }
  }
}
