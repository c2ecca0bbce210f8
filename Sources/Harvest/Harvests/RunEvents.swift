import FoundationEssentials
import Posts
import Storage
import Synchronization

/// What happens in a harvest, until the ledger keeps it with its next result: events cost no transaction of their own.
public final class RunEvents: Sendable {
  private let waiting = Mutex<[LogLine]>([])
  private let onEvent: @Sendable (LogLine) -> Void

  /// Creates an empty list. Each event is also handed to `onEvent` at once.
  public init(onEvent: @escaping @Sendable (LogLine) -> Void = { _ in }) { self.onEvent = onEvent }

  /// Adds an event.
  ///
  /// - Parameter isKept: Whether the ledger keeps it.
  public func add(_ event: LogLine, isKept: Bool = true) {
    onEvent(event)
    guard isKept else { return }
    waiting.withLock { if $0.count < Store.mostEventsOfRun { $0.append(event) } }
  }

  /// Takes the events that no transaction has taken.
  public func take() -> [LogLine] {
    waiting.withLock { events in
      defer { events = [] }
      return events
    }
  }
}

extension PullReport {
  /// What is told of the pull of a feed in a log; nothing if somebody stopped it.
  ///
  /// - Parameters:
  ///   - start: When it began.
  ///   - end: When it ended.
  public func events(of feed: Feed, from start: Date, to end: Date) -> [LogLine] {
    let seconds = end.timeIntervalSince(start)
    var events: [LogLine] = []
    switch FeedOutcome(self) {
    case .stopped: return []
    case .limited(_, let failure, _):
      events.append(LogLine(.feedLimited, .notice, at: end, feed: feed, seconds: seconds, failure.recorded))
    case .read, .failed, .leftAlone:
      let (new, updated) = (summary.posts.new, summary.posts.updated)
      events.append(
        failure.map { LogLine(.feedFailed, .error, at: end, feed: feed, seconds: seconds, $0.recorded) }
          ?? LogLine(
            .feedRead, .info, at: end, feed: feed, seconds: seconds, count: new + updated,
            "\(feed.spoken): \(new) new, \(updated) updated"))
    }
    if summary.media.failed > 0 {
      events.append(
        LogLine(
          .picturesFailed, .notice, at: end, feed: feed, count: summary.media.failed,
          "\(feed.spoken): pictures could not be downloaded"))
    }
    return events + picturesPutOff.map { LogLine(putOff: $0, of: feed, at: end) }
  }
}

extension PullReport {
  /// What the ledger keeps of a pull by hand: its result, and what happened.
  public func record(of feed: Feed, from start: Date, to end: Date) -> (part: HarvestRun.Part, events: [LogLine]) {
    let entry = HarvestEntry(feed, self)
    var part = entry.part
    // That it was stopped is the state of the whole.
    if entry.isStopped { (part.outcome, part.failure) = (.well, nil) }
    return (part, events(of: feed, from: start, to: end).filter(\.isWorthKeeping))
  }
}

extension LogLine {
  /// The event of pictures that were put off.
  init(putOff pictures: PicturesPutOff, of feed: Feed?, at time: Date) {
    self.init(
      .picturesPutOff, .notice, at: time, feed: feed, host: pictures.host,
      seconds: pictures.until.timeIntervalSince(time), count: pictures.count,
      "\(pictures.host) takes no more requests for pictures for now")
  }

  /// The event of a harvest that the library itself ends.
  public init(failing failure: any Error, at time: Date) { self.init(.runFailed, .error, at: time, failure.recorded) }

  /// The event of posts that were not looked up again.
  public init(failing failure: any Error, toLookUp feed: String, at time: Date) {
    self.init(.recheckFailed, .notice, at: time, failure.recorded)
    self.feed = Feed.spoken(feed)
  }

  /// Whether a harvest keeps it. Feeds that bring nothing and take no time are only counted.
  var isWorthKeeping: Bool { level != .info || count ?? 0 > 0 || seconds ?? 0 >= 10 }
}
