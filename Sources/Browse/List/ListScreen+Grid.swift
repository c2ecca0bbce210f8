// The list as a grid of pictures: the same rows in several columns.

extension ListScreen {
  /// Switches between list and grid, and remembers the choice.
  mutating func changeView() -> [Effect] {
    show(asGrid: !metrics.isGrid)
    return [.write(.set("view", metrics.isGrid ? "grid" : "list"))] + more()
  }

  mutating func show(asGrid isGrid: Bool) {
    guard isGrid != metrics.isGrid else { return }
    metrics = Metrics(columns: metrics.columns, rows: metrics.rows, isGrid: isGrid)
    list.endMotions()
    list.settle(metrics)
  }

  /// Moves the selection by grid lines.
  mutating func step(_ lines: Int, keepingScreenLine: Bool = false) -> [Effect] {
    guard metrics.across > 1, let index = list.selectedIndex else {
      return move(by: lines, keepingScreenLine: keepingScreenLine)
    }
    let rows = RowLayout(list.reading, metrics).row(lines, linesFrom: index) - index
    // Moving down from the last post asks for older posts.
    return move(by: lines > 0 ? max(1, rows) : rows, keepingScreenLine: keepingScreenLine)
  }

  /// Moves the selection along a grid line.
  mutating func step(aside rows: Int) -> [Effect] { metrics.across > 1 ? move(by: rows) : [] }
}

extension RowLayout {
  /// The row this many grid lines below, in the same column or the last one of that line.
  func row(_ lines: Int, linesFrom index: Int) -> Int {
    var posts: [[(index: Int, column: Int)]] = []
    var (line, top, column) = (0, -1, 0)
    for item in items {
      guard case .post(let row) = item.content else { continue }
      if item.top != top { posts.append([]) }
      top = item.top
      posts[posts.count - 1].append((row, item.column))
      if row == index { (line, column) = (posts.count - 1, item.column) }
    }
    guard !posts.isEmpty else { return index }
    let wanted = line + lines
    // Below the last line is the last post. Above the first there is nothing.
    if wanted >= posts.count { return posts[posts.count - 1].last?.index ?? index }
    let target = posts[max(0, wanted)]
    return (target.last { $0.column <= column } ?? target.last)?.index ?? index
  }
}
