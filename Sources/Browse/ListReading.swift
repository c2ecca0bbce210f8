import Foundation
import MediaLibrary

/// What a window of the list holds at one moment.
public struct ListReading: Sendable, Equatable {
  /// Rows of one day.
  public struct Section: Sendable, Equatable {
    /// A moment of that day.
    public var day: Date
    /// How many posts the whole day has.
    public var count: Total
    /// Which rows they are.
    public var rows: Range<Int>

    /// A section from its parts.
    public init(day: Date, count: Total, rows: Range<Int>) {
      (self.day, self.count, self.rows) = (day, count, rows)
    }
  }

  /// The rows, newest first.
  public var rows: [ListRow]
  /// Their days; empty where they are not grouped.
  public var sections: [Section]
  /// How many posts the list has.
  public var total: Total
  /// Whether stored posts stand above the window.
  public var hasMoreBefore: Bool
  /// Whether stored posts stand below it.
  public var hasMoreAfter: Bool
  /// What is missing between the rows, from top to bottom.
  private(set) var breaks: [Break] = []
  // To break all captions into lines takes longer than all else that a key needs.
  private var heights: [Int] = []
  private var measured: Metrics?

  /// A reading from its parts.
  public init(
    rows: [ListRow] = [], sections: [Section] = [], total: Total? = nil, hasMoreBefore: Bool = false,
    hasMoreAfter: Bool = false
  ) {
    (self.rows, self.sections) = (rows, sections)
    self.total = total ?? .exactly(rows.count)
    (self.hasMoreBefore, self.hasMoreAfter) = (hasMoreBefore, hasMoreAfter)
  }

  /// Puts what is missing between the rows.
  mutating func put(_ gaps: [ListGap]) {
    let breaks = gaps.compactMap { gap in gap.place(in: self).map { Break(row: $0, gap: gap) } }
    self.breaks = breaks.sorted { $0.row < $1.row }
  }

  /// Finds out how many lines each row takes on a screen; those of rows that an earlier reading holds are known.
  mutating func measure(_ metrics: Metrics, like earlier: ListReading = ListReading()) {
    guard metrics != measured else { return }
    measured = metrics
    guard !metrics.isGrid else { return }
    let known = earlier.measured == metrics ? zip(earlier.rows, earlier.heights) : zip([], [])
    let before = Dictionary(known.map { ($0.id, (row: $0, height: $1)) }, uniquingKeysWith: { first, _ in first })
    heights = rows.map { row in
      if let known = before[row.id], known.row == row { known.height } else { row.height(metrics) }
    }
  }

  /// The lines a row takes.
  func height(ofRow row: Int, _ metrics: Metrics) -> Int {
    if metrics.isGrid { return metrics.postHeight }
    return measured == metrics && heights.indices.contains(row) ? heights[row] : rows[row].height(metrics)
  }

  /// What a controller shows; rows that were made before of the same posts are taken as they are.
  public init(_ snapshot: Snapshot<ListedPost>, isByDay: Bool, made: inout MadeRows) {
    let rows = made.rows(of: snapshot.rows)
    let sections = snapshot.sections.compactMap { section in
      rows.indices.contains(section.rows.lowerBound)
        ? Section(day: rows[section.rows.lowerBound].createdAt, count: section.count, rows: section.rows) : nil
    }
    self.init(
      rows: rows, sections: isByDay ? sections : [], total: snapshot.total, hasMoreBefore: snapshot.hasMoreBefore,
      hasMoreAfter: snapshot.hasMoreAfter)
  }
}

/// Rows of stored posts, each made once as long as its post stays as it is: to make all of a window anew whenever one of
/// them changes would keep the processor from who waits for a key.
public struct MadeRows: Sendable {
  private var made: [Int64: (post: StoredPost, row: ListRow)] = [:]
  private let zone: TimeZone

  /// None. Rows tell times of that zone.
  public init(zone: TimeZone = .current) { self.zone = zone }

  /// The rows of these posts. Those of posts that are no longer there are let go.
  mutating func rows(of listed: [ListedPost]) -> [ListRow] {
    let before = made
    made.removeAll(keepingCapacity: true)
    return listed.map { listed in
      let known = before[listed.post.id]
      let row = known.flatMap { $0.post == listed.post ? $0.row : nil } ?? ListRow(listed.post, zone: zone)
      made[listed.post.id] = (listed.post, row)
      return row
    }
  }
}

extension Total {
  /// `128`, `more than 10,000` posts.
  var words: String {
    switch self {
    case .exactly(let count): "\(count) \(count == 1 ? "post" : "posts")"
    case .moreThan(let count): "more than \(count) posts"
    }
  }
}
