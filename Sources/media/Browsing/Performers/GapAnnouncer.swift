import Browse
import HTTP
import Harvest
import Machine
import MediaLibrary

/// Reports the list's gaps and changes of the library to the screen, whichever process makes them.
struct GapAnnouncer: Sendable {
  private let library: Library
  private let locks: FeedLocks
  private let time: TimeSource
  private let state: BrowsingState
  private let eventQueue: ScreenEventQueue
  private let feeds: FeedAnnouncer
  private let work = BlockingExecutor("gaps")
  private let stirs: AsyncStream<Void>
  private let stirring: AsyncStream<Void>.Continuation

  /// The minimum and maximum time between two reads. The maximum exists because a killed pull changes no post.
  private static let (least, most) = (Duration.milliseconds(200), Duration.seconds(15))

  init(
    library: Library, locks: FeedLocks, time: TimeSource, state: BrowsingState, eventQueue: ScreenEventQueue,
    feeds: FeedAnnouncer
  ) {
    (self.library, self.locks, self.time) = (library, locks, time)
    (self.state, self.eventQueue, self.feeds) = (state, eventQueue, feeds)
    (stirs, stirring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Requests a read soon.
  func stir() { stirring.yield() }

  /// Reads after changes of the library, and periodically, until the task is cancelled.
  func watch() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await follow() }
      group.addTask {
        while (try? await time.sleep(Self.most)) != nil { stir() }
      }
      for await _ in stirs {
        eventQueue.post(.changed)
        await feeds.announce()
        await announce()
        try? await time.sleep(Self.least)
      }
      group.cancelAll()
    }
  }

  /// Reports the current gaps. If reading fails, the list's reader reports it.
  func announce() async {
    let shown = state.shown
    guard shown.list.tag != nil, shown.search == nil, shown.feeds.count == 1 else {
      eventQueue.post(.gaps([], isCutShort: false))
      return await announceOlder(of: shown.feeds)
    }
    let missing = try? await work.run { [locks, library] in
      try library.store.innerGaps(of: shown.feeds[0]) { locks.isHeld($0) }
    }
    guard let missing, state.shown.feeds == shown.feeds else { return }
    eventQueue.post(.gaps(missing.gaps.map { ListGap($0) }, isCutShort: missing.isCutShort))
  }

  /// Reports whether a tag among the feeds of a list has older posts.
  private func announceOlder(of feeds: [Feed]) async {
    let tags = feeds.filter { $0.kind == .tag }
    let hasOlder = try? await work.run { [library] in
      try tags.contains {
        try library.store.coverage(of: $0, isRunning: { _ in true }).intervals.last?.reachesEnd == false
      }
    }
    guard let hasOlder, state.shown.feeds == feeds else { return }
    eventQueue.post(.older(hasOlder))
  }

  private func follow() async {
    repeat {
      do { for try await _ in library.store.changes() { stir() } } catch {}
    } while (try? await time.sleep(.seconds(2))) != nil
  }
}
