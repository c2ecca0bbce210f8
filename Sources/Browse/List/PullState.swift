import FoundationEssentials

/// The state of the list's pulls.
struct PullState: Sendable, Equatable {
  /// The time between two refreshes, in seconds.
  var pause = 60.0
  /// The pull under way.
  var running: PullKind?
  /// Whether it belongs to a list that was left.
  var isForeign = false
  /// When the next refresh begins.
  var next: Date?
  /// What the pull under way waits for.
  var wait: String?
  /// Whether the requested page is stored, and only pictures are pending.
  var hasPage = false
  /// The pulls to start after the one under way, in order.
  var wanted: [PullKind] = []
  /// Whether the feed has no older posts.
  var isEnd = false
  /// What stopped the last pull of older posts.
  var failure: String?
  /// Whether a pull of older posts was interrupted, in this session or before.
  var isCutShort = false
  /// The message of the last refresh.
  var said = ""
  /// When the server accepts requests again; nil if it did not say.
  var until: Date?
  /// When the server whose failure is shown accepts requests again.
  var failureUntil: Date?
  /// What stopped filling gaps.
  var gapFailures: [ListGap.ID: String] = [:]
}

extension ListScreen {
  /// Requests a pull, now or after the one under way.
  mutating func ask(for kind: PullKind) -> [Effect] {
    guard pulling.running == nil else {
      if !pulling.wanted.contains(kind) { pulling.wanted.append(kind) }
      return []
    }
    pulling.running = kind
    pulling.hasPage = false
    if kind == .older { pulling.failure = nil }
    if case .gap(let id) = kind { pulling.gapFailures[id] = nil }
    return [.pull(kind)]
  }

  /// Pulls older posts when the last stored post is reached.
  mutating func reachEnd() -> [Effect] {
    guard list.isAtEnd, scope.canPullOlder, !pulling.isEnd || pulling.isCutShort, search.isEmpty else { return [] }
    return ask(for: .older)
  }

  mutating func handle(_ news: PullUpdate) -> [Effect] {
    switch news {
    case .began(let kind): pulling.running = kind
    case .waits(let reason):
      guard !pulling.isForeign else { return [] }
      pulling.wait = reason
      notice = ""
    case .page:
      guard !pulling.isForeign else { return [] }
      pulling.hasPage = true
      pulling.wait = nil
    case .recovered: restart()
    case .ended(let kind, let new, let isEnd, let failure, let until, let failureUntil):
      pulling.until = pulling.isForeign ? nil : until
      pulling.failureUntil = pulling.isForeign ? nil : failureUntil ?? until
      return end(kind, new, isEnd, failure)
    }
    return []
  }

  /// What stopped a pull, and which keys help. No key helps before the time that the server named.
  func helped(_ failure: String, _ key: String) -> String {
    if let until = pulling.failureUntil, until > now { return failure }
    return "\(failure) · \(login.server == nil ? "" : "L logs in, ")\(key) tries again"
  }

  /// After an outage, retries what the screen shows: pictures, older posts at the end, gaps.
  private mutating func restart() {
    guard !pulling.isForeign else { return }
    fetchAfterOutage()
    if pulling.failure != nil, list.isAtEnd { want(.older) }
    for gap in seenGaps where pulling.gapFailures[gap.id] != nil { want(.gap(gap.id)) }
  }

  private mutating func want(_ kind: PullKind) {
    if !pulling.wanted.contains(kind) { pulling.wanted.append(kind) }
  }

  private mutating func end(_ kind: PullKind, _ new: Int, _ isEnd: Bool, _ failure: String?) -> [Effect] {
    pulling.running = nil
    pulling.wait = nil
    if pulling.isForeign {
      pulling.isForeign = false
      return pulling.wanted.isEmpty ? [] : ask(for: pulling.wanted.removeFirst())
    }
    pulling.isEnd = pulling.isEnd || isEnd
    switch kind {
    case .new:
      pulling.next = max(now.addingTimeInterval(pulling.pause), pulling.until ?? now)
      let message = failure.map { helped($0, "r") } ?? (new > 0 ? "\(new) new." : "")
      // An empty message clears only its own earlier message.
      if !message.isEmpty || notice == pulling.said { notice = message }
      pulling.said = message
    case .older:
      pulling.failure = failure
      // At the list's end the last row says it.
      if let failure, !list.isAtEnd { notice = helped(failure, "↓") }
    case .gap(let id):
      pulling.gapFailures[id] = failure
      if let failure { notice = helped(failure, "f") }
    }
    // What has just failed is retried only at the user's request.
    if failure != nil { pulling.wanted.removeAll { $0 == kind } }
    if pulling.isEnd { pulling.wanted.removeAll { $0 == .older } }
    return pulling.wanted.isEmpty ? [] : ask(for: pulling.wanted.removeFirst())
  }
}
