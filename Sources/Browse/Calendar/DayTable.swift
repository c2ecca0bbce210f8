import FoundationEssentials
import Machine
import MediaLibrary

/// The hours of a day with what stands in them: entries as blocks over the hours that they cover, and posts, oldest first.
///
/// The cursor stops at everything that begins in an hour, and at an hour in which nothing begins.
struct DayTable: Sendable, Equatable {
  /// A row where the cursor stops.
  struct Stop: Sendable, Equatable {
    let hour: Int
    /// What begins there; nil if nothing does.
    let row: ListRow?
  }

  /// Where the cursor is when the posts have been read.
  enum Beginning: Sendable { case firstPost, firstHour, lastHour }

  /// The hours.
  let hours: [DateInterval]
  /// The hours as a clock shows them: `14:00–15:00`.
  let labels: [String]
  /// The posts of each hour, newest first, and the entries that reach into it.
  private(set) var readings: [CalendarReading]
  /// The entries with a length, and where they stand.
  private(set) var entries: [ListRow] = []
  private(set) var blocks: HourTable
  /// The cursor's hour, and the post in it that is selected, if any.
  private(set) var hour: Int
  private(set) var selected: Int64?
  /// The first visible line, unless the cursor needs another.
  private(set) var top = 0
  /// Whether the posts have been read.
  private(set) var isRead = false
  private let beginning: Beginning

  /// The hour at which a day without posts is shown first.
  private static let morning = 8

  init(_ day: DateInterval, _ localCalendar: LocalCalendar, from beginning: Beginning = .firstPost) {
    hours = localCalendar.hours(of: day)
    labels = localCalendar.labels(of: hours)
    readings = hours.map { CalendarReading($0, count: .exactly(0)) }
    blocks = HourTable(hours: hours, entries: [])
    self.beginning = beginning
    hour =
      switch beginning {
      case .firstHour: 0
      case .lastHour: hours.count - 1
      case .firstPost: min(Self.morning, hours.count - 1)
      }
    top = max(0, hour - 1)
  }

  /// The number of posts of the day. An entry counts once, however many hours it covers.
  var total: Total { readings.total }

  /// Everything that stands in the day, in the order of the cursor.
  var rows: [ListRow] { stops.compactMap(\.row) }

  /// The selected post.
  var row: ListRow? { selected.flatMap { id in rows.first { $0.id == id } } }

  /// The stops of the cursor, from top to bottom.
  var stops: [Stop] {
    hours.indices.flatMap { hour in
      let rows = begun(in: hour).map { entries[blocks.blocks[$0].entry] } + posts(of: hour)
      return rows.isEmpty ? [Stop(hour: hour, row: nil)] : rows.map { Stop(hour: hour, row: $0) }
    }
  }

  /// The index of the cursor among the stops.
  var stopIndex: Int {
    let stops = stops
    return stops.firstIndex { $0.hour == hour && $0.row?.id == selected } ?? stops.firstIndex { $0.hour == hour } ?? 0
  }

  /// The time range of the cursor's hour.
  var interval: DateInterval { hours[hour] }

  /// The blocks that begin in an hour, in the order of their lines.
  private func begun(in hour: Int) -> [Int] {
    var seen: Set<Int> = []
    return blocks.lines[hour].flatMap { $0.cells.compactMap(\.self) }.filter {
      blocks.blocks[$0].hours.lowerBound == hour && seen.insert($0).inserted
    }
  }

  /// The posts of an hour that are no blocks, oldest first.
  func posts(of hour: Int) -> [ListRow] { readings[hour].rows.reversed().filter { !$0.hasLength } }

  /// The number of posts of an hour that are not read; nil if all are.
  func more(in hour: Int) -> Total? {
    let reading = readings[hour]
    let left = reading.count.known - reading.rows.count - reading.continuedCount
    guard left > 0 else { return nil }
    return if case .moreThan = reading.count { .moreThan(left) } else { .exactly(left) }
  }

  // MARK: Changes

