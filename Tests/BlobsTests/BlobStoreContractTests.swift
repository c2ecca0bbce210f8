import Blobs
import Dispatch
import PropertyTesting
import Testing

/// What every store of blobs promises.
@Suite struct BlobStoreContractTests {
  @Test(arguments: BlobStoreFactory.all)
  func `a draft knows its name before the store has it, and keep gives it`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let draft = try store.draft(of: Array("abcdef".utf8), inPiecesOf: 4)
    let (id, count) = try draft.finish()
    #expect(id == BlobID(hashing: Array("abcdef".utf8)) && count == 6)
    #expect(try draft.fetch(2..<99) == Array("cdef".utf8))
    #expect(try store.stat(id) == nil)
    #expect(try !store.contains(id))
    #expect(try store.keep([draft]) == [Kept(id: id, byteCount: 6, wasStored: false)])
    #expect(try store.contains(id))
    #expect(try store.read(id) == Array("abcdef".utf8))
  }

  @Test(arguments: BlobStoreFactory.all)
  func `drafts in a batch are kept in their order, and the same bytes are one blob`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    #expect(try store.keep([]) == [])
    try store.keep([2])
    let kept = try store.keep([[1], [2], [], [1]].map { try store.draft(of: $0) })
    #expect(kept.map(\.id) == [[1], [2], [], [1]].map { BlobID(hashing: $0) })
    #expect(kept.map(\.wasStored) == [false, true, false, true])
    #expect(try Set(store.names(limit: 9)) == Set(kept.map(\.id)))
  }

  @Test(arguments: BlobStoreFactory.all)
  func `a draft that is not kept leaves nothing, and one that ended takes no bytes`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let ended = try store.draft(of: [1])
    try ended.finish()
    #expect(throws: BlobError.self) { try [UInt8]([2]).withUnsafeBytes { try ended.write($0) } }
    try ended.reset()
    try [UInt8]([3]).withUnsafeBytes { try ended.write($0) }
    #expect(try ended.finish().id == BlobID(hashing: [3]))
    ended.discard()
    #expect(throws: BlobError.self) { try [UInt8]([2]).withUnsafeBytes { try ended.write($0) } }
    #expect(try store.names(limit: 9) == [])
    #expect(try store.removeLeftovers() == 0)
  }

  @Test(arguments: BlobStoreFactory.all)
  func `a range is what of it lies within the blob`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let id = try store.keep(bytes).id
    for range in [0..<1, 0..<70_000, 65_530..<65_600, 69_999..<Int.max, 70_000..<70_001, 90_000..<90_001, 5..<5] {
      #expect(try store.fetch(id, range) == Array(bytes[range.clamped(to: 0..<70_000)]), "\(range)")
    }
    var whole: [UInt8] = []
    try store.eachPiece(of: id) { whole += $0 }
    #expect(whole == bytes)
    let empty = try store.keep([]).id
    #expect(try store.read(empty) == [])
  }

  @Test(arguments: BlobStoreFactory.all)
  func `an absent blob has no information, no bytes and nothing to remove`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let id = BlobID(hashing: [1])
    for _ in 0..<2 {
      #expect(try store.stat(id) == nil)
      #expect(throws: BlobError.missing(id)) { try store.fetch(id, 0..<1) }
      #expect(throws: BlobError.missing(id)) { try store.read(id) }
      #expect(throws: BlobError.missing(id)) { try store.header(of: id) }
      #expect(store.condition(of: id) == .missing)
      #expect(try !store.quarantine(id))
      #expect(try store.page(after: nil, limit: 1) == [])
      // The same holds for what was removed.
      let id = try store.keep([1]).id
      let blob = try #require(try store.stat(id))
      #expect(try store.remove(blob))
      #expect(try !store.remove(blob))
    }
  }

  @Test(arguments: BlobStoreFactory.all, [1, 2, 7, 1000])
  func `pages list every blob once, in the order of names, with length and time`(
    factory: BlobStoreFactory, limit: Int
  ) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let drafts = try (0..<300).map { try store.draft(of: Array("\($0)".utf8)) }
    let kept = try store.keep(drafts)
    #expect(try store.names(limit: limit) == kept.map(\.id).sorted { $0.hex < $1.hex })
    var seen = 0
    try store.eachBlob { blob throws in
      #expect(try store.stat(blob.id) == blob)
      #expect(try store.read(blob.id).count == blob.byteCount)
      #expect(blob.storedAt.timeIntervalSince1970 > 1_700_000_000)
      // The rest of the list does not depend on it.
      #expect(try store.remove(blob))
      seen += 1
    }
    #expect(seen == 300)
    #expect(try store.names(limit: limit) == [])
  }

  @Test(arguments: BlobStoreFactory.all)
  func `a blob that is stored again after it was inspected is not removed`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let id = try store.keep([1, 2, 3]).id
    // Fast enough for both to be within one tick of a file system's clock.
    for _ in 0..<50 {
      let old = try #require(try store.stat(id))
      #expect(try store.stat(id) == old)
      #expect(try store.keep([1, 2, 3]).wasStored)
      let new = try #require(try store.stat(id))
      #expect(new.version != old.version && new.storedAt >= old.storedAt)
      #expect(try !store.remove(old))
      #expect(try store.read(id) == [1, 2, 3])
      #expect(try store.remove(new))
      #expect(try !store.keep([1, 2, 3]).wasStored)
      #expect(try !store.remove(new))
      #expect(try store.contains(id))
    }
  }

  @Test(arguments: BlobStoreFactory.all)
  func `a writer that stores bytes has them, even if they are removed at that moment`(factory: BlobStoreFactory) throws
  {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let id = try store.keep([1, 2, 3]).id
    for round in 0..<PropertyTest.seeds(sample: 300, whole: 5_000).count {
      let old = try #require(try store.stat(id))
      let draft = try store.draft(of: [1, 2, 3])
      DispatchQueue.concurrentPerform(iterations: 2) { worker in
        #expect(throws: Never.self) { _ = worker == 0 ? try store.remove(old) : try store.keep([draft]).isEmpty }
      }
      #expect(try store.read(id) == [1, 2, 3], "round \(round)")
    }
  }

  @Test(arguments: BlobStoreFactory.all)
  func `many writers of the same bytes leave one blob`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      #expect(throws: Never.self) {
        for number in 0..<20 { try store.keep([UInt8(number)]) }
      }
    }
    #expect(try store.names(limit: 9).count == 20)
    for number in 0..<20 { #expect(store.condition(of: BlobID(hashing: [UInt8(number)]), byteCount: 1) == .good) }
  }

  @Test(arguments: BlobStoreFactory.all)
  func `bytes are verified against their name, and read as media`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let picture = Sample.jpeg(profile: 4)
    let id = try store.keep(picture).id
    #expect(store.isThere)
    #expect(store.condition(of: id) == .good)
    #expect(store.condition(of: id, byteCount: picture.count) == .good)
    #expect(store.condition(of: id, byteCount: 7) == .wrongLength(picture.count))
    #expect(try store.header(of: id) == MediaHeader(of: picture))
  }

  @Test(arguments: BlobStoreFactory.all)
  func `a blob in quarantine is no longer in the store, and may be stored again`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    for _ in 0..<2 {
      let id = try store.keep([1, 2, 3]).id
      #expect(try store.quarantine(id))
      #expect(try !store.contains(id))
      try store.appendToQuarantine("{}")
      #expect(try store.names(limit: 9) == [])
      try store.eachResidue { Issue.record("\($0)") }
    }
  }

  @Test(arguments: BlobStoreFactory.all)
  func `a draft of another store is refused, and nothing is kept`(factory: BlobStoreFactory) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let other = try (factory.testDescription == "memory" ? BlobStoreFactory.all[0] : .memory).store()
    let draft = try other.store.draft(of: [1])
    #expect(throws: BlobError.self) { try store.keep([draft]) }
    #expect(try store.names(limit: 9) == [])
  }
}
