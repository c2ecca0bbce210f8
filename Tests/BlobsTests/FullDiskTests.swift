import Folders
import Foundation
import Testing

@testable import Blobs

@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
struct FullDiskTests {
  @Test func `a full disk is reported, and nothing of the blob remains`() throws {
    let disk = try SmallDisk(bytes: 262_144)
    let blobs = DiskBlobs(library: disk.scratch.path)
    let small = try blobs.keep([blobs.draft(of: [1, 2, 3])])[0].id
    #expect(throws: BlobError.full(location: blobs.folder)) {
      let draft = try blobs.draft(of: Array(repeating: 5, count: 400_000), inPiecesOf: 50_000)
      _ = try blobs.keep([draft])
    }
    #expect(disk.scratch.files == [small.path])
    #expect(try blobs.read(small) == [1, 2, 3])
    let later = try blobs.keep([blobs.draft(of: [4, 5, 6])])
    #expect(try blobs.read(later[0].id) == [4, 5, 6])
  }

  @Test func `a read-only disk is reported`() throws {
    let disk = try SmallDisk(bytes: 262_144)
    let blobs = DiskBlobs(library: disk.scratch.path)
    let id = try blobs.keep([blobs.draft(of: [1, 2, 3])])[0].id
    try disk.makeReadOnly()
    #expect(throws: BlobError.readOnly(location: blobs.folder)) { try blobs.draft() }
    #expect(try blobs.read(id) == [1, 2, 3])
  }
}
