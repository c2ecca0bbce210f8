import FoundationEssentials
import MediaLibrary
import Terminal
import Wording

// The rows of gaps, and filling them.

extension ListScreen {
  mutating func handle(_ gaps: [ListGap], isCutShort: Bool) {
    pulling.isCutShort = isCutShort
    let known = Set(gaps.map(\.id))
    pulling.gapFailures = pulling.gapFailures.filter { known.contains($0.key) }
    list.show(gaps, metrics)
  }

  /// Fills the gap nearest to the selected post.
  mutating func fillNearest() -> [Effect] {
    guard let gap = list.nearestGap else {
      notice = scope.canPullOlder ? "No gap is known here." : "Gaps are shown in the list of one tag: t chooses it."
      return []
    }
    return ask(for: .gap(gap.id))
  }

  /// The gaps on the screen.
  var seenGaps: [ListGap] {
    let layout = RowLayout(list.reading, metrics)
    let top = list.offset(layout, metrics)
    return layout.items.compactMap { item in
      guard case .gap(let number) = item.content, (top..<(top + metrics.height)).contains(item.top) else { return nil }
      return list.reading.breaks[number].gap
    }
  }

  /// Fills a gap at a double click.
  mutating func click(gap: ListGap) -> [Effect] {
    isSecondClick(on: .gap(gap.id)) ? ask(for: .gap(gap.id)) : []
  }

  func drawGap(_ gap: ListGap, _ row: Int, into page: inout Canvas) {
    let room = max(0, metrics.width - metrics.indent)
    let used = page.put(text(of: gap).sparingKey(to: room), row: row, column: metrics.indent, style: .accent)
    let start = metrics.indent + used + 1
    page.fill("┄", row: row, column: start, rows: 1, columns: max(0, metrics.width - start), style: .faint)
  }

  private func text(of gap: ListGap) -> SafeText {
    if pulling.running == .gap(gap.id) { return pulling.wait.map { SafeText($0) } ?? "Filling the gap…" }
    if pulling.wanted.contains(.gap(gap.id)) { return "The gap is filled when the pull under way is over." }
    if let failure = pulling.gapFailures[gap.id] { return SafeText(helped(failure, "f")) }
    let span = gap.span.map { " of \(NumberText.span($0))" } ?? ""
    return "A gap\(span) lies here · f fills it"
  }
}

extension SafeText {
  /// Truncates a sentence to a width. Its last part, which names the key to press, stays as long as it fits.
  func sparingKey(to columns: Int) -> SafeText {
    guard TextWidth.of(self) > columns, let mark = text.ranges(of: " · ").last else {
      return truncated(to: columns)
    }
    let key = SafeText(text[mark.lowerBound...])
    let room = columns - TextWidth.of(key)
    return room < 8 ? truncated(to: columns) : SafeText(text[..<mark.lowerBound]).truncated(to: room) + key
  }

  /// A sentence as a first line and the rest of it, which begins with the part that names the key if all before it fits.
  func broken(at columns: Int) -> (first: SafeText, rest: SafeText) {
    if let mark = text.ranges(of: " · ").last, TextWidth.of(text[..<mark.lowerBound]) <= columns {
      return (SafeText(text[..<mark.lowerBound]), SafeText(text[mark.lowerBound...].dropFirst()))
    }
    let lines = wrapped(to: columns)
    return (lines.first ?? "", lines.dropFirst().joined(separator: " "))
  }
}

extension RowList {
  /// The gap nearest to the selected row, preferring the one below. If no gap is among the rows that were read, the nearest
  /// in time.
  var nearestGap: ListGap? {
    guard let index = selectedIndex else { return reading.breaks.first?.gap ?? gaps.first }
    let among = reading.breaks.min { distance($0.row, index) < distance($1.row, index) }?.gap
    let moment = reading.rows[index].createdAt
    return among ?? gaps.min { $0.distance(from: moment) < $1.distance(from: moment) }
  }

  private func distance(_ row: Int, _ index: Int) -> Int { row > index ? 2 * (row - index - 1) : 2 * (index - row) + 1 }
}
