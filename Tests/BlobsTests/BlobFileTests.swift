import Folders
import Foundation
import MemoryBlobs
import Testing

@testable import Blobs

struct BlobFileTests {
  private let bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }

  @Test func `a program is given the disk's own file`() throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path)
    let id = try blobs.keep(bytes).id
    let path = try blobs.file(of: id, in: scratch.path).path
    #expect(path == "\(scratch.path)/\(id.path)")
    #expect(FileManager.default.contents(atPath: path) == Data(bytes))
  }

  @Test func `a store without files gives a program a copy, which is removed after its use`() throws {
    let scratch = try Scratch()
    let blobs = MemoryBlobs(now: Ticks().next)
    let id = try blobs.keep(bytes).id
    do {
      let file = try blobs.file(of: id, in: scratch.path)
      let name = try #require(scratch.names.first)
      #expect(file.path == "\(scratch.path)/\(name)")
      #expect(FileManager.default.contents(atPath: file.path) == Data(bytes))
      #expect(scratch.mode(name) == 0o600)
    }
    #expect(scratch.names == [])
    #expect(throws: BlobError.missing(BlobID(hashing: [1]))) {
      try blobs.file(of: BlobID(hashing: [1]), in: scratch.path)
    }
    #expect(throws: BlobError.io(location: "/nowhere", reason: "No such file or directory")) {
      try blobs.file(of: id, in: "/nowhere")
    }
    #expect(scratch.names == [])
  }

  @Test(arguments: BlobStoreFactory.all)
  func `a copy is a new file, and nothing remains of one that failed`(factory: BlobStoreFactory) throws {
    let scratch = try Scratch()
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    let id = try store.keep(bytes).id
    let path = "\(scratch.path)/copy"
    try store.copy(id, to: path)
    #expect(FileManager.default.contents(atPath: path) == Data(bytes))
    #expect(scratch.mode("copy") == 0o600)
    #expect(throws: BlobError.io(location: path, reason: "File exists")) { try store.copy(id, to: path) }
    #expect(throws: BlobError.self) { try store.copy(BlobID(hashing: [1]), to: "\(path)-2") }
    #expect(scratch.names == ["copy"])
  }
}
