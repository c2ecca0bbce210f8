import Foundation
import MediaLibrary
import Posts
import Synchronization
import Testing

@testable import Gallery

@Suite(.timeLimit(.minutes(5))) struct ChangeHubTests {
  /// Waits for as long as the test likes.
  private final class Pauses: Sendable {
    let (asked, ask) = AsyncStream.makeStream(of: Duration.self)
    private let (ends, end) = AsyncStream.makeStream(of: Void.self)

    @Sendable func pause(_ duration: Duration) async throws {
      ask.yield(duration)
      for await _ in ends { return }
      throw CancellationError()
    }

    func pass() { end.yield() }
  }

  @Test func `a commit is told to every stream, and streams end with the library`() async throws {
    let library = try TestLibrary()
    let hub = ChangeHub(library: library.library, pause: Pauses().pause)
    var streams: [AsyncStream<String>.AsyncIterator] = []
    for _ in 0..<3 { streams.append(await hub.subscribe().makeAsyncIterator()) }
    let run = Task { await hub.run() }
    try await watched(hub)
    try library.save([TestLibrary.post(0, at: TestLibrary.noon)])
    let id = try #require(try library.library.snapshot(of: PostListQuery()).rows.first?.post.id)
    for index in streams.indices {
      let event = try #require(await streams[index].next())
      #expect(event.hasPrefix("id: ") && event.hasSuffix("\n\n"))
      #expect(event.contains("\nevent: change\ndata: {\"posts\":[\(id)]"))
    }
    library.library.close()
    for index in streams.indices { while await streams[index].next() != nil {} }
    await run.value
    var late = await hub.subscribe().makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func `what was planned is told when it begins, although nothing changed`() async throws {
    let library = try TestLibrary()
    let pauses = Pauses()
    let clock = Mutex(TestLibrary.noon)
    let timed = Library(
      store: library.library.store, blobs: library.library.blobs, folder: library.library.folder
    ) { clock.withLock(\.self) }
    let id = try timed.add(caption: "the dentist", at: TestLibrary.noon.addingTimeInterval(60))
    #expect(try timed.snapshot(of: PostListQuery().listed(at: TestLibrary.noon)).rows.isEmpty)
    let hub = ChangeHub(library: timed, pause: pauses.pause)
    var stream = await hub.subscribe().makeAsyncIterator()
    let run = Task { await hub.run() }
    try await watched(hub)
    clock.withLock { $0 = TestLibrary.noon.addingTimeInterval(61) }
    pauses.pass()
    while let event = await stream.next() {
      guard event.contains("change") else { continue }
      #expect(event == "event: change\ndata: {\"posts\":[\(id)],\"authors\":[]}\n\n")
      break
    }
    timed.close()
    await run.value
  }

  /// Waits until a hub observes its library.
  private func watched(_ hub: ChangeHub) async throws {
    while await hub.position == nil { await Task.yield() }
  }

  @Test func `a browser that comes back gets what it missed, and nothing if it missed nothing`() async throws {
    let library = try TestLibrary()
    let hub = ChangeHub(library: library.library, pause: Pauses().pause)
    let run = Task { await hub.run() }
    try await watched(hub)
    var first = await hub.subscribe().makeAsyncIterator()
    var events: [String] = []
    for number in 0..<3 {
      try library.save([TestLibrary.post(number, at: TestLibrary.noon)])
      events.append(try #require(await first.next()))
    }
    let ids = events.map { $0.split(separator: "\n")[0].dropFirst("id: ".count) }
    #expect(Set(ids).count == 3)
    // What comes after is published last, so that a stream without it before has missed nothing more.
    let mark = ChangeHub.Event(id: nil, name: "job", data: "{}")
    for (last, missed) in [(String(ids[0]), Array(events[1...])), (String(ids[2]), [])] {
      var stream = await hub.subscribe(after: last).makeAsyncIterator()
      await hub.publish(mark)
      for event in missed + [mark.text] { #expect(await stream.next() == event) }
    }
    // Of another library, or too long ago.
    var stranger = await hub.subscribe(after: "7-elsewhere").makeAsyncIterator()
    #expect(await stranger.next() == ChangeHub.Event.everything.text)
    // Another server of the library takes the position, too.
    let other = ChangeHub(library: library.library, pause: Pauses().pause)
    let otherRun = Task { await other.run() }
    try await watched(other)
    var returned = await other.subscribe(after: String(ids[2])).makeAsyncIterator()
    await other.publish(mark)
    #expect(await returned.next() == mark.text)
    library.library.close()
    await run.value
    await otherRun.value
  }

  @Test func `a silent stream gets a comment every 15 seconds`() async throws {
    let library = try TestLibrary()
    let pauses = Pauses()
    let hub = ChangeHub(library: library.library, pause: pauses.pause)
    var stream = await hub.subscribe().makeAsyncIterator()
    let run = Task { await hub.run() }
    var asked = pauses.asked.makeAsyncIterator()
    for _ in 0..<2 {
      #expect(await asked.next() == .seconds(15))
      pauses.pass()
      #expect(await stream.next() == ":\n\n")
    }
    library.library.close()
    await run.value
  }

  @Test func `a reader that misses events is told that everything changed`() async throws {
    let library = try TestLibrary()
    let hub = ChangeHub(library: library.library, pause: Pauses().pause)
    let stream = await hub.subscribe()
    for number in 0..<300 { await hub.publish(.init(id: nil, name: "job", data: "\(number)")) }
    let run = Task { await hub.run() }
    library.library.close()
    await run.value
    var events: [String] = []
    for await event in stream { events.append(event) }
    #expect(events.count == 256)
    #expect(events.last?.contains("\"everything\":true") == true)
  }
}
