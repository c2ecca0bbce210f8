import FoundationEssentials
import Glibc
import Terminal

// What keys do in the calendar.

extension CalendarScreen {
  /// What a key asks of the list.
  enum Outcome: Equatable {
    case stay
    /// Shows the selected post whole.
    case read
    case help
    case close
  }

  /// Handles a key.
  ///
  /// - Parameters:
  ///   - height: The rows for a day's hours.
  ///   - now: The current time, whose day a key selects.
  mutating func handle(_ key: Key, height: Int, now: Date) -> Outcome {
    opened == nil ? handleInMonth(key, now) : handleInDay(key, height)
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
    case .enter: open()
    case .character("?"): return .help
    default: break
    }
    return .stay
  }

  private mutating func handleInDay(_ key: Key, _ height: Int) -> Outcome {
    switch key {
    case .escape, .character("q"), .character("c"), .backspace: opened = nil
    case .up, .character("k"): opened?.move(by: -1, height: height)
    case .down, .character("j"): opened?.move(by: 1, height: height)
    case .pageUp, .character("b"): opened?.move(by: -height, height: height)
    case .pageDown, .character(" "): opened?.move(by: height, height: height)
    case .home, .character("g"): opened?.move(by: -100_000, height: height)
    case .end, .character("G"): opened?.move(by: 100_000, height: height)
    case .left, .character("p"), .character("h"): turn(-1)
    case .right, .character("n"), .character("l"): turn(1)
    case .enter: return opened?.row == nil ? .stay : .read
    case .character("?"): return .help
    default: break
    }
    return .stay
  }

  private mutating func turn(_ days: Int) {
    move(days: days)
    open()
  }
}
