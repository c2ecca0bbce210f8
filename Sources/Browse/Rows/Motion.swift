import FoundationEssentials

/// Rows that slide in or out. The list itself has already changed.
struct Motion: Sendable, Equatable {
  /// The direction of a row.
  enum Kind: Sendable, Equatable {
    /// A removed row slides to the right, and the rows below close up. It stood before this post, below its day's heading
    /// if they share the day.
    case leaving(ListRow, before: Int64?, isOfItsDay: Bool)
    /// An inserted row slides in.
    case arriving(Int64)
  }

  static let slide = 0.18
  static let close = 0.12

  let kind: Kind
  let start: Date

  /// Whether the motion is over. A clock set back also ends it.
  func isOver(at now: Date) -> Bool {
    let passed = now.timeIntervalSince(start)
    return passed < 0 || passed >= duration
  }

  private var duration: Double {
    if case .arriving = kind { return Self.slide }
    return Self.slide + Self.close
  }

  /// How many columns the row is shifted to the right.
  func shift(of columns: Int, at now: Date) -> Int {
    let part = min(1, max(0, now.timeIntervalSince(start) / Self.slide))
    if case .arriving = kind { return Int(Double(columns) * (1 - part) * (1 - part)) }
    return Int(Double(columns) * part * part)
  }

  /// How many rows it still takes.
  func height(of rows: Int, at now: Date) -> Int {
    guard case .leaving = kind else { return 0 }
    let part = min(1, max(0, (now.timeIntervalSince(start) - Self.slide) / Self.close))
    return Int((Double(rows) * (1 - part)).rounded(.up))
  }
}
