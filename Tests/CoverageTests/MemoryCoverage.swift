import Coverage

/// The coverage of a feed, kept in memory. It writes what merges decide, and answers what they ask, as a library does.
struct MemoryCoverage {
  /// Where a pull stands.
  struct Checkpoint {
    var interval: CoverageInterval?
    var position: Int64 = 0
  }

  private struct Row {
    let moment: Int
    var interval: Int64?
    var position: Int64?
  }

  private(set) var intervals: [Int64: CoverageInterval] = [:]
  private var rows: [Int: Row] = [:]
  private var count: Int64 = 0

  /// The numbers of the stored items.
  var stored: Set<Int> { Set(rows.keys) }

  /// The items of an interval, highest first.
  func numbers(in id: Int64) -> [Int] {
    rows.filter { $0.value.interval == id }.sorted {
      ($0.value.position ?? 0, $0.value.moment) > ($1.value.position ?? 0, $1.value.moment)
    }.map(\.key)
  }

  /// Stores a page below what a pull has read.
  mutating func store(_ page: [(number: Int, moment: Int)], below checkpoint: inout Checkpoint) {
    var merge = begin(.down, page, at: checkpoint)
    write(&merge, page.map(\.number))
    checkpoint = keep(merge)
    if page.isEmpty, let interval = merge.interval, merge.position <= end(.down, of: interval.id)?.position ?? .min {
      let isLowest = intervals.keys.min() == interval.id
      intervals[interval.id]?.reachedEnd = isLowest
    }
  }

  /// Stores a page that was requested above an item.
  mutating func store(
    _ page: [(number: Int, moment: Int)], above anchor: Int, of interval: CoverageInterval
  ) -> UpwardMergeResult {
    let page = Array(page.reversed())
    var merge = begin(.up, page, at: Checkpoint(interval: interval))
    guard let base = rows[anchor]?.position, rows[anchor]?.interval == interval.id, merge.begins(above: base),
      merge.showsSeveral || page.contains(where: { isNear(.up, $0.number, of: interval.id) })
    else { return .apart }
    write(&merge, page.map(\.number))
    _ = keep(merge)
    return merge.result
  }

  // MARK: Merging

  private mutating func begin(
    _ direction: Direction, _ page: [(number: Int, moment: Int)], at checkpoint: Checkpoint
  ) -> PageMerge {
    for (number, moment) in page where rows[number] == nil { rows[number] = Row(moment: moment) }
    return PageMerge(direction, page.map { item($0.number) }, in: checkpoint.interval, at: checkpoint.position)
  }

  private mutating func keep(_ merge: PageMerge) -> Checkpoint {
    if let interval = merge.interval { intervals[interval.id] = interval }
    return Checkpoint(interval: merge.interval, position: merge.position)
  }

  private func item(_ number: Int) -> PositionedItem {
    let row = rows[number]
    return PositionedItem(
      id: "\(number)", moment: text(row?.moment ?? 0), interval: row?.interval, position: row?.position)
  }

  private mutating func write(_ merge: inout PageMerge, _ page: [Int]) {
    while let step = merge.next() {
      switch step {
      case .late(let placed): place(placed, of: page, in: merge)
      case .meets(let id):
        if let other = intervals[id], let meeting = merge.meeting, touches(other, meeting, merge, page[merge.index]) {
          join(other, meeting, &merge, page)
          merge.reread(page[merge.index...].map(item))
        } else {
          merge.passOver()
        }
      }
    }
    guard let first = merge.firstWaiting else { return }
    if merge.interval == nil { merge.interval = open(first) }
    let rest = merge.finish(at: merge.interval.flatMap { end(merge.direction, of: $0.id) })
    place(rest, of: page, in: merge)
  }

  private mutating func open(_ newest: String) -> CoverageInterval {
    count += 1
    return CoverageInterval(id: count, feed: 1, newest: newest, oldest: newest)
  }

  private mutating func place(_ placed: [PageMerge.Placement], of page: [Int], in merge: PageMerge) {
    for (index, position) in placed {
      let left = rows[page[index]]?.interval
      set(page[index], merge.interval?.id, position)
      if let left, left != merge.interval?.id { tighten(left) }
    }
  }

