import Folders
import Foundation
import Testing

@testable import Blobs

struct BlobConditionTests {
  private func stored(_ bytes: [UInt8]) throws -> (Scratch, DiskBlobs, BlobID) {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path)
    return (scratch, blobs, try blobs.keep([blobs.draft(of: bytes)])[0].id)
  }

  @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 5_000_000])
  func `bytes of every length are checked against their name`(length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let (scratch, blobs, id) = try stored(bytes)
    #expect(blobs.condition(of: id, byteCount: length) == .good)
    #expect(blobs.condition(of: id) == .good)
    #expect(blobs.condition(of: id, byteCount: length + 1) == .wrongLength(length))
    guard length > 0 else { return }
    var flipped = bytes
    flipped[length - 1] ^= 1
    try Data(flipped).write(to: URL(fileURLWithPath: "\(scratch.path)/\(id.path)"))
    #expect(blobs.condition(of: id, byteCount: length) == .wrongBytes)
  }

  @Test func `something with a blob's name that is not a regular file does not block the check`() throws {
    let (scratch, blobs, id) = try stored([1, 2, 3])
    let path = "\(scratch.path)/\(id.path)"
    #expect(unlink(path) == 0)
    #expect(blobs.condition(of: id) == .missing)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(blobs.condition(of: id) == .unreadable("it is not a file"))
    #expect(unlink(path) == 0 && symlink("/dev/zero", path) == 0)
    guard case .unreadable = blobs.condition(of: id) else {
      Issue.record("a link was followed")
      return
    }
  }

  @Test func `only errors of the disk or the file are damage, not that it cannot be read now`() {
    for code in [EIO, EBADMSG, ELOOP] {
      #expect(DiskBlobs.refused(code) == .unreadable(String(cString: strerror(code))))
    }
    for code in [EACCES, EPERM, EMFILE, ENFILE, ENOMEM, EAGAIN] {
      #expect(DiskBlobs.refused(code) == .withheld(String(cString: strerror(code))))
    }
  }

  @Test func `the entries include what does not belong there`() throws {
    let (scratch, blobs, id) = try stored([1, 2, 3])
    try Data([1]).write(to: URL(fileURLWithPath: "\(blobs.folder)/\(id.folderName)/\(id.hex)"))
    try Data([1]).write(to: URL(fileURLWithPath: "\(blobs.folder)/.DS_Store"))
    var found: [String: BlobResidue.Kind] = [:]
    try blobs.eachResidue { found[$0.name] = $0.kind }
    let long = "blobs/\(id.folderName)/\(id.hex)"
    #expect(found == [long: .foreign, "blobs/.DS_Store": .foreign])
    let blob = try #require(try blobs.stat(id))
    var listed: [BlobInfo] = []
    try blobs.eachBlob { listed.append($0) }
    #expect(listed == [blob])
    #expect(try blobs.remove(blob))
    #expect(try !blobs.remove(blob))
    #expect(scratch.files == [long, "blobs/.DS_Store"])
  }

  @Test func `a library without pictures has no entries`() throws {
    let blobs = DiskBlobs(library: try Scratch().path)
    try blobs.eachBlob { Issue.record("\($0)") }
    try blobs.eachResidue { Issue.record("\($0)") }
  }

  @Test func `lines are appended to the quarantine file`() throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path)
    for line in ["{\"a\":1}", "{}"] { try blobs.appendToQuarantine(line) }
    #expect(try String(contentsOfFile: "\(scratch.path)/quarantine/rows.jsonl", encoding: .utf8) == "{\"a\":1}\n{}\n")
    #expect(scratch.mode("quarantine") == 0o700 && scratch.mode("quarantine/rows.jsonl") == 0o600)
  }
}
