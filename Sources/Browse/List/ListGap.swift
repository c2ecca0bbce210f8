import FoundationEssentials
import MediaLibrary

/// A gap between two rows of a list.
public struct ListGap: Sendable, Equatable, Identifiable {
  /// The gap's identity, which stays the same while it is being filled.
  public var id: InnerGap.ID
  /// The time of the row above; nil if unknown.
  public var to: Date?
  /// The time of the row below; nil if unknown.
  public var from: Date?
  /// The post above; nil if it is gone.
  public var above: Int64?
  /// The post below; nil if it is gone.
  public var below: Int64?

  /// Creates a gap.
  public init(id: InnerGap.ID, to: Date? = nil, from: Date? = nil, above: Int64? = nil, below: Int64? = nil) {
    (self.id, self.to, self.from, self.above, self.below) = (id, to, from, above, below)
  }

  /// Creates a gap from the store's.
  public init(_ gap: InnerGap) {
    self.init(id: gap.id, to: gap.gap.to, from: gap.gap.from, above: gap.postAbove, below: gap.postBelow)
  }

  /// The time it spans, in seconds; nil if unknown.
  var span: TimeInterval? {
    guard let to, let from, to > from else { return nil }
    return to.timeIntervalSince(from)
  }

  /// Its distance in time from a date; infinite if unknown.
  func distance(from moment: Date) -> TimeInterval {
    let edges = [from, to].compactMap { $0.map { abs($0.timeIntervalSince(moment)) } }
    return edges.min() ?? .infinity
  }

  /// The row before which it stands; the number of rows if it stands below all; nil if it is not among them.
  func row(in reading: ListReading) -> Int? {
    let rows = reading.rows
    let lower = below.flatMap { id in rows.firstIndex { $0.id == id } }
    if let upper = above.flatMap({ id in rows.firstIndex { $0.id == id } }) {
      // Posts of other feeds may stand between the two.
      return lower.map { $0 > upper ? $0 : upper + 1 } ?? upper + 1
    }
    if let lower { return lower }
    guard let edge = from ?? to else { return nil }
    if let index = rows.firstIndex(where: { $0.createdAt <= edge }) {
      return index > 0 || !reading.hasMoreBefore ? index : nil
    }
    return reading.hasMoreAfter || rows.isEmpty ? nil : rows.count
  }
}

extension ListReading {
  /// A gap and the row before which it stands; the number of rows if it stands below all.
  struct Break: Sendable, Equatable {
    let row: Int
    let gap: ListGap
  }
}
