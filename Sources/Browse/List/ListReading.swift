import FoundationEssentials
import MediaLibrary
import Wording

/// The content of a list's window at one moment.
public struct ListReading: Sendable, Equatable {
  /// The rows of one day.
  public struct Section: Sendable, Equatable {
    /// A time in that day.
    public var day: Date
    /// The number of posts of the whole day.
    public var count: Total
    /// The indices of its rows.
    public var rows: Range<Int>
  }

  /// The rows, newest first.
  public var rows: [ListRow]
  /// The days; empty if rows are not grouped.
  public var sections: [Section]
  /// The number of posts in the list.
  public var total: Total
  /// How many posts the list leaves out because they are hidden.
  public private(set) var hidden = Total.exactly(0)
  /// Up to when the list was looked through so far; nil for all of it.
  public private(set) var lookedTo: Date?
  /// Whether stored posts stand above the window.
  public var hasMoreBefore: Bool
  /// Whether stored posts stand below the window.
  public var hasMoreAfter: Bool
  /// Whether the rows stand in another order than newest first, where a gap between two of them is none.
  private(set) var isSorted = false
  /// The gaps between rows, from top to bottom.
  private(set) var breaks: [Break] = []
  // Breaking all captions into lines takes longer than everything else that a key needs.
  private var heights: [Int] = []
  private var measured: Metrics?

  /// Creates a reading.
  public init(
    rows: [ListRow] = [], sections: [Section] = [], total: Total? = nil, hasMoreBefore: Bool = false,
    hasMoreAfter: Bool = false
  ) {
    (self.rows, self.sections) = (rows, sections)
    self.total = total ?? .exactly(rows.count)
    (self.hasMoreBefore, self.hasMoreAfter) = (hasMoreBefore, hasMoreAfter)
  }

  /// Sets the gaps between the rows.
  mutating func put(_ gaps: [ListGap]) {
    let breaks = (isSorted ? [] : gaps).compactMap { gap in gap.row(in: self).map { Break(row: $0, gap: gap) } }
    self.breaks = breaks.sorted { $0.row < $1.row }
  }

  /// Measures each row's lines on a screen. Reuses the measures of an earlier reading.
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

  /// The number of lines of a row.
  func height(ofRow row: Int, _ metrics: Metrics) -> Int {
    if metrics.isGrid { return metrics.postHeight }
    return measured == metrics && heights.indices.contains(row) ? heights[row] : rows[row].height(metrics)
  }

  /// The reading of a controller's content, by day unless it is in another order. Reuses cached rows of unchanged posts.
  public init(_ snapshot: Snapshot<ListedPost>, made: inout RowCache) {
    let rows = made.rows(of: snapshot.rows)
    let sections = snapshot.sections.filter { !$0.id.isEmpty }.compactMap { section in
      rows.indices.contains(section.rows.lowerBound)
        ? Section(day: rows[section.rows.lowerBound].createdAt, count: section.count, rows: section.rows) : nil
    }
    self.init(
      rows: rows, sections: sections, total: snapshot.total, hasMoreBefore: snapshot.hasMoreBefore,
      hasMoreAfter: snapshot.hasMoreAfter)
    (hidden, lookedTo) = (snapshot.hidden, snapshot.lookedTo)
    isSorted = snapshot.rows.first?.key.section != nil
  }
}

/// Rows of stored posts, each made once per version of its post: remaking a whole window on each change would delay key
/// input.
public struct RowCache: Sendable {
  private var made: [Int64: (post: StoredPost, row: ListRow)] = [:]
  private let zone: TimeZone

  /// An empty cache. Rows show times of this zone.
  public init(zone: TimeZone = .autoupdatingCurrent) { self.zone = zone }

  /// The rows of these posts. Evicts the rows of other posts.
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
  /// `128` or `more than 10,000` posts.
  var text: String {
    switch self {
    case .exactly(let count): NumberText.count(count, "post")
    case .moreThan(let count): "more than \(count) posts"
    }
  }
}
