import Foundation

// Pictures that are wanted and not here are fetched when their posts are shown.

/// Which posts' pictures were asked for.
struct Fetching: Sendable, Equatable {
  /// Whether some are being fetched.
  var isUnderWay = false
  /// The posts whose pictures were asked for.
  var asked: Set<Int64> = []
  /// Whether pictures that failed are tried again at once.
  var retriesFailed = false
  /// The posts of which a person asks for all pictures again: one that was gone may be back.
  var wished: Set<Int64> = []
  /// When the pictures of one post are asked for again, to see whether their host answers.
  var nextTry: Date?
  /// The post that was asked for again last.
  var probe: Int64?
  /// The time until the next try, in seconds.
  var pause = Self.leastPause

  static let (leastPause, mostPause) = (15.0, 300.0)
}

extension ListScreen {
  /// Asks for the pictures of the posts on the screen, each once; a pull that is under way brings its own. Of those that
  /// could not be had one post after the other is tried again, less and less often: when one of them comes, their host
  /// answers again, and all are asked for.
  mutating func fetchShown() -> [Effect] {
    guard pictures.isOn, !fetching.isUnderWay, pulling.running == nil else { return [] }
    let seen = shown
    let wanted = seen.filter(isWanted).map(\.id)
    let new = wanted.filter { !fetching.asked.contains($0) }
    guard new.isEmpty else {
      // The others follow by themselves.
      let wished = new.filter(fetching.wished.contains)
      let next = wished.isEmpty ? new : wished
      fetching.isUnderWay = true
      fetching.asked.formUnion(next)
      return [.fetch(next, retryFailed: fetching.retriesFailed, gone: !wished.isEmpty)]
    }
    return tryAgain(seen.filter(\.isFailing).map(\.id))
  }

  /// Whether pictures of a post are to be asked for. Faces come with pages; those that failed are asked for again with the
  /// pictures that did.
  private func isWanted(_ post: ListRow) -> Bool {
    if fetching.retriesFailed, pictures.hasAvatars, post.lacksAvatar { return true }
    return post.pictures.contains { $0.isWanted(again: fetching.wished.contains(post.id)) }
  }

  private mutating func tryAgain(_ failing: [Int64]) -> [Effect] {
    guard !failing.isEmpty else {
      (fetching.nextTry, fetching.pause) = (nil, Fetching.leastPause)
      return []
    }
    guard let due = fetching.nextTry else {
      fetching.nextTry = now.addingTimeInterval(fetching.pause)
      return []
    }
    guard due <= now else { return [] }
    let last = fetching.probe.flatMap { failing.firstIndex(of: $0) }
    let next = failing[last.map { ($0 + 1) % failing.count } ?? 0]
    (fetching.probe, fetching.nextTry, fetching.isUnderWay) = (next, nil, true)
    fetching.pause = min(2 * fetching.pause, Fetching.mostPause)
    return [.fetch([next], retryFailed: true)]
  }

  /// Looks whether the post that was asked for again has its pictures now.
  mutating func noteProbe() {
    guard let probe = fetching.probe, let row = list.reading.rows.first(where: { $0.id == probe }) else { return }
    if !row.isFailing { fetchAfterOutage() }
  }

  /// Tries all pictures again that are shown, for a person asks for them.
  mutating func fetchAgain() {
    fetchAfterOutage()
    fetching.wished = Set(shown.map(\.id))
  }

  /// Tries pictures again that failed: their host answers again. What it called gone stays so.
  mutating func fetchAfterOutage() { fetching = Fetching(isUnderWay: fetching.isUnderWay, retriesFailed: true) }

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
  /// Whether it is to be had and not here; where a person asks again, one that was gone may be back.
  fileprivate func isWanted(again: Bool) -> Bool {
    state == "pending" || state == "failed" || (again && state == "gone")
  }
}

extension ListRow {
  /// Whether pictures of it are to be had and not here.
  fileprivate var isFailing: Bool { pictures.contains { $0.isWanted(again: false) } }
}
