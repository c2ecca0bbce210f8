import Foundation

/// How the pulling of the list stands.
struct Pulling: Sendable, Equatable {
  /// The time between two refreshes, in seconds.
  var pause = 60.0
  /// What is under way.
  var running: PullKind?
  /// Whether it is of a list that was left.
  var isForeign = false
  /// When the next refresh begins.
  var next: Date?
  /// What the pull under way waits for.
  var wait: String?
  /// Whether the page that was asked for is stored, and only pictures are still to come.
  var hasPage = false
  /// What is wanted as soon as the pull under way is over, in this order.
  var wanted: [PullKind] = []
  /// Whether the feed has no older posts.
  var isEnd = false
  /// What stopped the last pull of older posts.
  var failure: String?
  /// Whether a pull of older posts was cut short, in this session or before.
  var isCutShort = false
  /// What the last refresh said.
  var said = ""
  /// Until when the server takes nothing more; nil where it did not say.
  var until: Date?
  /// Until when the server whose failure is shown takes nothing more.
  var failureUntil: Date?
  /// What stopped the filling of gaps.
  var gapFailures: [ListGap.ID: String] = [:]
}

extension ListScreen {
  /// Asks for a pull, now or when the one under way is over.
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

  /// Older posts are pulled where the last stored one is reached.
  mutating func reachEnd() -> [Effect] {
    guard list.isAtEnd, place.canPullOlder, !pulling.isEnd || pulling.isCutShort, search.isEmpty else { return [] }
    return ask(for: .older)
  }

  mutating func take(_ news: PullNews) -> [Effect] {
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

  /// What stopped a pull, and which keys help; none does before the time that the server named.
  func helped(_ failure: String, _ key: String) -> String {
    if let until = pulling.failureUntil, until > now { return failure }
    return "\(failure) · \(login.server == nil ? "" : "L logs in, ")\(key) tries again"
  }

  /// After an outage, what is on the screen is asked for again: pictures, older posts at the end, gaps.
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
      let words = failure.map { helped($0, "r") } ?? (new > 0 ? "\(new) new." : "")
      // Nothing to say takes no more away than what it said before.
      if !words.isEmpty || notice == pulling.said { notice = words }
      pulling.said = words
    case .older:
      pulling.failure = failure
      // At the list's end the last row says it.
      if let failure, !list.isAtEnd { notice = helped(failure, "↓") }
    case .gap(let id):
      pulling.gapFailures[id] = failure
      if let failure { notice = helped(failure, "f") }
    }
    // What has just failed is not tried again unasked.
    if failure != nil { pulling.wanted.removeAll { $0 == kind } }
    if pulling.isEnd { pulling.wanted.removeAll { $0 == .older } }
    return pulling.wanted.isEmpty ? [] : ask(for: pulling.wanted.removeFirst())
  }
}
