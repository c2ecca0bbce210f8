import Blobs
import Testing

@testable import Derivatives

struct QueueTests {
  private let blobs = (0..<9).map { BlobID(hashing: [$0]) }

  @Test func `requests go before background jobs, newest first, and background jobs in their order`() {
    var queue = DerivativeQueue(capacity: 9, backgroundLimit: 9)
    for (number, isBackground) in [true, false, true, false].enumerated() {
      #expect(queue.add(UInt64(number), blobs[number], [.small], isBackground: isBackground).isEmpty)
    }
    let order = (0..<4).compactMap { _ in queue.next()?.blob }
    #expect(order == [3, 1, 0, 2].map { blobs[$0] })
    #expect(queue.next() == nil)
  }

  @Test func `background jobs leave children to requests`() {
    var queue = DerivativeQueue(capacity: 9, backgroundLimit: 1)
    for number in 0..<2 { _ = queue.add(UInt64(number), blobs[number], [.small], isBackground: true) }
    let first = queue.next()
    #expect(first?.blob == blobs[0])
    #expect(queue.next() == nil)
    _ = queue.add(2, blobs[2], [.small], isBackground: false)
    #expect(queue.next()?.blob == blobs[2])
    if let first { #expect(queue.finish(first) == [0]) }
    #expect(queue.next()?.blob == blobs[1])
  }

  @Test func `a request joins a job of its blob that waits, and moves it to the front`() {
    var queue = DerivativeQueue(capacity: 9, backgroundLimit: 9)
    _ = queue.add(0, blobs[0], [.small], isBackground: true)
    _ = queue.add(1, blobs[1], [.small], isBackground: false)
    _ = queue.add(2, blobs[0], [.large], isBackground: false)
    let job = queue.next()
    #expect(job?.sizes == [.small, .large])
    #expect(job?.waiters == [0, 2])
    // One that runs is joined if it makes what is asked for.
    _ = queue.add(3, blobs[0], [.large], isBackground: false)
    _ = queue.add(4, blobs[0], [.medium], isBackground: false)
    if let job { #expect(queue.finish(job) == [0, 2, 3]) }
    #expect(queue.next()?.sizes == [.medium])
  }

  @Test func `beyond the capacity the oldest request is dropped, never a background job`() {
    var queue = DerivativeQueue(capacity: 2, backgroundLimit: 9)
    for number in 0..<3 { #expect(queue.add(UInt64(number), blobs[number], [.small], isBackground: true).isEmpty) }
    for number in 3..<5 { #expect(queue.add(UInt64(number), blobs[number], [.small], isBackground: false).isEmpty) }
    #expect(queue.add(5, blobs[5], [.small], isBackground: false) == [3])
    #expect((0..<5).compactMap { _ in queue.next()?.blob } == [5, 4, 0, 1, 2].map { blobs[$0] })
  }

  @Test func `a job that nobody waits for is dropped`() {
    var queue = DerivativeQueue(capacity: 9, backgroundLimit: 9)
    _ = queue.add(0, blobs[0], [.small], isBackground: false)
    _ = queue.add(1, blobs[0], [.small], isBackground: false)
    queue.remove(0)
    queue.remove(0)
    #expect(!queue.isEmpty)
    queue.remove(1)
    #expect(queue.isEmpty)
  }
}
