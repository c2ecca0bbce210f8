import Browse
import FoundationEssentials
import HTTP
import Machine
import MediaLibrary
import Posts
import Services
import Storage

/// Reads for the list: its window, other lists, and requested counts.
actor ListReader {
  private let library: Library
  private let parser: FeedParser
  private let time: TimeSource
  private let state: BrowsingState
  private let eventQueue: ScreenEventQueue
  private let gaps: GapAnnouncer
  private let memory: ListMemory
  private let work = BlockingExecutor("reads")
  private let avatars: AvatarNotes
  private var results: PostResults
  /// The list's position before the search.
  private var unsearched: Window<PostKey>?
  /// The lists to follow. One without a scope replaces the reading of the list that is shown.
  private let lists: AsyncStream<(ListScope?, PostResults)>
  private let continuation: AsyncStream<(ListScope?, PostResults)>.Continuation

  /// How many rows are read at a time, and how many are kept.
  private static let page = 60
  private static let most = 400

  /// How late what is planned may appear after it began.
  private static let patience = Duration.seconds(15)

  /// The delay before a failed read is repeated.
  private static let pause = Duration.seconds(2)

  /// Creates a reader.
  ///
  /// - Parameter memory: Receives the user's choices.
  init(
    library: Library, parser: FeedParser, time: TimeSource, state: BrowsingState, eventQueue: ScreenEventQueue,
    gaps: GapAnnouncer, avatars: AvatarNotes, memory: ListMemory
  ) {
    (self.library, self.parser, self.time) = (library, parser, time)
    (self.state, self.eventQueue) = (state, eventQueue)
    (self.gaps, self.avatars, self.memory) = (gaps, avatars, memory)
    (lists, continuation) = AsyncStream.makeStream()
    results = library.results(of: state.shown.query, window: Window(after: Self.page))
    continuation.yield((state.shown.scope, results))
  }

  /// Reports the list's content and its changes, whichever process makes them, until the task is cancelled.
  nonisolated func watch() async {
    for await (scope, results) in lists {
      if let scope {
        eventQueue.post(.scope(scope))
        gaps.stir()
      }
      await follow(results)
    }
  }

  /// Reports a list's content until another list is shown. Repeats a failed read after a pause.
  private nonisolated func follow(_ results: PostResults) async {
    var made = RowCache()
    while !Task.isCancelled {
      do {
        try await results.performFetch()
        for try await update in results.updates() {
          eventQueue.post(.list(ListReading(update.snapshot, made: &made)))
          avatars.note(update.snapshot.rows)
        }
      } catch is CancellationError {
        return
      } catch FetchedResultsError.stopped {
        return
      } catch {
        eventQueue.post(.unreadable("\(ListMessage.of(error)) · it is tried again"))
        try? await time.sleep(Self.pause)
      }
    }
  }

  /// Reads the list anew whenever a post made by hand begins: a new one at once, a planned one, of which no change of the
  /// library tells, soon after.
  nonisolated func showWhatBegins() async {
    let (stirs, stirring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [library, time] in
        repeat {
          do { for try await _ in library.store.changes() { stirring.yield() } } catch {}
        } while (try? await time.sleep(Self.pause)) != nil
      }
      group.addTask { [time] in
        while (try? await time.sleep(Self.patience)) != nil { stirring.yield() }
      }
      for await _ in stirs { await showBegun() }
      group.cancelAll()
    }
  }

  private func showBegun() async {
    let (start, end) = (state.shown.moment, time.now())
    let begun = try? await work.run { [library] in try library.store.begunPosts(after: start, upTo: end) }
    guard let begun, !begun.isEmpty else { return }
    state.change { $0.moment = end }
    await show(await results.window, isSame: true)
  }

  func perform(_ effect: ReadEffect) async {
    do {
      switch effect {
      case .load(let part): try await load(part)
      case .search(let filter): await search(filter)
      case .complete(let text): try await complete(text)
      case .choose(let text): try await choose(text)
      case .searchThere(let text): try await searchThere(text)
      case .members(let read): try await tellMembers(read)
      case .countDeleted: try await countDeleted()
      case .checkFile(let typed): await check(typed)
      }
    } catch {
      eventQueue.post(.problem(ListMessage.of(error)))
    }
  }

  private func search(_ filter: Filter) async {
    if state.shown.search == nil { unsearched = await results.window }
    let search = filter == .everything ? nil : PostFilter(filter, now: time.now(), searchesNotes: true)
    state.change { $0.search = search }
    await show(search == nil ? unsearched : nil)
  }

  private func complete(_ text: String) async throws {
    let offers = try await work.run { [library] in
      try FilterCompletion(of: text).offers { try library.store.names(of: $0, beginningWith: $1) }
    }
    eventQueue.post(.offers(offers, of: text))
  }

  private func load(_ part: ReadEffect.ListRead) async throws {
    defer { eventQueue.post(.loaded) }
    let snapshot = results.snapshot
    let window: Window<PostKey>? =
      switch part {
      case .after: snapshot.window(after: Self.page, atMost: Self.most)
      case .before: snapshot.window(before: Self.page, atMost: Self.most)
      case .top: Window(after: Self.page)
      case .bottom: try await end(after: snapshot)
      }
    if let window { try await results.move(to: window) }
  }

  /// The window at the list's end; nil if it is already shown.
  private func end(after snapshot: Snapshot<ListedPost>) async throws -> Window<PostKey>? {
    guard snapshot.hasMoreAfter else { return nil }
    let (library, query) = (library, state.shown.query)
    return try await work.run { try library.window(atEndOf: query, Self.page) }
  }

  /// Shows another list, or reads the same one anew.
  private func show(_ window: Window<PostKey>? = nil, isSame: Bool = false) async {
    await results.stop()
    let shown = state.shown
    results = library.results(of: shown.query, window: window ?? Window(after: Self.page))
    continuation.yield((isSame ? nil : shown.scope, results))
  }

  private func choose(_ text: String) async throws {
    let (parser, library, near) = (parser, library, state.shown.feeds)
    if text.isEmpty { return try await showAll() }
    if let filter = try await work.run({ [time] in try SortedList.filter(text, in: library.store, at: time.now()) }) {
      return try await show(filter)
    }
    try await show(try await work.run { try parser.feeds(of: text, near: near, among: try library.store.feeds()) })
  }

  private func showAll() async throws {
    let library = library
    state.showAll(try await work.run { try library.store.feedsOfLists() })
    unsearched = nil
    state.endPull()
    await show()
  }

  /// Shows an album, or what a saved search finds.
  private func show(_ filter: PostFilter) async throws {
    let library = library
    state.showAll(try await work.run { try library.store.feedsOfLists() })
    state.change { $0.list.filter = filter }
    unsearched = nil
    state.endPull()
    await show()
  }

  private func searchThere(_ text: String) async throws {
    guard let near = state.shown.searcher else { return }
    try await show([Feed(source: near.source, kind: .search, value: text, server: near.server)])
  }

  /// Shows the posts of feeds: all of one tag, or a single one.
  private func show(_ feeds: [Feed]) async throws {
    guard let first = feeds.first else { return }
    state.change { shown in
      shown.open(tag: first.kind == .tag ? first.value : nil, feed: first.kind == .tag ? nil : first)
      (shown.feeds, shown.isOpen) = (feeds, false)
    }
    unsearched = nil
    // The next list must not wait for the previous list's server.
    state.endPull()
    await show()
    await memory.choose(feeds.count == 1 ? first.written : first.value, feeds)
  }

  private func tellMembers(_ read: MemberRead) async throws {
    var members: [Int64] = []
    // It is answered whatever happens: keys wait for it. Where it cannot be read, nothing is known to have left.
    if case .among(let posts) = read { members = posts.sorted() }
    defer { eventQueue.post(.members(members, read)) }
    let (store, query) = (library.store, state.shown.query)
    members = try await work.run {
      switch read {
      case .all: return try store.members(of: query).ranges.flatMap { $0.map(Int64.init) }
      case .among(let posts): return try store.members(of: query, among: posts, byAuthors: []).sorted()
      case .range(let one, let other):
        guard let found = try store.members(of: query, from: one, to: other, atMost: .max) else {
          throw UsageError("the first one is no longer stored", cure: "x selects another first one")
        }
        return found
      }
    }
  }

  private func check(_ typed: String) async {
    do { try await work.run { try AttachedFile.check(EntryWriter.path(typed)) } } catch {
      eventQueue.post(.unfit(path: typed, reason: ListMessage.of(error)))
    }
  }

  private func countDeleted() async throws {
    let (list, library) = (state.shown.query, library)
    guard state.shown.search == nil else {
      throw UsageError("what is searched for cannot be restored", cure: "Esc shows the whole list, R restores it")
    }
    eventQueue.post(.restorable(try await work.run { try library.store.deletedPosts(of: list) }))
  }
}

/// Errors as the list's status row shows them.
enum ListMessage {
  static func of(_ error: any Error) -> String {
    // The disk was full when the library was opened, so that it is read-only.
    if case .openedForReading(let path)? = error as? StorageError { return of(StorageError.full(path: path)) }
    guard let error = error as? any ExplainedError else { return "\(error)" }
    if let failure = error as? SourceError, failure.wantsLogin { return failure.summary }
    // There is only one line: a command that helps comes first; keys that help stand at the end.
    if error.exitCode == .needsLogin, let cure = error.cure { return "Log in to see this: \(cure)" }
    let needsCommand = ![.unavailable, .tryLater, .unreadable].contains(error.exitCode)
    return needsCommand ? error.description : error.summary
  }
}
