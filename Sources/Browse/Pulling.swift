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
    case .ended(let kind, let new, let isEnd, let failure): return end(kind, new, isEnd, failure)
    }
    return []
  }

  /// Which keys help where a pull has failed.
  func again(_ key: String) -> String { "\(login.server == nil ? "" : "L logs in, ")\(key) tries again" }

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
      pulling.next = now.addingTimeInterval(pulling.pause)
      let words = failure.map { "\($0) · \(again("r"))" } ?? (new > 0 ? "\(new) new." : "")
      // Nothing to say takes no more away than what it said before.
      if !words.isEmpty || notice == pulling.said { notice = words }
      pulling.said = words
    case .older:
      pulling.failure = failure
      // At the list's end the last row says it.
      if let failure, !list.isAtEnd { notice = "\(failure) · \(again("↓"))" }
    case .gap(let id):
      pulling.gapFailures[id] = failure
      if let failure { notice = "\(failure) · \(again("f"))" }
    }
    // What has just failed is not tried again unasked.
    if failure != nil { pulling.wanted.removeAll { $0 == kind } }
    if pulling.isEnd { pulling.wanted.removeAll { $0 == .older } }
    return pulling.wanted.isEmpty ? [] : ask(for: pulling.wanted.removeFirst())
  }
}