  private func touches(
    _ other: CoverageInterval, _ meeting: PageMerge.Meeting, _ merge: PageMerge, _ number: Int
  ) -> Bool {
    guard meeting.isProven || isNear(merge.direction == .down ? .up : .down, number, of: other.id) else { return false }
    guard meeting.part != nil, let bottom = merge.interval.flatMap({ end(.down, of: $0.id) }) else { return true }
    return merge.position <= bottom.position
  }

  private mutating func join(
    _ other: CoverageInterval, _ meeting: PageMerge.Meeting, _ merge: inout PageMerge, _ page: [Int]
  ) {
    if merge.interval == nil, meeting.part == nil, merge.firstWaiting == nil {
      return merge.join(.whole(other, border: .max))
    }
    if merge.interval == nil { merge.interval = open(merge.firstWaiting ?? other.newest) }
    let between = merge.extend(beyond: merge.interval.flatMap { end(merge.direction, of: $0.id)?.position })
    place(between, of: page, in: merge)
    guard let interval = merge.interval else { return }
    if let part = meeting.part {
      merge.join(downTo: part, below: end(.down, of: interval.id)?.position)
      let shift = positions(of: other.id).shift(.down, beyond: positions(of: interval.id))
      let lowest = rows[Int(part.id) ?? 0]?.position ?? 0
      move(other.id, to: interval.id, by: shift) { $0 >= lowest }
      return tighten(other.id)
    }
    let (upper, lower) = merge.direction == .down ? (interval, other) : (other, interval)
    let counts = (numbers(in: upper.id).count, numbers(in: lower.id).count)
    let joining = Joining(
      positions(of: upper.id), positions(of: lower.id), counts: counts, areMoving: (false, false), most: .max)
    var (kept, gone) = joining.keepsUpper ? (upper, lower) : (lower, upper)
    move(gone.id, to: kept.id, by: joining.shift) { _ in true }
    (kept.newest, kept.oldest, kept.reachedEnd) = (upper.newest, lower.oldest, lower.reachedEnd)
    intervals[gone.id] = nil
    intervals[kept.id] = kept
    for id in intervals.keys where lower.id < id && id < upper.id { dissolve(id, into: kept.id, at: joining.border) }
    merge.join(.whole(kept, border: joining.border))
  }

  // MARK: Rows

  private mutating func set(_ number: Int, _ interval: Int64?, _ position: Int64) {
    rows[number]?.interval = interval
    rows[number]?.position = position
  }

  private func positions(of id: Int64) -> ClosedRange<Int64> {
    (end(.down, of: id)?.position ?? 0)...(end(.up, of: id)?.position ?? 0)
  }

  private func end(_ direction: Direction, of id: Int64) -> IntervalEnd? {
    let numbers = numbers(in: id)
    guard let number = direction == .up ? numbers.first : numbers.last, let row = rows[number] else { return nil }
    return row.position.map { ($0, text(row.moment)) }
  }

  private func isNear(_ direction: Direction, _ number: Int, of id: Int64) -> Bool {
    guard let row = rows[number], row.interval == id, let position = row.position else { return false }
    let beyond = rows.values.filter { $0.interval == id }.compactMap(\.position)
    return beyond.count { direction == .up ? $0 > position : $0 < position } < 3
  }

  private mutating func move(_ id: Int64, to other: Int64, by shift: Int64, where condition: (Int64) -> Bool) {
    for (number, row) in rows where row.interval == id && condition(row.position ?? 0) {
      set(number, other, (row.position ?? 0) + shift)
    }
  }

  private mutating func dissolve(_ id: Int64, into other: Int64, at position: Int64) {
    for number in numbers(in: id) { set(number, other, position) }
    intervals[id] = nil
  }

  /// Shrinks an interval that items left to those that it still has.
  private mutating func tighten(_ id: Int64) {
    let numbers = numbers(in: id)
    guard let newest = numbers.first, let oldest = numbers.last else { return intervals[id] = nil }
    intervals[id]?.newest = "\(newest)"
    intervals[id]?.oldest = "\(oldest)"
  }
}
