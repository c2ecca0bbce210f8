import Folders
import Foundation
import PropertyTesting
import Testing

@testable import Blobs

extension Scratch {
  /// The paths of all files below the folder.
  var files: Set<String> {
    let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return Set(all.filter { attributes($0)[.type] as? FileAttributeType == .typeRegular })
  }
}

extension BlobStoring {
  func draft(of bytes: [UInt8], inPiecesOf size: Int = .max) throws -> any BlobReceiving {
    let draft = try draft()
    var rest = bytes[...]
    while !rest.isEmpty {
      try rest.prefix(size).withUnsafeBytes { try draft.write($0) }
      rest = rest.dropFirst(size)
    }
    return draft
  }
}

extension DiskBlobs.DraftStyle {
  static let allCases = [Self.unnamed, .named]
}

struct DiskBlobsTests {
  @Test(arguments: [DiskBlobs.DraftStyle.unnamed, .named])
  func `blobs stay in their folder when it is renamed`(
    style: DiskBlobs.DraftStyle
  ) throws {
    let scratch = try Scratch()
    let (old, new) = ("\(scratch.path)/old", "\(scratch.path)/new")
    #expect(mkdir(old, 0o700) == 0)
    let blobs = DiskBlobs(library: old, style: style)
    let draft = try blobs.draft(of: [1, 2, 3])
    #expect(rename(old, new) == 0)
    #expect(mkdir(old, 0o700) == 0)
    let first = try blobs.keep([draft])[0].id
    let second = try blobs.keep([blobs.draft(of: [4, 5])])[0].id
    #expect(try [first, second].map { try DiskBlobs(library: new).read($0) } == [[1, 2, 3], [4, 5]])
    #expect(try blobs.read(second) == [4, 5])
    #expect(blobs.condition(of: first) == .good)
    #expect(try FileManager.default.contentsOfDirectory(atPath: old) == [])
    // `path(of:)` is below the path that was given.
    #expect(blobs.path(of: first) == "\(old)/\(first.path)")
  }