  /// Applies a reading. The cursor stays on its post, or moves to the nearest if that is gone.
  mutating func handle(_ next: [CalendarReading]) {
    let before = rows.firstIndex { $0.id == selected }
    readings = next
    var seen: Set<Int64> = []
    let all = (next.first?.continued ?? []) + next.flatMap { $0.rows.reversed() + $0.continued }
    entries = all.filter { $0.hasLength && seen.insert($0.id).inserted }
    blocks = HourTable(hours: hours, entries: entries.map { DateInterval(start: $0.createdAt, end: $0.end) })
    defer { isRead = true }
    if !isRead { return begin() }
    let rows = rows
    if let selected, !rows.contains(where: { $0.id == selected }) {
      self.selected = rows.isEmpty ? nil : rows[min(before ?? 0, rows.count - 1)].id
    }
    let stops = stops
    put(at: stops.firstIndex { $0.row?.id == selected && selected != nil } ?? stopIndex, of: stops)
  }

  private mutating func begin() {
    let stops = stops
    switch beginning {
    case .firstHour: put(at: 0, of: stops)
    case .lastHour: put(at: stops.count - 1, of: stops)
    case .firstPost: put(at: stops.firstIndex { $0.row != nil } ?? stopIndex, of: stops)
    }
    top = max(0, hour - 1)
  }

  private mutating func put(at stopIndex: Int, of stops: [Stop]) {
    (hour, selected) = (stops[stopIndex].hour, stops[stopIndex].row?.id)
  }

  /// Moves the cursor this many stops down.
  ///
  /// - Returns: False if the day ends before, and the cursor already stood at its end.
  mutating func move(by count: Int) -> Bool {
    let (stops, stopIndex) = (stops, stopIndex)
    let next = min(max(0, stopIndex + count), stops.count - 1)
    put(at: next, of: stops)
    return next != stopIndex || count == 0
  }

  /// Moves the cursor to the first post, or from there to the first hour.
  mutating func goToStart() {
    let (stops, stopIndex) = (stops, stopIndex)
    let first = stops.firstIndex { $0.row != nil } ?? 0
    put(at: stopIndex > first ? first : 0, of: stops)
  }

  /// Moves the cursor to the last post, or from there to the last hour.
  mutating func goToEnd() {
    let (stops, stopIndex) = (stops, stopIndex)
    let last = stops.lastIndex { $0.row != nil } ?? stops.count - 1
    put(at: stopIndex < last ? last : stops.count - 1, of: stops)
  }

  /// Selects the post this many posts later, or stays if there is none.
  mutating func turn(by count: Int) {
    let rows = rows
    guard let index = rows.firstIndex(where: { $0.id == selected }) else { return }
    select(rows[min(max(0, index + count), rows.count - 1)].id)
  }

  /// Selects a post.
  mutating func select(_ post: Int64) {
    let stops = stops
    if let index = stops.firstIndex(where: { $0.row?.id == post }) { put(at: index, of: stops) }
  }

  /// Puts the cursor into an hour.
  mutating func select(hour: Int) {
    let stops = stops
    if let index = stops.firstIndex(where: { $0.hour == hour }) { put(at: index, of: stops) }
  }

  /// Selects the first entry that covers the cursor's hour, if nothing is selected.
  mutating func selectCovering() {
    guard selected == nil, let block = blocks.lines[hour].first?.cells.compactMap(\.self).first else { return }
    select(entries[blocks.blocks[block].entry].id)
  }

  /// Stores the first visible line as drawn.
  mutating func settle(_ size: Size) { top = start(size) }

  /// The first visible line that keeps the cursor visible.
  func start(_ size: Size) -> Int {
    let lines = lines(size)
    let bounded = min(top, max(0, lines.count - size.rows))
    guard let index = lines.firstIndex(where: holdsCursor) else { return bounded }
    return min(max(bounded, index - size.rows + 1), index)
  }
}

extension ListRow {
  /// Whether it is an entry that ends later than it begins.
  var hasLength: Bool { endsAt.map { $0 > createdAt } ?? false }

  /// When it ends; when it begins, if it has no end.
  var end: Date { max(createdAt, endsAt ?? createdAt) }
}
