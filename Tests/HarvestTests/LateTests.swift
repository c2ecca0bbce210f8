import Foundation
import HTTP
import Synchronization
import Testing

@testable import Harvest
@testable import Storage

struct LateTests {
  /// Counts downloads, each of which takes five seconds and fails; with `wait`, before it begins.
  private final class Downloads: Sendable {
    let begun = Atomic(0)

    func transport(_ clock: MadeUpClock, wait: Bool = false) -> Transport {
      Transport(send: { _ throws(TransportError) in throw .invalidURL }) { request, _ throws(TransportError) in
        if wait { clock.pass(5) }
        guard request.isStillWanted() else { throw .cancelled }
        self.begun.add(1, ordering: .relaxed)
        if !wait { clock.pass(5) }
        throw .invalidURL
      }
    }
  }

  /// The results of forty pictures, of one host or each of its own.
  private func fetch(
    _ transport: Transport, _ library: TestLibrary, _ time: TimeSource, until end: Date?, ofOneHost: Bool = false
  ) async -> PictureFetcher.Tally {
    let fetcher = PictureFetcher(
      transport: transport, blobs: library.blobs, store: library.store, time: time, parallel: 1)
    let (tasks, found) = AsyncStream.makeStream(of: PictureTask.self)
    let all = (0..<40).map { number in
      PictureTask(
        owner: .attachment(Int64(number)), kind: .image,
        urls: ["https://host\(ofOneHost ? 0 : number).example/\(number).jpg"], post: nil, server: nil)
    }
    fetcher.expect(all)
    for task in all { found.yield(task) }
    found.finish()
    return await fetcher.run(tasks, until: end) { _ in }
  }

  @Test func `no picture begins after the time there is, also of those whose worker waits already`() async throws {
    let (library, clock, downloads) = (try TestLibrary(), MadeUpClock(), Downloads())
    let tally = await fetch(downloads.transport(clock), library, clock.timekeeper, until: noon + 60)
    #expect(downloads.begun.load(ordering: .relaxed) == 12)
    #expect(tally.failure == nil)
    #expect(tally.known == 12)
    #expect(tally.counts.failed == 12)
  }

  @Test func `nor one that waits for its turn when the time is over`() async throws {
    let (library, clock, downloads) = (try TestLibrary(), MadeUpClock(), Downloads())
    let tally = await fetch(downloads.transport(clock, wait: true), library, clock.timekeeper, until: noon + 60)
    let begun = downloads.begun.load(ordering: .relaxed)
    #expect((1...11).contains(begun))
    #expect(tally.failure == nil)
    #expect((tally.known, tally.counts.failed) == (begun, begun))
  }

  @Test(.timeLimit(.minutes(10)))
  func `one that waits for its turn when its host is left alone is not asked for`() async throws {
    let library = try TestLibrary()
    let asked = Mutex(0)
    let transport = Transport(send: { _ throws(TransportError) in throw .invalidURL }) {
      request, _ throws(TransportError) in
      let attempt = asked.withLock { asked in
        asked += 1
        return asked
      }
      if attempt <= 3 { throw .timedOut(host: "host0.example") }
      // The others continue when those three have failed.
      while request.isStillWanted() { try? await Task.sleep(for: .milliseconds(1)) }
      throw .cancelled
    }
    let tally = await fetch(transport, library, MadeUpClock().timekeeper, until: nil, ofOneHost: true)
    #expect(tally.failure == nil)
    #expect(tally.counts.failed == 40)
    #expect(tally.reasons.count { $0.hasSuffix(FetchFailure.leftAlone.reason) } == PictureFetcher.mostReasons - 3)
  }

  @Test func `a skipped turn stays skipped, whatever changes a moment later`() async throws {
    let (library, clock) = (try TestLibrary(), MadeUpClock())
    let transport = Transport(send: { _ throws(TransportError) in throw .invalidURL }) {
      request, _ throws(TransportError) in
      clock.pass(100)
      let isWanted = request.isStillWanted()
      clock.pass(-100)
      throw isWanted ? .invalidURL : .cancelled
    }
    let tally = await fetch(transport, library, clock.timekeeper, until: noon + 60)
    #expect(tally.failure == nil)
    #expect((tally.known, tally.done) == (0, 0))
  }
}
