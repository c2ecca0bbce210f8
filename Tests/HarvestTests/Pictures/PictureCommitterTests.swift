import HTTP
import Synchronization
import Testing

@testable import Harvest
@testable import Storage

struct PictureKeeperTests {
  /// The number of pictures of each batch.
  private final class Batches: Sendable {
    private let sizes = Mutex([Int]())

    var all: [Int] { sizes.withLock { $0 } }

    func note(_ batch: PictureCommitter.Batch) { sizes.withLock { $0.append(batch.counts.failed) } }
  }

  private func ending(_ number: Int64) -> PictureCommitter.FetchResult {
    .failed(PictureFailure(owner: .attachment(number), reason: "it is gone", isGone: true), line: "it is gone")
  }

  @Test(.timeLimit(.minutes(10)))
  func `pictures that end a moment apart are one batch, and the last one waits for nothing`() async throws {
    let (library, batches) = (try TestLibrary(), Batches())
    let (asleep, falls) = AsyncStream.makeStream(of: Void.self)
    let (awake, wakes) = AsyncStream.makeStream(of: Void.self)
    let time = TimeSource(
      now: { noon },
      sleep: { _ in
        falls.yield()
        for await _ in awake { break }
      }, chance: { 0 })
    let committer = PictureCommitter(blobs: library.blobs, store: library.store, time: time)
    async let first: Void = committer.commit(ending(1), expected: { 4 }, onBatch: batches.note)
    for await _ in asleep { break }
    for number in 2...3 { try await committer.commit(ending(Int64(number)), expected: { 4 }, onBatch: batches.note) }
    #expect(batches.all.isEmpty)
    wakes.yield()
    try await first
    #expect(batches.all == [3])
    try await committer.commit(ending(4), expected: { 1 }, onBatch: batches.note)
    #expect(batches.all == [3, 1])
  }

  @Test(.timeLimit(.minutes(10)))
  func `pictures that wait for others when the pull is stopped are stored`() async throws {
    let (library, batches) = (try TestLibrary(), Batches())
    let (asleep, falls) = AsyncStream.makeStream(of: Void.self)
    let time = TimeSource(
      now: { noon },
      sleep: { _ in
        falls.yield()
        for await _ in AsyncStream<Void>.makeStream().stream {}
        try Task.checkCancellation()
      }, chance: { 0 })
    let committer = PictureCommitter(blobs: library.blobs, store: library.store, time: time)
    let ending = ending(1)
    let stopped = Task { try await committer.commit(ending, expected: { 2 }, onBatch: batches.note) }
    for await _ in asleep { break }
    stopped.cancel()
    try await stopped.value
    #expect(batches.all == [1])
  }
}
