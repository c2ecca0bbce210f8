import MediaLibrary
import Terminal
import Wording

/// A list that stands beside the posts.
public struct SideEntry: Sendable, Equatable {
  /// What it is among others.
  public enum Kind: String, Sendable, CaseIterable {
    case search = "Saved searches"
    case album = "Albums"
    case feed = "Feeds"
  }

  /// What it is.
  public var kind: Kind
  /// Its name.
  public var name: String
  /// What is typed to show it: `in:Winter`.
  public var text: String
  /// How many of its posts are unseen; nil of a saved search that cannot be used.
  public var unseen: ListTotal?

  /// Creates an entry.
  public init(kind: Kind, name: String, text: String, unseen: ListTotal?) {
    (self.kind, self.name, self.text, self.unseen) = (kind, name, text, unseen)
  }

  /// The number of unseen posts: `10,000+` where no more were counted.
  var count: SafeText {
    switch unseen {
    case nil: "unusable"
    case .exactly(0): ""
    case .exactly(let count): "\(NumberText.grouped(count))"
    case .moreThan(let count): "\(NumberText.grouped(count))+"
    }
  }
}

/// Saved searches, albums and feeds with what is unseen of them, at the left of a wide screen.
struct SideList: Sendable, Equatable {
  /// The columns that the screen must have, and those that the side list takes.
  static let (least, width) = (120, 30)

  var isShown = false
  /// Whether keys act in it.
  var hasFocus = false
  /// The entries by their kind; nil until they are read.
  private(set) var entries: [SideEntry]?
  /// The typed text of the entry under the cursor.
  private var selected: String?

  private enum Line: Equatable {
    case heading(SideEntry.Kind)
    case entry(Int)
  }

  var entry: SideEntry? { index.flatMap { entries?[$0] } }

  private var index: Int? {
    guard let entries, !entries.isEmpty else { return nil }
    return entries.firstIndex { $0.text == selected } ?? 0
  }

  mutating func take(_ entries: [SideEntry]) { self.entries = entries }

  mutating func move(by rows: Int) {
    guard let entries, let index else { return }
    selected = entries[min(max(0, index + rows), entries.count - 1)].text
  }

  /// Moves the cursor to a line of the screen. Returns false if no entry is there.
  mutating func select(line: Int, of rows: Int) -> Bool {
    let lines = lines, target = line + offset(lines, rows)
    guard let entries, lines.indices.contains(target), case .entry(let index) = lines[target] else { return false }
    selected = entries[index].text
    return true
  }

  private var lines: [Line] {
    var (lines, kind): ([Line], SideEntry.Kind?) = ([], nil)
    for (index, entry) in (entries ?? []).enumerated() {
      if entry.kind != kind { lines.append(.heading(entry.kind)) }
      kind = entry.kind
      lines.append(.entry(index))
    }
    return lines
  }

  /// How many lines are above the screen, so that the cursor is on it.
  private func offset(_ lines: [Line], _ rows: Int) -> Int {
    let cursor = index.flatMap { lines.firstIndex(of: .entry($0)) } ?? 0
    return min(max(0, cursor - rows / 2), max(0, lines.count - rows))
  }

  func draw(into page: inout Canvas) {
    let (lines, width) = (lines, page.columns - 1)
    page.fill("│", row: 0, column: width, rows: page.rows, columns: 1, style: .faint)
    guard let entries else { return }
    if entries.isEmpty { page.put("No list has a name yet", row: 0, column: 2, width: width - 3, style: .faint) }
    for (row, line) in lines.dropFirst(offset(lines, page.rows)).prefix(page.rows).enumerated() {
      switch line {
      case .heading(let kind): page.put("\(kind.rawValue)", row: row, column: 1, width: width - 2, style: .bold)
      case .entry(let index):
        let (entry, isChosen) = (entries[index], hasFocus && index == self.index)
        let room = width - 5 - TextWidth.of(entry.count)
        if isChosen { page.put("▌", row: row, column: 1, style: .accent) }
        page.put("\(entry.name)", row: row, column: 3, width: room, style: isChosen ? .accent : .plain)
        page.put(entry.count, row: row, column: width - 1 - TextWidth.of(entry.count), style: .faint)
      }
    }
  }
}

extension ListScreen {
  /// The columns that the side list takes.
  var sideWidth: Int { side.isShown && columns >= SideList.least ? SideList.width : 0 }

  /// Shows the side list, and leads the keys into it.
  mutating func openSide() -> [Effect] {
    guard columns >= SideList.least else {
      notice = "The side list needs \(SideList.least) columns: t shows the same lists."
      return []
    }
    setSide(isShown: true, hasFocus: true)
    return [.side]
  }

  private mutating func setSide(isShown: Bool, hasFocus: Bool) {
    (side.isShown, side.hasFocus) = (isShown, hasFocus)
    fit()
  }

  /// Takes over the room that the side list leaves.
  mutating func fit() {
    metrics = Metrics(columns: columns - sideWidth, rows: metrics.rows, isGrid: metrics.isGrid)
    if sideWidth == 0 { side.hasFocus = false }
    list.settle(metrics)
  }

  mutating func handleSideKey(_ key: Key) -> [Effect] {
    switch key {
    case .down, .character("j"): side.move(by: 1)
    case .up, .character("k"): side.move(by: -1)
    case .pageDown: side.move(by: metrics.height)
    case .pageUp: side.move(by: -metrics.height)
    case .home, .character("g"): side.move(by: -.max / 2)
    case .end, .character("G"): side.move(by: .max / 2)
    case .enter: return showSideEntry()
    case .tab: setSide(isShown: false, hasFocus: false)
    case .escape: side.hasFocus = false
    case .character("?"): return act(.help)
    case .character("q"): return act(.quit)
    default: break
    }
    return []
  }

  private mutating func showSideEntry() -> [Effect] {
    guard let entry = side.entry else { return [] }
    side.hasFocus = false
    return choose(entry.text)
  }

  /// A click in the side list shows what it hits.
  mutating func clickSide(atLine line: Int) -> [Effect] {
    side.select(line: line, of: metrics.height) ? showSideEntry() : []
  }

  func drawSide(into canvas: inout Canvas) {
    guard sideWidth > 0 else { return }
    var page = Canvas(columns: sideWidth, rows: metrics.height)
    side.draw(into: &page)
    canvas.paste(page, row: metrics.top, column: 0)
  }
}
