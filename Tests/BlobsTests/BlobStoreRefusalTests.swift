import Folders
import Foundation
import MemoryBlobs
import S3Blobs
import S3Server
import Testing

@testable import Blobs

/// A store with one blob of three bytes that then accepts nothing, or nothing more.
struct RefusingStore {
  let store: any BlobStoring
  /// What its errors name.
  let location: String
  let keeper: AnyObject?
  let id: BlobID

  enum Kind: CaseIterable { case disk, memory, s3 }

  /// A store whose space is used up.
  static func full(_ kind: Kind) throws -> RefusingStore {
    switch kind {
    case .disk:
      let disk = try SmallDisk(bytes: 262_144)
      let refusing = try RefusingStore(DiskBlobs(library: disk.scratch.path), keeper: disk)
      // A page is left, so that an inode is.
      try disk.fill(leaving: 4096)
      return refusing
    case .memory:
      let memory = MemoryBlobs(now: Ticks().next)
      let refusing = try RefusingStore(memory, location: "memory", keeper: nil)
      memory.limit(to: 3)
      return refusing
    case .s3: throw CancellationError()
    }
  }

  /// A store that may not be written.
  static func readOnly(_ kind: Kind) throws -> RefusingStore {
    switch kind {
    case .disk:
      let disk = try SmallDisk(bytes: 262_144)
      let refusing = try RefusingStore(DiskBlobs(library: disk.scratch.path), keeper: disk)
      try disk.makeReadOnly()
      return refusing
    case .memory:
      let memory = MemoryBlobs(now: Ticks().next)
      let refusing = try RefusingStore(memory, location: "memory", keeper: nil)
      memory.makeReadOnly()
      return refusing
    case .s3:
      let (server, scratch) = (try S3Server.shared(), try Scratch())
      let address = try #require(S3Address("s3://\(server.newBucket())"))
      let environment = server.environment(in: scratch.path)
      let id = try S3Blobs(address, server.configuration(), environment).keep([1, 2, 3]).id
      let store = S3Blobs(address, server.configuration(.reader), environment)
      return RefusingStore(store: store, location: "\(address)", keeper: scratch, id: id)
    }
  }

  private init(store: any BlobStoring, location: String, keeper: AnyObject?, id: BlobID) {
    (self.store, self.location, self.keeper, self.id) = (store, location, keeper, id)
  }

  private init(_ disk: DiskBlobs, keeper: AnyObject) throws {
    try self.init(disk, location: disk.folder, keeper: keeper)
  }

  private init(_ store: any BlobStoring, location: String, keeper: AnyObject?) throws {
    (self.store, self.location, self.keeper) = (store, location, keeper)
    id = try store.keep([1, 2, 3]).id
  }

  /// Whatever it refuses, it answers.
  func expectReadable() throws {
    let blob = try #require(try store.stat(id))
    #expect(blob.byteCount == 3)
    #expect(try store.contains(id))
    #expect(try store.read(id) == [1, 2, 3])
    #expect(try store.fetch(id, 1..<2) == [2])
    #expect(try store.page(after: nil, limit: 9) == [blob])
    #expect(store.condition(of: id, byteCount: 3) == .good)
    #expect(store.isThere)
    #expect(try store.stat(BlobID(hashing: [9])) == nil)
    #expect(throws: BlobError.missing(BlobID(hashing: [9]))) { try store.read(BlobID(hashing: [9])) }
  }
}

/// What a store promises that accepts no bytes.
@Suite struct BlobStoreRefusalTests {
  private static var kinds: [RefusingStore.Kind] { SmallDisk.isPossible ? [.disk, .memory] : [.memory] }

  @Test(arguments: kinds)
  func `a full store answers, says that it is full, and can be emptied`(kind: RefusingStore.Kind) throws {
    let full = try RefusingStore.full(kind)
    defer { withExtendedLifetime(full.keeper) {} }
    let large = [UInt8](repeating: 5, count: 200_000)
    for _ in 0..<2 {
      #expect(throws: BlobError.full(location: full.location)) {
        let draft = try full.store.draft(of: large, inPiecesOf: 50_000)
        _ = try full.store.keep([draft])
      }
      try full.expectReadable()
      // The refused draft's space is free again.
      try (full.keeper as? SmallDisk)?.settle()
    }
    // What is stored needs no more space.
    #expect(try full.store.keep([1, 2, 3]).wasStored)
    let blob = try #require(try full.store.stat(full.id))
    #expect(try full.store.remove(blob))
    #expect(try full.store.page(after: nil, limit: 9) == [])
    #expect(try !full.store.keep([1, 2, 3]).wasStored)
    try full.expectReadable()
  }

  @Test(arguments: kinds + [.s3])
  func `a read-only store answers, and says so of every change`(kind: RefusingStore.Kind) throws {
    let readOnly = try RefusingStore.readOnly(kind)
    defer { withExtendedLifetime(readOnly.keeper) {} }
    let store = readOnly.store
    let blob = try #require(try store.stat(readOnly.id))
    let isRefused = { (error: any Error) in
      guard case .readOnly? = error as? BlobError else { return false }
      return true
    }
    #expect(throws: BlobError.readOnly(location: readOnly.location)) { try store.draft() }
    #expect(throws: BlobError.readOnly(location: readOnly.location)) { try store.remove(blob) }
    #expect { try store.quarantine(readOnly.id) } throws: { isRefused($0) }
    #expect { try store.appendToQuarantine("{}") } throws: { isRefused($0) }
    #expect(try store.removeLeftovers() == 0)
    try store.eachResidue { Issue.record("\($0)") }
    try readOnly.expectReadable()
  }
}
