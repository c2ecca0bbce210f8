import Harvest
import Posts
import Synchronization
import Terminal

/// Says how a harvest goes: a live line where a person looks at standard error, elsewhere a plain line for each feed of
/// which there is something to tell.
final class HarvestProgress: Sendable {
  /// Where it is said; lines amid the live one are said there, too.
  let line: LiveLine
  private let console: Console
  private let bar: Mutex<ProgressBar>

  init(_ console: Console, feeds: Int) {
    self.console = console
    line = LiveLine(console)
    bar = Mutex(ProgressBar(title: "harvest", total: feeds, unit: "feeds"))
  }

  /// Takes what happened.
  func note(_ event: HarvestEvent) {
    bar.withLock { bar in
      var plain: Inert?
      switch event {
      case .asks(let feed): bar.note = "\(feed.spoken)"
      case .pulls(let feed, let step):
        bar.note = "\(feed.spoken): \(Self.words(for: step))"
        if case .waitsForPull = step { plain = bar.note }
      case .pictures(let done, let known): bar.note = "\(done)/\(known) pictures tried again"
      case .ended(let entry, let done):
        bar.done = done
        bar.bytes += Int(entry.summary.media.bytes)
        plain = Self.plain(entry)
      }
      if line.isSeen { line.show(bar) } else if let plain { console.message(plain) }
    }
  }

  private static func words(for step: PullEvent) -> Inert {
    switch step {
    case .page(let number, _): "page \(number)"
    case .misdated(let posts): "\(Words.count(posts, "date")) cannot be read"
    case .waitsForPull: "waits for another command"
    case .picture(let done, let known, _): "\(done)/\(known) pictures"
    }
  }

  private static func plain(_ entry: HarvestEntry) -> Inert? {
    let posts = entry.summary.posts
    guard posts.new + posts.updated > 0 else { return nil }
    let updated = posts.updated > 0 ? ", \(posts.updated) updated" : ""
    let misdated = posts.misdated > 0 ? "; \(Words.count(posts.misdated, "date")) cannot be read" : ""
    return "\(entry.feed.spoken): \(posts.new) new\(updated)\(misdated)"
  }
}
