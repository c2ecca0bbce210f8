import Foundation

/// How the pulling of the list stands.
struct Pulling: Sendable, Equatable {
  /// The time between two refreshes, in seconds.
  var pause = 60.0
  /// What is under way.
  var running: PullKind?
  /// When the next refresh begins.
  var next: Date?
  /// What the pull under way waits for.
  var wait: String?
  /// Whether the page that was asked for is stored, and only pictures are still to come.
  var hasPage = false
  /// Whether older posts are wanted as soon as a pull is over.
  var wantsOlder = false
  /// Whether new posts are wanted as soon as a pull is over.
  var wantsNew = false
  /// Whether the feed has no older posts.
  var isEnd = false
  /// What stopped the last pull of older posts.
  var failure: String?
}

extension ListScreen {
  /// Asks for a pull, now or when the one under way is over.
  mutating func ask(for kind: PullKind) -> [Effect] {
    guard pulling.running == nil else {
      if kind == .new { pulling.wantsNew = true } else { pulling.wantsOlder = true }
      return []
    }
    pulling.running = kind
    pulling.hasPage = false
    if kind == .older { pulling.failure = nil }
    return [.pull(kind)]
  }

  /// Older posts are pulled where the last stored one is reached.
  mutating func reachEnd() -> [Effect] {
    guard list.isAtEnd, place.canPullOlder, !pulling.isEnd, search.isEmpty else { return [] }
    return ask(for: .older)
  }

  mutating func take(_ news: PullNews) -> [Effect] {
    switch news {
    case .began(let kind): pulling.running = kind
    case .waits(let reason): pulling.wait = reason
    case .page:
      pulling.hasPage = true
      pulling.wait = nil
    case .ended(let kind, let new, let isEnd, let failure): return end(kind, new, isEnd, failure)
    }
    return []
  }

  private mutating func end(_ kind: PullKind, _ new: Int, _ isEnd: Bool, _ failure: String?) -> [Effect] {
    pulling.running = nil
    pulling.wait = nil
    pulling.isEnd = pulling.isEnd || isEnd
    if kind == .new {
      pulling.next = now.addingTimeInterval(pulling.pause)
      if let failure { notice = "\(failure) · r tries again" } else { notice = new > 0 ? "\(new) new." : "" }
    } else if let failure {
      pulling.failure = failure
      notice = "\(failure) · ↓ tries again"
    }
    let (wantsNew, wantsOlder) = (pulling.wantsNew, pulling.wantsOlder)
    (pulling.wantsNew, pulling.wantsOlder) = (false, false)
    if wantsOlder, failure == nil, !pulling.isEnd { return ask(for: .older) }
    return wantsNew ? ask(for: .new) : []
  }
}
