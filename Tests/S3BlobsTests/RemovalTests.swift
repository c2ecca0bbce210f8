import Blobs
import Dispatch
import Foundation
import HTTP
import PropertyTesting
import Synchronization
import Testing

@testable import S3Blobs

/// What stands between keeping and removing, where there is no lock.
@Suite struct RemovalTests {
  private static func removesBytes(_ request: Request) -> Bool {
    request.method == .delete && request.url.contains("X-Amz-Expires")
  }

  @Test func `a removal that is under way is waited for, and the bytes are stored once more`() throws {
    let bucket = try TestBucket()
    let (reached, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let remover = bucket.store { request in
      guard Self.removesBytes(request) else { return }
      reached.signal()
      go.wait()
    }
    let id = try bucket.store().keep([1, 2, 3]).id
    let blob = try #require(try remover.stat(id))
    let ended = DispatchGroup()
    DispatchQueue.global().async(group: ended) { #expect(throws: Never.self) { try remover.remove(blob) } }
    reached.wait()
    let waits = Mutex(0)
    let writer = bucket.store { request in
      // The writer looks at the announcement of its blob: it waits.
      guard request.url.contains("removing%2F\(id.hex).") else { return }
      if waits.withLock({
        $0 += 1
        return $0
      }) == 3 {
        go.signal()
      }
    }
    #expect(try writer.keep([1, 2, 3]).id == id)
    ended.wait()
    #expect(try bucket.store().read(id) == [1, 2, 3])
    #expect(waits.withLock(\.self) >= 3)
  }

  @Test func `a removal whose process sleeps is refused by the service after its time`() throws {
    let bucket = try TestBucket()
    var limits = S3Limits()
    (limits.removal, limits.margin) = (1, 1)
    let (reached, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let remover = bucket.store(limits: limits) { request in
      guard Self.removesBytes(request) else { return }
      reached.signal()
      go.wait()
    }
    let id = try bucket.store(limits: limits).keep([1, 2, 3]).id
    let blob = try #require(try remover.stat(id))
    let ended = DispatchGroup()
    DispatchQueue.global().async(group: ended) {
      #expect(throws: BlobError.self) { try remover.remove(blob) }
    }
    reached.wait()
    // It waits until the announcement is too old, although the remover never says that it is done.
    #expect(try bucket.store(limits: limits).keep([1, 2, 3]).id == id)
    go.signal()
    ended.wait()
    #expect(try bucket.store().read(id) == [1, 2, 3])
  }

  @Test func `a removal that ended before the writer looked is noticed`() throws {
    let bucket = try TestBucket()
    let id = try bucket.store().keep([1, 2, 3]).id
    let remover = bucket.store()
    let blob = try #require(try remover.stat(id))
    let (reached, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let slow = bucket.store { request in
      guard Self.removesBytes(request) else { return }
      reached.signal()
      go.wait()
    }
    let ended = DispatchGroup()
    DispatchQueue.global().async(group: ended) { #expect(throws: Never.self) { try slow.remove(blob) } }
    reached.wait()
    let isFirst = Atomic(true)
    let writer = bucket.store { request in
      // Before the writer looks for announcements, the removal ends altogether.
      guard request.url.contains("prefix=p%2Fremoving%2F&") || request.url.hasSuffix("prefix=p%2Fremoving%2F") else {
        return
      }
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      go.signal()
      ended.wait()
    }
    _ = try writer.keep([1, 2, 3])
    #expect(try bucket.store().read(id) == [1, 2, 3])
  }

  /// Writers store bytes and write a row; removers remove what has no row, as garbage collection does.
  ///
  /// A row counts from before its bytes are stored: garbage collection leaves alone what was stored a moment ago.
  @Test(arguments: PropertyTest.seeds(sample: 3, whole: 40))
  func `a row never lacks its blob, whatever writers and removers do at once`(seed: UInt64) throws {
    let bucket = try TestBucket()
    let rows = Mutex<[BlobID: Int]>([:])
    let contents = (0..<4).map { [UInt8($0)] }
    let round = { @Sendable (worker: Int) throws in
      var dice = Dice(state: seed &+ UInt64(worker) &* 7919)
      let store = bucket.store()
      for _ in 0..<25 {
        let bytes = contents[dice.below(contents.count)]
        let id = BlobID(hashing: bytes)
        if worker % 2 == 0 {
          rows.withLock { $0[id, default: 0] += 1 }
          try store.keep(bytes)
          #expect(try store.contains(id))
          // Its row goes, and somebody may remove it.
          rows.withLock { $0[id, default: 0] -= 1 }
        } else if let blob = try store.stat(id), rows.withLock({ $0[id] ?? 0 }) == 0 {
          _ = try store.remove(blob)
        }
      }
      if worker % 2 == 0 {
        for bytes in contents {
          rows.withLock { $0[BlobID(hashing: bytes), default: 0] += 1 }
          _ = try store.keep(bytes)
        }
      }
    }
    let queues = (0..<4).map { DispatchQueue(label: "worker \($0)") }
    let group = DispatchGroup()
    for (worker, queue) in queues.enumerated() {
      queue.async(group: group) { #expect(throws: Never.self) { try round(worker) } }
    }
    group.wait()
    let store = bucket.store()
    for id in rows.withLock({ $0.keys }) { #expect(store.condition(of: id) == .good, "seed \(seed)") }
    #expect(rows.withLock(\.count) == contents.count)
  }
}
