import FoundationEssentials

/// The rows that were read, the selected one, and the visible part.
///
/// The selection is a post, not an index: it stays on its post while others come and go. If the post is removed, the
/// nearest remaining post is selected. The screen is anchored at the selected row, so that insertions above do not move the
/// text being read.
struct RowList: Sendable, Equatable {
  private(set) var reading = ListReading()
  /// The selected post.
  private(set) var selected: Int64?
  /// The screen line on which the selected row begins.
  private(set) var screenTop = 0
  private(set) var motions: [Motion] = []
  /// A post to select as soon as it is there.
  var awaited: Int64?
  /// Whether to select the newest row as soon as it is there.
  var awaitsTop = false
  /// Whether to select the last row as soon as it is there.
  var awaitsBottom = false
  /// The known gaps, whether or not their rows were read.
  private(set) var gaps: [ListGap] = []

  /// The index of the selected row.
  var selectedIndex: Int? { selected.flatMap { id in reading.rows.indices.first { reading.rows[$0].id == id } } }

  /// The selected row.
  var row: ListRow? { selectedIndex.map { reading.rows[$0] } }

  /// Whether the last stored row is selected.
  var isAtEnd: Bool { !reading.hasMoreAfter && selectedIndex == reading.rows.count - 1 }

  /// The line at which the screen begins.
  func offset(_ layout: RowLayout, _ metrics: Metrics) -> Int {
    guard let item = selectedIndex.flatMap(layout.item) else { return 0 }
    return min(max(0, item.top - screenTop), max(0, layout.height - metrics.height))
  }

  // MARK: Moving

  /// Selects the row this many rows below. Returns whether the selection changed.
  @discardableResult
  mutating func move(by rows: Int, keepingScreenLine: Bool = false, _ metrics: Metrics) -> Bool {
    guard let selectedIndex, !reading.rows.isEmpty else { return false }
    return select(
      min(max(0, selectedIndex + rows), reading.rows.count - 1), keepingScreenLine: keepingScreenLine, metrics)
  }

  /// Selects a row and scrolls to it, with the day's heading if it is the first. Returns whether the selection changed.
  @discardableResult
  mutating func select(_ row: Int, keepingScreenLine: Bool = false, _ metrics: Metrics) -> Bool {
    guard reading.rows.indices.contains(row) else { return false }
    let layout = RowLayout(reading, metrics)
    let offset = offset(layout, metrics)
    let isOther = reading.rows[row].id != selected
    selected = reading.rows[row].id
    guard let item = layout.item(ofRow: row) else { return isOther }
    if !keepingScreenLine { screenTop = item.top - offset }
    let above = layout.heading(above: row)?.height ?? 0
    let below = row == reading.rows.count - 1 ? 1 : 0
    screenTop = max(min(screenTop, metrics.height - item.height - below), 0)
    screenTop = max(screenTop, min(above, max(0, metrics.height - item.height)))
    settle(metrics)
    return isOther
  }

  /// Keeps the screen within the list after its size or the list changed.
  mutating func settle(_ metrics: Metrics) {
    reading.measure(metrics)
    let layout = RowLayout(reading, metrics)
    guard let item = selectedIndex.flatMap(layout.item) else {
      screenTop = 0
      return
    }
    screenTop = min(max(0, screenTop), max(0, metrics.height - item.height))
    screenTop = item.top - offset(layout, metrics)
  }

  // MARK: Changing

  /// Cancels pending selections.
  mutating func awaitNothing() { (awaited, awaitsTop, awaitsBottom) = (nil, false, false) }

  /// Shows another list from its beginning.
  mutating func clear() { self = RowList() }

  /// Applies the newest reading. Removed and inserted rows slide if `now` is given.
  mutating func update(_ next: ListReading, _ metrics: Metrics, animatedAt now: Date?) {
    let before = RowLayout(reading, metrics)
    let offset = offset(before, metrics)
    let old = reading
    let remaining = Set(next.rows.map(\.id))
    let visible = visibleRows(before, offset, metrics)
    if let now, !old.rows.isEmpty { animate(old, next, visible, now) }
    let (survivor, top) = survivor(old, remaining, visible, metrics)
    reading = next
    reading.put(gaps)
    reading.measure(metrics, like: old)
    selected = survivor ?? next.rows.first?.id
    screenTop = metrics.isGrid ? gridTop(before, old, remaining, visible, offset, metrics) : top
    if offset == 0 { stayAtTop(metrics) }
    settle(metrics)
    follow(metrics)
  }