  @Test(arguments: DiskBlobs.DraftStyle.allCases)
  func `a blob is stored under its hash, readable only by its owner`(style: DiskBlobs.DraftStyle) throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: style)
    let kept = try blobs.keep([blobs.draft(of: Array("abc".utf8))])
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(kept == [Kept(id: BlobID(hex)!, byteCount: 3, wasStored: false)])
    let path = "blobs/ba/7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(scratch.files == [path])
    #expect(scratch.mode(path) == 0o600)
    #expect(scratch.mode("blobs") == 0o700)
    #expect(scratch.mode("blobs/ba") == 0o700)
    #expect(try blobs.read(kept[0].id) == Array("abc".utf8))
  }

  @Test(arguments: DiskBlobs.DraftStyle.allCases)
  func `the same bytes are one blob, within a batch and after it`(style: DiskBlobs.DraftStyle) throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: style)
    let bytes: [UInt8] = Array(repeating: 7, count: 300_000)
    let first = try blobs.keep([blobs.draft(of: bytes), blobs.draft(of: bytes, inPiecesOf: 999)])
    let second = try blobs.keep([blobs.draft(of: bytes, inPiecesOf: 16_384)])
    #expect((first + second).map(\.wasStored) == [false, true, true])
    #expect(scratch.files == [first[0].id.path])
  }

  @Test(arguments: DiskBlobs.DraftStyle.allCases)
  func `a draft that is dropped, discarded or not kept leaves nothing`(style: DiskBlobs.DraftStyle) throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: style)
    do {
      _ = try blobs.draft(of: [1, 2, 3])
      let finished = try blobs.draft(of: [4, 5, 6])
      let id = try finished.finish().id
      #expect(try !blobs.contains(id))
      try blobs.draft(of: [7]).discard()
    }
    #expect(scratch.files == [])
  }

  @Test(arguments: [[100, 16_384, 100, 16_383, 1, 70_000], [70_000, 1], [65_535, 1, 1], [16_383, 16_383, 16_384]])
  func `pieces of every size are stored in order`(sizes: [Int]) throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path)
    var dice = Dice(state: 7)
    let pieces = sizes.map { size in (0..<size).map { _ in UInt8.random(in: 0...255, using: &dice) } }
    let draft = try blobs.draft()
    for piece in pieces { try piece.withUnsafeBytes { try draft.write($0) } }
    let kept = try blobs.keep([draft])[0]
    #expect(try blobs.read(kept.id) == pieces.flatMap(\.self))
    #expect(kept.id == BlobID(hashing: pieces.flatMap(\.self)))
  }

  @Test(arguments: DiskBlobs.DraftStyle.allCases)
  func `a retry discards the bytes before it`(style: DiskBlobs.DraftStyle) throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: style)
    let draft = try blobs.draft(of: Array(repeating: 1, count: 400_000), inPiecesOf: 50_000)
    try draft.reset()
    try [UInt8]("abc".utf8).withUnsafeBytes { try draft.write($0) }
    let kept = try blobs.keep([draft])
    #expect(kept[0].byteCount == 3)
    #expect(kept[0].id == BlobID(hashing: Array("abc".utf8)))
    #expect(try blobs.read(kept[0].id) == Array("abc".utf8))
  }

  @Test(arguments: DiskBlobs.DraftStyle.allCases)
  func `verified bytes replace a damaged file of the same name`(style: DiskBlobs.DraftStyle) throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: style)
    let id = try blobs.keep([blobs.draft(of: [1, 2, 3, 4])])[0].id
    try Data([9]).write(to: URL(fileURLWithPath: blobs.path(of: id)))
    #expect(try blobs.keep([blobs.draft(of: [1, 2, 3, 4])])[0].wasStored == false)
    #expect(try blobs.read(id) == [1, 2, 3, 4])
  }

  @Test(arguments: DiskBlobs.DraftStyle.allCases, [[4, 3, 2, 1], [9], [1, 2, 3, 4, 5]] as [[UInt8]])
  func `verified bytes replace wrong ones in one step, whatever their number`(
    style: DiskBlobs.DraftStyle, wrong: [UInt8]
  ) throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: style)
    let id = try blobs.keep([blobs.draft(of: [1, 2, 3, 4])])[0].id
    try Data(wrong).write(to: URL(fileURLWithPath: blobs.path(of: id)))
    let reader = open(blobs.path(of: id), O_RDONLY)
    defer { close(reader) }
    let kept = try blobs.keep([blobs.draft(of: [1, 2, 3, 4]), blobs.draft(of: [1, 2, 3, 4])])
    #expect(kept.map(\.wasStored) == [false, true])
    #expect(blobs.condition(of: id, byteCount: 4) == .good)
    #expect(scratch.files == [id.path])
    // A reader that has the old file open continues to read it: it is not overwritten.
    var bytes = [UInt8](repeating: 0, count: 9)
    #expect(read(reader, &bytes, 9) == wrong.count)
  }

  @Test func `verified bytes replace a link with a blob's name`() throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path)
    let id = try blobs.keep([blobs.draft(of: [1, 2, 3, 4])])[0].id
    let other = "\(scratch.path)/other"
    try Data([1, 2, 3, 4]).write(to: URL(fileURLWithPath: other))
    #expect(unlink(blobs.path(of: id)) == 0 && symlink(other, blobs.path(of: id)) == 0)
    #expect(try blobs.keep([blobs.draft(of: [1, 2, 3, 4])])[0].wasStored == false)
    #expect(blobs.condition(of: id, byteCount: 4) == .good)
  }

  @Test func `leftovers of a crash are removed, and drafts of living processes stay`() throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: .named)
    let living = try blobs.draft(of: [1, 2, 3])
    try Data([1]).write(to: URL(fileURLWithPath: "\(scratch.path)/blobs/tmp/dead.part"))
    try Data([1]).write(to: URL(fileURLWithPath: "\(scratch.path)/blobs/tmp/other"))
    #expect(try blobs.removeLeftovers() == 1)
    #expect(scratch.files.count == 2)
    #expect(try blobs.read(blobs.keep([living])[0].id) == [1, 2, 3])
    #expect(try blobs.removeLeftovers() == 0)
  }

  @Test func `a blob that is not stored is missing, and looking it up creates nothing`() throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path)
    let id = BlobID(hashing: [1])
    #expect(try !blobs.contains(id))
    #expect(throws: BlobError.missing(id)) { try blobs.read(id) }
    #expect(try blobs.removeLeftovers() == 0)
    #expect(scratch.files == [])
  }

  @Test func `writing after the end is refused`() throws {
    let scratch = try Scratch()
    let draft = try DiskBlobs(library: scratch.path).draft(of: [1])
    let first = try draft.finish()
    #expect(try draft.finish() == first)
    #expect(throws: BlobError.self) { try [UInt8]([2]).withUnsafeBytes { try draft.write($0) } }
  }

  @Test func `a file where a folder should be is reported with the system's message`() throws {
    let scratch = try Scratch()
    try Data().write(to: URL(fileURLWithPath: "\(scratch.path)/blobs"))
    #expect(throws: BlobError.io(location: "\(scratch.path)/blobs", reason: "Not a directory")) {
      try DiskBlobs(library: scratch.path).draft()
    }
  }

  @Test(arguments: ["", "ab", String(repeating: "A", count: 64), "../" + String(repeating: "a", count: 61)])
  func `a name is 64 lower-case digits and nothing else`(name: String) {
    #expect(BlobID(name) == nil)
  }
}
