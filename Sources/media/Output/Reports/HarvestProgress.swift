import Harvest
import Machine
import Posts
import Synchronization
import Terminal
import Wording

/// Reports the progress of a harvest: a live line if standard error is a terminal, otherwise a plain line for each feed
/// with news.
final class HarvestProgress: Sendable {
  /// Where it is shown; other lines during progress go through it.
  let line: LiveLine
  private let console: Console
  private let feeds: Int
  private let manager: ServiceManager?
  private let state: Mutex<State>

  fileprivate struct State {
    var bar: ProgressBar
    /// The pictures of each feed, and of retries: several feeds are pulled at once.
    var pictures: [Feed?: Pictures] = [:]
  }

  fileprivate struct Pictures {
    var done = 0
    var known = 0
    var bytes = 0
  }

  /// Progress of this number of feeds, on the console's live line or another. A service manager is told numbers alone: other
  /// users of the machine can read them.
  init(_ console: Console, feeds: Int, on line: LiveLine? = nil, telling manager: ServiceManager? = nil) {
    (self.console, self.feeds, self.manager) = (console, feeds, manager)
    self.line = line ?? LiveLine(console)
    state = Mutex(State(bar: ProgressBar(title: "harvest", total: feeds, unit: "feeds")))
  }

  /// Handles an event.
  func note(_ event: HarvestEvent) {
    if case .ended(_, let done) = event {
      manager?.notify(.status("\(done) of \(NumberText.count(feeds, "feed")) pulled"))
    }
    state.withLock { state in
      let plain = state.take(event)
      if line.isSeen { line.show(state.bar) } else if let plain { console.message(plain) }
    }
  }
}

extension HarvestProgress.State {
  /// Handles an event. Returns its text for where the live line is not shown.
  fileprivate mutating func take(_ event: HarvestEvent) -> SafeText? {
    var plain: SafeText?
    switch event {
    case .asks(let feed): bar.note = "\(feed.spoken)"
    case .pulls(let feed, .picture(let done, let known, let bytes)):
      count(HarvestProgress.Pictures(done: done, known: known, bytes: Int(bytes)), of: feed)
      bar.note = "\(feed.spoken)"
    case .pulls(let feed, .declared(let bytes, let most)):
      plain = LimitText.declared(bytes, most: most, of: "\(feed.spoken)")
    case .pulls(let feed, let step):
      bar.note = "\(feed.spoken): \(Self.text(for: step))"
      if case .waitsForPull = step { plain = bar.note }
    case .pictures(let done, let known):
      count(HarvestProgress.Pictures(done: done, known: known), of: nil)
      bar.note = "pictures tried again"
    case .ended(let entry, let done):
      bar.done = done
      plain = Self.plain(entry)
    }
    return plain
  }

  private mutating func count(_ new: HarvestProgress.Pictures, of feed: Feed?) {
    pictures[feed] = new
    let all = pictures.values
    bar.part = ProgressBar.Part(
      done: all.reduce(0) { $0 + $1.done }, known: all.reduce(0) { $0 + $1.known }, unit: "pictures")
    bar.bytes = all.reduce(0) { $0 + $1.bytes }
  }

  private static func text(for step: PullEvent) -> SafeText {
    switch step {
    case .page(let number, _): "page \(number)"
    case .misdated(let posts): "\(NumberText.count(posts, "date")) cannot be read"
    case .shortened(let posts): LimitText.shortened(posts)
    case .waitsForPull: "waits for another command"
    case .picture, .declared: "pictures"
    }
  }

  private static func plain(_ entry: HarvestEntry) -> SafeText? {
    let posts = entry.summary.posts
    guard posts.new + posts.updated > 0 else { return nil }
    let updated = posts.updated > 0 ? ", \(posts.updated) updated" : ""
    let misdated = posts.misdated > 0 ? "; \(NumberText.count(posts.misdated, "date")) cannot be read" : ""
    let shortened = posts.shortened.map { "; \(LimitText.shortened($0))" } ?? ""
    return "\(entry.feed.spoken): \(posts.new) new\(updated)\(misdated)\(shortened)"
  }
}
