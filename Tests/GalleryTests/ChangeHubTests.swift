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
    // The library is watched from here on.
    for index in streams.indices { #expect(await streams[index].next()?.contains("\"everything\":true") == true) }
    try library.save([TestLibrary.post(0, at: TestLibrary.noon)])
    let id = try #require(try library.library.snapshot(of: PostListQuery()).rows.first?.post.id)
    for index in streams.indices {
      let event = try #require(await streams[index].next())
      #expect(event.hasPrefix("event: change\ndata: ") && event.hasSuffix("\n\n"))
      #expect(event.contains("\"posts\":[\(id)]") || event.contains("\"everything\":true"))
    }
    library.library.close()
    for index in streams.indices { while await streams[index].next() != nil {} }
    await run.value
    var late = await hub.subscribe().makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func `a silent stream gets a comment every 15 seconds`() async throws {
    let library = try TestLibrary()
    let pauses = Pauses()
    let hub = ChangeHub(library: library.library, pause: pauses.pause)
    var stream = await hub.subscribe().makeAsyncIterator()
    let run = Task { await hub.run() }
    #expect(await stream.next()?.contains("everything") == true)
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
