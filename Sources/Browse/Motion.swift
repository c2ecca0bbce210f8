import Foundation

/// Rows on their way in or out: decoration over a list that has changed already.
struct Motion: Sendable, Equatable {
  /// Which way a row goes.
  enum Kind: Sendable, Equatable {
    /// A row that is gone slides to the right, and what is below closes up; it stood before this post, below the heading
    /// of that one's day where it was of the same.
    case leaving(ListRow, before: Int64?, isOfItsDay: Bool)
    /// A row that is there slides in.
    case arriving(Int64)
  }

  static let slide = 0.18
  static let close = 0.12

  let kind: Kind
  let start: Date

  /// Whether it is over. A clock that was set back ends it, too.
  func isOver(at now: Date) -> Bool {
    let passed = now.timeIntervalSince(start)
    return passed < 0 || passed >= duration
  }

  private var duration: Double {
    if case .arriving = kind { return Self.slide }
    return Self.slide + Self.close
  }

  /// How many columns the row stands to the right of its place.
  func shift(of columns: Int, at now: Date) -> Int {
    let part = min(1, max(0, now.timeIntervalSince(start) / Self.slide))
    if case .arriving = kind { return Int(Double(columns) * (1 - part) * (1 - part)) }
    return Int(Double(columns) * part * part)
  }

  /// How many rows of its own it still takes.
  func height(of rows: Int, at now: Date) -> Int {
    guard case .leaving = kind else { return 0 }
    let part = min(1, max(0, (now.timeIntervalSince(start) - Self.slide) / Self.close))
    return Int((Double(rows) * (1 - part)).rounded(.up))
  }
}
