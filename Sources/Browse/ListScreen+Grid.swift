import Terminal

// The list as a grid of pictures: the same rows, several beside one another.

extension ListScreen {
  /// Changes between list and grid, for the times to come too.
  mutating func changeView() -> [Effect] {
    show(asGrid: !metrics.isGrid)
    return [.set("view", metrics.isGrid ? "grid" : "list")] + more()
  }

  mutating func show(asGrid isGrid: Bool) {
    guard isGrid != metrics.isGrid else { return }
    metrics = Metrics(columns: metrics.columns, rows: metrics.rows, isGrid: isGrid)
    list.endMotions()
    list.settle(metrics)
  }

  /// Moves the selection by lines of posts.
  mutating func step(_ lines: Int, keepingPlace: Bool = false) -> [Effect] {
    guard metrics.across > 1, let place = list.place else { return move(by: lines, keepingPlace: keepingPlace) }
    let rows = RowLayout(list.reading, metrics).row(lines, linesFrom: place) - place
    // Down on the last post asks for older ones.
    return move(by: lines > 0 ? max(1, rows) : rows, keepingPlace: keepingPlace)
  }

  /// Moves the selection along a line of posts.
  mutating func step(aside rows: Int) -> [Effect] { metrics.across > 1 ? move(by: rows) : [] }
}

extension RowLayout {
  /// The row that stands so many lines of posts further on, in the same column or in the last there is.
  func row(_ lines: Int, linesFrom place: Int) -> Int {
    var posts: [[(place: Int, column: Int)]] = []
    var (line, top, column) = (0, -1, 0)
    for item in items {
      guard case .post(let row) = item.content else { continue }
      if item.top != top { posts.append([]) }
      top = item.top
      posts[posts.count - 1].append((row, item.column))
      if row == place { (line, column) = (posts.count - 1, item.column) }
    }
    guard !posts.isEmpty else { return place }
    let wanted = line + lines
    // Beyond the last line is the last post; beyond the first, nothing is.
    if wanted >= posts.count { return posts[posts.count - 1].last?.place ?? place }
    let target = posts[max(0, wanted)]
    return (target.last { $0.column <= column } ?? target.last)?.place ?? place
  }
}
