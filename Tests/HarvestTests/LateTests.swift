import Foundation
import HTTP
import Synchronization
import Testing

@testable import Harvest
@testable import Storage

struct LateTests {
  /// Counts downloads, each of which takes five seconds and fails.
  private final class Downloads: Sendable {
    let begun = Atomic(0)

    func transport(_ clock: MadeUpClock) -> Transport {
      Transport(send: { _ throws(TransportError) in throw .invalidURL }) { _, _ throws(TransportError) in
        self.begun.add(1, ordering: .relaxed)
        clock.pass(5)
        throw .invalidURL
      }
    }
  }

  @Test func `no picture begins after the time there is, also of those whose worker waits already`() async throws {
    let (shelf, clock, downloads) = (try Shelf(), MadeUpClock(), Downloads())
    let fetcher = PictureFetcher(
      transport: downloads.transport(clock), blobs: shelf.blobs, store: shelf.store, time: clock.timekeeper, parallel: 1
    )
    let (tasks, found) = AsyncStream.makeStream(of: PictureTask.self)
    let all = (0..<40).map { number in
      PictureTask(
        owner: .attachment(Int64(number)), kind: .image, urls: ["https://host\(number).example/a.jpg"], post: nil,
        server: nil)
    }
    fetcher.expect(all)
    for task in all { found.yield(task) }
    found.finish()
    let tally = await fetcher.run(tasks, until: noon + 60) { _ in }
    #expect(downloads.begun.load(ordering: .relaxed) == 12)
    #expect(tally.failure == nil)
    #expect(tally.known == 12)
    #expect(tally.counts.failed == 12)
  }
}
