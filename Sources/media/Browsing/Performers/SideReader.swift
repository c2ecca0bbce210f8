import Browse
import FoundationEssentials
import HTTP
import Machine
import MediaLibrary

/// Reads the side list: saved searches, albums and feeds, and what is unseen of each. While it counts, further requests become
/// one.
struct SideReader: Sendable {
  private let library: Library
  private let time: TimeSource
  private let eventQueue: ScreenEventQueue
  private let work = BlockingExecutor("side list")
  private let requests: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// The least time from one count to the next: a pull changes the library many times a second.
  private static let pause = Duration.seconds(1)

  init(library: Library, time: TimeSource, eventQueue: ScreenEventQueue) {
    (self.library, self.time, self.eventQueue) = (library, time, eventQueue)
    (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ask() { continuation.yield() }

  /// Answers until the task is cancelled.
  func answer() async {
    for await _ in requests {
      do {
        eventQueue.post(
          .side(try await work.run { [library, now = time.now()] in try Self.entries(in: library.store, now) }))
      } catch { eventQueue.post(.problem(ListMessage.of(error))) }
      try? await time.sleep(Self.pause)
    }
  }

  private static func entries(in store: Store, _ now: Date) throws -> [SideEntry] {
    let sorted: [(SideEntry.Kind, FilterKey, [String])] = [
      (.search, .saved, try store.savedSearches().map(\.name)), (.album, .album, try store.albumNames()),
    ]
    let named = try sorted.flatMap { kind, key, names in
      try names.map { name in
        let filter = Filter.term(.init(key, [.word(name)]))
        return SideEntry(
          kind: kind, name: name, text: "\(filter)", unseen: try unseen(PostListQuery(), of: filter, in: store, now))
      }
    }
    let feeds = try SortedList.feeds(in: store).map { feed in
      SideEntry(
        kind: .feed, name: feed.written, text: feed.written,
        unseen: try unseen(PostListQuery(feed: feed), of: .everything, in: store, now))
    }
    return named + feeds
  }

  /// How many are unseen; nil if a saved search cannot be used.
  private static func unseen(
    _ list: PostListQuery, of filter: Filter, in store: Store, _ now: Date
  ) throws -> ListTotal? {
    var list = list
    list.filter = PostFilter(
      .conjunction([filter, .term(.init(.is, [.word("unseen")]))]), now: now, searchesNotes: true)
    return try store.totalIfUsable(of: list.listed(at: now))
  }
}
