import Browse
import FoundationEssentials
import Machine
import MediaLibrary
import Posts

/// Writes user actions and settings for the list.
struct ListWriter: Sendable {
  let library: Library
  let settings: LibrarySettings
  let console: Console
  let now: @Sendable () -> Date
  let state: BrowsingState
  let eventQueue: ScreenEventQueue
  private let work = BlockingExecutor("writes")

  /// The most own tags that are offered.
  private static let mostNames = 1_000

  init(
    library: Library, settings: LibrarySettings, console: Console, now: @escaping @Sendable () -> Date,
    state: BrowsingState, eventQueue: ScreenEventQueue
  ) {
    (self.library, self.settings, self.console) = (library, settings, console)
    (self.now, self.state, self.eventQueue) = (now, state, eventQueue)
  }

  /// Reports the settings.
  func begin() async { await attempt(tellSettings) }

  /// Records that a tag was chosen.
  func note(_ tag: String) async {
    await attempt {
      try library.store.noteTag(tag)
      try tellTags()
    }
  }

  func perform(_ effect: WriteEffect) async {
    switch effect {
    case .change(let change):
      do { eventQueue.post(.done(try await work.run { try perform(change) })) } catch {
        eventQueue.post(.refused(ListMessage.of(error)))
      }
    case .markNames:
      await attempt {
        eventQueue.post(
          .markNames(
            MarkNames(
              ownTags: try library.store.ownTags(beginningWith: "", limit: Self.mostNames),
              albums: try library.store.albumNames())))
      }
    case .tags: await attempt { try tellTags() }
    case .set(let name, let value): await attempt { try set(name, to: value) }
    }
  }

  private func perform(_ change: PostChange) throws -> UserAction {
    switch change {
    case .delete(let ids, let change): try set(deleted: true, ids, undoing: change)
    case .restore(let ids, let change): try set(deleted: false, ids, undoing: change)
    case .add(let text): .added(try library.add(post(text), id: UUID()))
    case .write(let entry): try EntryWriter(library: library, now: now()).write(entry)
    case .toggleFavourites(let posts): try marks.toggleFavourites(posts)
    case .mark(let posts, let what): try marks.mark(posts, what)
    case .addToAlbum(let posts, let name, let makes):
      // The screen knows the order of the rows that it read alone.
      try marks.add(library.store.inOrder(of: state.shown.query, posts), toAlbum: name, makes: makes)
    case .hide(let posts, let names): try marks.hide(posts, names)
    case .call(let posts, let verdict): try marks.call(posts, verdict)
    case .unmark(let changes): try marks.undo(changes)
    }
  }

  /// Deletes or restores posts; where a change is undone, those of it alone that are as it left them.
  private func set(deleted isDeleted: Bool, _ ids: [Int64], undoing change: Int64?) throws -> UserAction {
    let (store, marker, now) = (library.store, MarkPerformer.marker, now())
    if let change {
      guard let undone = try store.undo(change, by: marker, now: now), !undone.posts.isEmpty else {
        return .unmarked([], isPart: true)
      }
      let isPart = undone.kept > 0
      return isDeleted ? .deleted(undone.posts, isPart: isPart) : .restored(undone.posts, isPart: isPart)
    }
    let done = try isDeleted ? store.delete(ids, by: marker, now: now) : store.restore(ids, by: marker, now: now)
    return isDeleted ? .deleted(done.changed, by: done.change) : .restored(done.changed, by: done.change)
  }

  private var marks: MarkPerformer { MarkPerformer(store: library.store, now: now()) }

  private func set(_ name: String, to value: String) throws {
    let key = try SettingKey.named(name)
    try settings.set(key, to: try key.canonical(value), in: library.store)
    try tellSettings()
  }

  private func attempt(_ body: @escaping @Sendable () throws -> Void) async {
    do { try await work.run(body) } catch { report(ListMessage.of(error)) }
  }

  /// Reports a failure on the screen or, if the screen is gone, on standard error.
  private func report(_ problem: String) {
    guard eventQueue.isClosed else { return eventQueue.post(.problem(problem)) }
    console.error("media: \(problem)")
  }

  private func post(_ text: String) -> Post {
    Post(source: .manual, uri: "", createdAt: now(), caption: text)
  }

  /// The lists chosen last, then albums, saved searches and the other lists with posts.
  private func tellTags() throws {
    let latest = try library.store.latestTags()
    let store = library.store
    let others = try SortedList.feeds(in: store).map(\.written)
    let sorted = try SortedList.names(in: store)
    eventQueue.post(.tags(latest + sorted + others.filter { !latest.contains($0) }))
  }

  private func tellSettings() throws {
    let settings = try settings.read(in: library.store)
    let rows = SettingKey.allCases.map { key in
      let choices = if case .choice(let names) = key.kind { names } else { [String]() }
      return SettingRow(name: key.rawValue, value: settings[key], help: key.help, choices: choices)
    }
    eventQueue.post(.settings(rows, refresh: settings.refresh / .seconds(1)))
  }
}
