import Foundation
import MediaLibrary

/// What is missing between two rows of a list.
public struct ListGap: Sendable, Equatable, Identifiable {
  /// Which one it is: the same while it is being filled.
  public var id: InnerGap.ID
  /// When the row above it came; nil where nobody knows.
  public var to: Date?
  /// When the row below it came; nil where nobody knows.
  public var from: Date?
  /// The post above it; nil where that is gone.
  public var above: Int64?
  /// The post below it; nil where that is gone.
  public var below: Int64?

  /// A gap from its parts.
  public init(id: InnerGap.ID, to: Date? = nil, from: Date? = nil, above: Int64? = nil, below: Int64? = nil) {
    (self.id, self.to, self.from, self.above, self.below) = (id, to, from, above, below)
  }

  /// The gap that a store knows.
  public init(_ gap: InnerGap) {
    self.init(id: gap.id, to: gap.gap.to, from: gap.gap.from, above: gap.postAbove, below: gap.postBelow)
  }

  /// How much time it spans; nil where nobody knows.
  var span: TimeInterval? {
    guard let to, let from, to > from else { return nil }
    return to.timeIntervalSince(from)
  }

  /// How far in time it lies from a moment; without end where nobody knows.
  func distance(from moment: Date) -> TimeInterval {
    let edges = [from, to].compactMap { $0.map { abs($0.timeIntervalSince(moment)) } }
    return edges.min() ?? .infinity
  }

  /// Before which of the rows it stands, their number where it stands below all; nil where it is not among them.
  func place(in reading: ListReading) -> Int? {
    let rows = reading.rows
    let lower = below.flatMap { id in rows.firstIndex { $0.id == id } }
    if let upper = above.flatMap({ id in rows.firstIndex { $0.id == id } }) {
      // Between the two may stand what other feeds brought.
      return lower.map { $0 > upper ? $0 : upper + 1 } ?? upper + 1
    }
    if let lower { return lower }
    guard let edge = from ?? to else { return nil }
    if let place = rows.firstIndex(where: { $0.createdAt <= edge }) {
      return place > 0 || !reading.hasMoreBefore ? place : nil
    }
    return reading.hasMoreAfter || rows.isEmpty ? nil : rows.count
  }
}

extension ListReading {
  /// A gap and the row before which it stands: their number where it stands below all.
  struct Break: Sendable, Equatable {
    let row: Int
    let gap: ListGap
  }
}