  /// Shows gaps between the rows. The selected row keeps its screen line.
  mutating func show(_ next: [ListGap], _ metrics: Metrics) {
    guard next != gaps else { return }
    let isAtTop = offset(RowLayout(reading, metrics), metrics) == 0
    gaps = next
    reading.put(next)
    if isAtTop { stayAtTop(metrics) }
    settle(metrics)
  }

  /// Removes finished motions.
  mutating func endMotions(at now: Date) { motions.removeAll { $0.isOver(at: now) } }

  /// Ends all motions.
  mutating func endMotions() { motions = [] }

  private func visibleRows(_ layout: RowLayout, _ offset: Int, _ metrics: Metrics) -> [Int] {
    layout.items.compactMap { item in
      guard case .post(let row) = item.content, item.top < offset + metrics.height, item.top + item.height > offset
      else { return nil }
      return row
    }
  }

  /// The post to select next, and its screen line: rows above stay, rows below move up.
  private func survivor(
    _ old: ListReading, _ remaining: Set<Int64>, _ visible: [Int], _ metrics: Metrics
  ) -> (id: Int64?, top: Int) {
    guard let selectedIndex else { return (nil, 0) }
    let gone = visible.filter { $0 < selectedIndex && !remaining.contains(old.rows[$0].id) }
    let top = screenTop - gone.reduce(0) { $0 + old.height(ofRow: $1, metrics) }
    if let next = old.rows[selectedIndex...].first(where: { remaining.contains($0.id) }) { return (next.id, top) }
    guard let above = old.rows[..<selectedIndex].lastIndex(where: { remaining.contains($0.id) }) else {
      return (nil, 0)
    }
    return (old.rows[above].id, top - old.height(ofRow: above, metrics))
  }

  /// The screen line of a grid's selected post, so that the first visible post that stays keeps its own.
  private func gridTop(
    _ before: RowLayout, _ old: ListReading, _ remaining: Set<Int64>, _ visible: [Int], _ offset: Int,
    _ metrics: Metrics
  ) -> Int {
    let after = RowLayout(reading, metrics)
    guard let anchor = visible.first(where: { remaining.contains(old.rows[$0].id) }),
      let then = before.item(ofRow: anchor), let item = selectedIndex.flatMap(after.item),
      let now = reading.rows.firstIndex(where: { $0.id == old.rows[anchor].id }).flatMap(after.item)
    else { return screenTop }
    return item.top - now.top + then.top - offset
  }

  /// A screen at the list's beginning stays there, as long as the selected row remains visible.
  private mutating func stayAtTop(_ metrics: Metrics) {
    let layout = RowLayout(reading, metrics)
    guard let item = selectedIndex.flatMap(layout.item), item.top + item.height <= metrics.height else { return }
    screenTop = item.top
  }

  /// Selects the post as soon as it is there. Returns false if it is not there yet.
  mutating func expect(_ id: Int64?, _ metrics: Metrics) -> Bool {
    awaited = id
    follow(metrics)
    return awaited == nil
  }

  /// Applies a pending selection.
  private mutating func follow(_ metrics: Metrics) {
    if awaitsTop, !reading.hasMoreBefore {
      awaitsTop = false
      select(0, metrics)
    }
    if awaitsBottom, !reading.hasMoreAfter {
      awaitsBottom = false
      select(reading.rows.count - 1, metrics)
    }
    if let id = awaited, let row = reading.rows.firstIndex(where: { $0.id == id }) {
      awaited = nil
      select(row, metrics)
    }
  }

  private mutating func animate(_ old: ListReading, _ next: ListReading, _ visible: [Int], _ now: Date) {
    let (was, remaining) = (Set(old.rows.map(\.id)), Set(next.rows.map(\.id)))
    // If everything changed, the eye cannot follow a motion.
    guard visible.contains(where: { remaining.contains(old.rows[$0].id) }) || next.rows.isEmpty else {
      return endMotions()
    }
    for index in visible where !remaining.contains(old.rows[index].id) {
      let follower = old.rows[(index + 1)...].firstIndex { remaining.contains($0.id) }
      let day = old.sections.first { $0.rows.contains(index) }?.rows
      let isOfItsDay = follower.map { day?.contains($0) ?? true } ?? true
      let id = follower.map { old.rows[$0].id }
      motions.append(Motion(kind: .leaving(old.rows[index], before: id, isOfItsDay: isOfItsDay), start: now))
    }
    let came = next.rows.filter { !was.contains($0.id) }
    guard came.count <= 10 else { return }
    motions += came.map { Motion(kind: .arriving($0.id), start: now) }
  }
}
