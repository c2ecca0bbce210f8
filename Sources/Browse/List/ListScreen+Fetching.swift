import FoundationEssentials

// Fetches missing pictures when their posts are shown.

/// Which posts' pictures were requested.
struct Fetching: Sendable, Equatable {
  /// Whether a request is under way.
  var isUnderWay = false
  /// The posts whose pictures were requested.
  var asked: Set<Int64> = []
  /// Whether failed pictures are retried at once.
  var retriesFailed = false
  /// The posts of which a user requested all pictures again, including those that were gone.
  var wished: Set<Int64> = []
  /// When to retry the pictures of one post, to find out whether their host answers.
  var nextTry: Date?
  /// The post that was retried last.
  var probe: Int64?
  /// The delay until the next retry, in seconds.
  var pause = Self.leastPause

  static let (leastPause, mostPause) = (15.0, 300.0)
}

extension ListScreen {
  /// Requests the pictures of the posts on the screen, each once. A pull under way fetches its own pictures. After
  /// failures, one post at a time is retried with growing delays. If its host answers, all posts are retried.
  mutating func fetchShown() -> [Effect] {
    guard pictures.isOn, !fetching.isUnderWay, pulling.running == nil else { return [] }
    let seen = shown
    let wanted = seen.filter(isWanted).map(\.id)
    let new = wanted.filter { !fetching.asked.contains($0) }
    guard new.isEmpty else {
      // The others follow once the host answers.
      let wished = new.filter(fetching.wished.contains)
      let next = wished.isEmpty ? new : wished
      fetching.isUnderWay = true
      fetching.asked.formUnion(next)
      return [.fetch(PictureFetch(next, retryFailed: fetching.retriesFailed, gone: !wished.isEmpty))]
    }
    return tryAgain(seen.filter(\.isFailing).map(\.id))
  }

  /// Whether to request pictures of a post. Pages bring avatars; failed avatars are retried with failed pictures.
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
    return [.fetch(PictureFetch([next], retryFailed: true))]
  }

  /// Checks whether the retried post has its pictures.
  mutating func noteProbe() {
    guard let probe = fetching.probe, let row = list.reading.rows.first(where: { $0.id == probe }) else { return }
    if !row.isFailing { fetchAfterOutage() }
  }

  /// Retries all shown pictures because the user asked.
  mutating func fetchAgain() {
    fetchAfterOutage()
    fetching.wished = Set(shown.map(\.id))
  }

  /// Retries failed pictures, whose host answers again. Pictures that are gone stay so.
  mutating func fetchAfterOutage() { fetching = Fetching(isUnderWay: fetching.isUnderWay, retriesFailed: true) }

  private var shown: [ListRow] {
    switch mode {
    case .post, .picture: return [selectedPost].compactMap(\.self)
    case .help, .settings, .loggingIn, .calendar: return []
    case .list, .adding, .writing, .marking, .searching, .choosing, .restoring: return visible
    }
  }

  /// The posts among the list's rows on the screen.
  private var visible: [ListRow] {
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

extension ListRow.Picture {
  /// Whether the picture can be fetched. A user's retry includes pictures that are gone.
  fileprivate func isWanted(again: Bool) -> Bool {
    state == "pending" || state == "failed" || (again && state == "gone")
  }
}

extension ListRow {
  /// Whether pictures of the row can be fetched.
  fileprivate var isFailing: Bool { pictures.contains { $0.isWanted(again: false) } }
}
