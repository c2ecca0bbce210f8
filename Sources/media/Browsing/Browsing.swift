import Browse
import FoundationEssentials
import Glibc
import HTTP
import Harvest
import MediaLibrary
import Posts
import Storage
import Terminal

/// The composition of the interactive list: the screen on its thread, and the tasks that read, write and pull.
struct Browsing: Sendable {
  let console: Console
  let output: StyledConsole
  let library: LibraryOpener
  let settings: LibrarySettings
  let logins: AccountChooser
  let parser: FeedParser
  let pulls: PullFactory
  let discovery: FeedDiscovery
  let fetches: PictureFactory
  let cache: AvatarCache
  let notices: NoticeFinder
  let environment: [String: String]
  let time: TimeSource
  let list: PostListQuery
  /// The filter as typed in its field.
  let search: String
  let isStill: Bool
  let pictures: PicturePreference?

  /// After the terminal is restored, a longer write is explained to the user.
  private static let patience = Duration.milliseconds(500)

  /// Runs until the user quits. Throws errors that occur before the terminal is taken over; shows later ones on the screen.
  func run() async throws {
    let (files, blobs) = (library.feedLocks, library.blobs)
    let library = try open()
    let locks = files.shared(by: library.store)
    defer { library.close() }
    // A list waits for no service: what pulls leave behind in one is removed by other pulls.
    if self.library.address == nil { _ = try blobs.removeLeftovers() }
    let eventQueue = try ScreenEventQueue()
    let typed = try? Filter(parsing: search)
    let state = BrowsingState(
      list: list,
      search: typed.flatMap { $0 == .everything ? nil : PostFilter($0, now: time.now(), searchesNotes: true) },
      known: try library.store.feedsOfLists(), now: time.now())
    let feeds = FeedAnnouncer(library: library, state: state, eventQueue: eventQueue)
    let gaps = GapAnnouncer(
      library: library, locks: locks, time: time, state: state, eventQueue: eventQueue, feeds: feeds)
    let calendar = CalendarReader(library: library, state: state, eventQueue: eventQueue)
    let previewer = TimelinePreviewer(
      library: library, parser: parser, logins: logins, pulls: pulls, discovery: discovery, state: state,
      eventQueue: eventQueue)
    let writer = ListWriter(
      library: library, settings: settings, console: console, now: time.now, state: state,
      eventQueue: eventQueue)
    let login = ListLogin(logins: logins, environment: environment, eventQueue: eventQueue)
    let memory = ListMemory(library: library, locks: locks) { await writer.note($0) }
    let puller = ListPuller(
      library: library, logins: logins, pulls: pulls, discovery: discovery, pictures: fetches, settings: settings,
      cache: cache, time: time, state: state, eventQueue: eventQueue, gaps: gaps, login: login, memory: memory)
    let opener = ListOpener(
      library: library, settings: settings, viewer: Viewer(blobs: blobs, environment: environment, now: time.now),
      environment: environment, eventQueue: eventQueue)
    defer { opener.viewer.close() }
    let avatars = AvatarNotes(library: library, now: time.now)
    let reader = ListReader(
      library: library, parser: parser, time: time, state: state, eventQueue: eventQueue, gaps: gaps, avatars: avatars,
      memory: memory)
    let performers = ListPerformers(
      previewer: previewer, calendar: calendar, side: SideReader(library: library, time: time, eventQueue: eventQueue))
    let loop = ScreenLoop(
      eventQueue: eventQueue, colours: Painter.Colours(environment: environment, isPlain: !output.style.isOn),
      pictureEnvironment: .init(variables: output.drawingEnvironment, blobs: blobs, wish: pictures), now: time.now,
      performers: performers)
    // The first screen is drawn with the settings applied.
    await writer.begin()
    let reminder = (try? notices.notices(in: library.store))?.first?.message
    let screen = ListScreen(zone: .autoupdatingCurrent, search: search, isStill: isStill, reminder: reminder ?? "")
    // User actions are written whatever happens to the rest: they are not cancelled.
    let written = Task { await performers.writes.each { await writer.perform($0) } }
    defer { performers.writes.finish() }
    let end = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await reader.watch() }
      group.addTask { await reader.showWhatBegins() }
      group.addTask { await performers.reads.each { await reader.perform($0) } }
      group.addTask { await performers.pulls.each { await puller.pull($0) } }
      group.addTask { await performers.fetches.each { await puller.fetch($0) } }
      group.addTask { await performers.logins.each { await login.perform($0) } }
      group.addTask { await performers.openings.each { await opener.perform($0) } }
      group.addTask { await gaps.watch() }
      group.addTask { await calendar.answer() }
      group.addTask { await performers.side.answer() }
      group.addTask { await previewer.answer() }
      group.addTask { await avatars.keep() }
      for steps in [LateSteps.visibilities(), .words] {
        group.addTask { [time] in await steps.run(in: library.store, time.sleep) }
      }
      // The tasks beside the screen end with it.
      defer { group.cancelAll() }
      let end = try await loop.run(screen)
      eventQueue.close()
      group.cancelAll()
      performers.writes.finish()
      await wait(for: written)
      return end
    }
    try leave(end)
  }

  /// The library. On a full disk it is opened read-only, so that the list shows its content and explains each failed write.
  private func open() throws -> Library {
    do { return try library.openLibrary() } catch StorageError.full { return try library.openLibrary(for: .reading) }
  }

  /// Waits until all is written. After a while, says why it takes long.
  private func wait(for written: Task<Void, Never>) async {
    // It ends with this call at the latest, because it is cancelled below.
    let notice = Task {
      guard (try? await time.sleep(Self.patience)) != nil else { return }
      console.message("media: writing what you did; another process holds the library")
    }
    await written.value
    notice.cancel()
  }

  private func leave(_ end: ScreenLoop.End) throws {
    switch end {
    case .quit: return
    case .interrupted, .signalled(SIGINT): throw ExitHandling.Quiet(code: .interrupted)
    case .signalled, .hungUp: throw ExitHandling.Quiet(code: .terminated)
    }
  }
}
