// Pictures that are wanted and not here are fetched when their posts are shown.

/// Which posts' pictures were asked for.
struct Fetching: Sendable, Equatable {
  /// Whether some are being fetched.
  var isUnderWay = false
  /// The posts whose pictures were asked for once.
  var asked: Set<Int64> = []
  /// Whether pictures that failed are tried again at once.
  var retriesFailed = false
}

extension ListScreen {
  /// Asks for the pictures of the posts on the screen, each once; a pull that is under way brings its own.
  mutating func fetchShown() -> [Effect] {
    guard pictures.isOn, !fetching.isUnderWay, pulling.running == nil else { return [] }
    let isWanted = { (row: ListRow) in row.pictures.contains(where: \.isWanted) && !fetching.asked.contains(row.id) }
    let posts = shown.filter(isWanted).map(\.id)
    guard !posts.isEmpty else { return [] }
    fetching.isUnderWay = true
    fetching.asked.formUnion(posts)
    return [.fetch(posts, retryFailed: fetching.retriesFailed)]
  }

  /// Tries all pictures again that are shown.
  mutating func fetchAgain() { fetching = Fetching(isUnderWay: fetching.isUnderWay, retriesFailed: true) }

  private var shown: [ListRow] {
    switch mode {
    case .post, .picture: return [whole].compactMap(\.self)
    default: break
    }
    guard mode.isOfList else { return [] }
    let layout = RowLayout(list.reading, metrics)
    let top = list.offset(layout, metrics)
    return layout.items.compactMap { item in
      guard case .post(let row) = item.content, item.top < top + metrics.height, item.top + item.height > top else {
        return nil
      }
      return list.reading.rows[row]
    }
  }
}

extension ListScreen.Mode {
  /// Whether the list's rows are on the screen.
  fileprivate var isOfList: Bool {
    switch self {
    case .list, .adding, .searching, .choosing, .restoring: true
    default: false
    }
  }
}

extension ListRow.Picture {
  /// Whether it is to be had and not here.
  fileprivate var isWanted: Bool { state == "pending" || state == "failed" }
}
