import Blobs
import Folders
import Foundation
import PostgreSQL
import PostgreSQLServer
import Posts
import Testing

@testable import Storage

/// A library on a server and the place of its pictures know each other.
@Suite struct PictureLocationTests {
  private let server: PostgreSQLServer
  private let scratch: Scratch
  private let store: Store

  init() throws {
    (server, scratch) = (try PostgreSQLServer.shared(), try Scratch())
    store = try Self.library(server)
  }

  private static func library(_ server: PostgreSQLServer) throws -> Store {
    try Store.open(try server.newDatabase(), shownAs: "postgresql://test", for: .writing)
  }

  private func disk(_ name: String) -> DiskBlobs { DiskBlobs(library: "\(scratch.path)/\(name)") }

  /// The blobs in a folder, as a process has them that opens a library.
  private func placed(_ name: String, in store: Store? = nil) throws -> PlacedBlobs {
    let blobs = PlacedBlobs(disk(name))
    try blobs.follow(store ?? self.store)
    return blobs
  }

  @discardableResult
  private func keep(_ bytes: [UInt8], in blobs: any BlobStoring) throws -> Kept {
    let draft = try blobs.draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    return try blobs.keep([draft])[0]
  }

  /// Stores a picture and its row.
  @discardableResult
  private func add(_ bytes: [UInt8], to blobs: any BlobStoring, of store: Store? = nil) throws -> BlobID {
    let kept = try keep(bytes, in: blobs)
    let header = try blobs.header(of: kept.id)
    try (store ?? self.store).write { db in
      _ = try PictureWriter(db: db, now: noon).row(
        of: StoredBlob(id: kept.id, byteCount: kept.byteCount, header: header))
    }
    return kept.id
  }

  private func reason(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "nothing was refused"
  }

  @Test func `the first picture records the place, in the library and in the place`() throws {
    let blobs = try placed("deep/pictures")
    #expect(try store.pictureLocation() == nil)
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/deep"))
    #expect(try blobs.stat(BlobID(hashing: [1])) == nil)
    try add([1], to: blobs)
    let kept = try #require(try store.pictureLocation())
    #expect(kept.address == "\(scratch.path)/deep/pictures")
    #expect(try disk("deep/pictures").libraryIdentity() == kept.identity)
    let again = try placed("deep/pictures")
    try add([2], to: again)
    #expect(try again.read(BlobID(hashing: [1])) == [1])
    #expect(try store.pictureLocation() == kept)
  }

  @Test func `another folder is refused at the opening with both addresses, and not made`() throws {
    try add([1], to: try placed("library"))
    let words = reason { _ = try placed("libary") }
    #expect(
      words.hasPrefix(
        "\(scratch.path)/libary cannot be used, since this library keeps its pictures in \(scratch.path)/library: "),
      "\(words)")
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/libary"))
  }

  @Test func `the same folder may be mounted elsewhere`() throws {
    try add([1], to: try placed("library"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(scratch.path)/mounted", withDestinationPath: "\(scratch.path)/library")
    #expect(try placed("mounted").read(BlobID(hashing: [1])) == [1])
  }

  @Test func `a place that lost its pictures is refused, and one without pictures is marked again`() throws {
    try placed("library").claim()
    try FileManager.default.removeItem(atPath: "\(scratch.path)/library")
    try add([1], to: try placed("library"))
    try FileManager.default.removeItem(atPath: "\(scratch.path)/library")
    #expect(reason { _ = try placed("library") }.contains("library-identity is not there"))
  }

  @Test func `a place of another library is refused to whoever reads, stores or collects garbage there`() throws {
    let theirs = try add([1], to: try placed("library"))
    let other = try Self.library(server)
    defer { other.close() }
    #expect(reason { _ = try placed("library", in: other) }.contains("another library keeps its pictures there"))
    let unplaced = PlacedBlobs(disk("library"))
    try? unplaced.follow(other)
    #expect(
      throws: BlobError.self, "\(theirs)"
    ) { _ = try other.collectGarbage(in: unplaced, trash: .distantFuture, grace: .distantFuture) }
    #expect(throws: BlobError.self) { try add([2], to: unplaced, of: other) }
    #expect(!unplaced.isThere && unplaced.condition(of: theirs) != .good)
    #expect(try placed("library").read(theirs) == [1])
    #expect(try other.pictureLocation() == nil)
  }

  @Test(arguments: ["media.sqlite", "media-backup.json"])
  func `a library in a folder or a backup is no place for another one's pictures`(file: String) throws {
    try FileManager.default.createDirectory(atPath: "\(scratch.path)/taken", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: "\(scratch.path)/taken/\(file)"))
    #expect(reason { try placed("taken").claim() }.contains("a library of its own or a backup is there"))
    #expect(try store.pictureLocation() == nil)
  }

  @Test(arguments: ["taken/blobs", "taken/blobs/ab/cd", "link"])
  func `a folder among another library's pictures is no place, nor is one that has another's among its own`(
    name: String
  ) throws {
    try placed("taken").claim()
    try FileManager.default.createSymbolicLink(
      atPath: "\(scratch.path)/link", withDestinationPath: "\(scratch.path)/taken/blobs")
    let other = try Self.library(server)
    defer { other.close() }
    // A folder is told by where it is, whatever links and slashes lead there.
    let refused = "\(URL(filePath: scratch.path).lastPathComponent)/taken are there: name another folder"
    try FileManager.default.createDirectory(atPath: "\(scratch.path)/taken/blobs", withIntermediateDirectories: true)
    #expect(reason { try placed(name, in: other).claim() }.contains(refused))
    #expect(reason { _ = try PlaceMove(of: store, from: disk("taken"), to: disk(name)).run() }.contains(refused))
    try placed("outer/blobs", in: other).claim()
    let third = try Self.library(server)
    defer { third.close() }
    #expect(reason { try placed("outer", in: third).claim() }.contains("a library of its own or a backup is there"))
  }

  @Test func `a mark without content says so, and a move to where the pictures are says that`() throws {
    let id = try add([1], to: try placed("library"))
    let mark = URL(filePath: "\(scratch.path)/library/\(PlacedBlobs.identityFile)")
    let content = try Data(contentsOf: mark)
    for damaged in [Data(), Data(count: 40)] {
      try damaged.write(to: mark)
      #expect(reason { _ = try placed("library") }.contains("library-identity is empty there: remove that file; "))
      let stay = PlaceMove(of: store, from: disk("library"), to: disk("library"))
      #expect(reason { _ = try stay.run() }.contains("library-identity is empty there"))
      try disk("library").removeFile(named: PlacedBlobs.identityFile)
      #expect(try stay.run().verified == 1)
      #expect(try placed("library").read(id) == [1])
    }
    #expect(try Data(contentsOf: mark) == content)
    try FileManager.default.moveItem(atPath: "\(scratch.path)/library", toPath: "\(scratch.path)/new & old")
    let move = PlaceMove(of: store, from: disk("library"), to: disk("new & old"))
    #expect(
      reason { _ = try move.run() }.contains(
        "this library's pictures are there already: write blobs=\(scratch.path)/new%20%26%20old in"))
    let written = LibraryAddress.option(blobs: "/a b&c+%/é#\n'")
    #expect(written == "blobs=/a%20b%26c+%25/é%23%0A%27")
    #expect(LibraryAddress("postgresql://h/d?\(written)")?.blobs == "/a b&c+%/é#\n'")
  }

  @Test func `pictures of before are looked for before their place is recorded`() throws {
    // As a library of an earlier version has them: without a record of the place.
    let id = try add([1], to: disk("library"))
    #expect(reason { try placed("elsewhere").claim() }.contains("none of them is there"))
    #expect(try store.pictureLocation() == nil)
    let blobs = try placed("library")
    #expect(try blobs.read(id) == [1])
    try blobs.claim()
    #expect(try store.pictureLocation() != nil)
  }

  @Test func `whoever comes second takes the first one's place`() throws {
    let blobs = try (0..<4).map { _ in try placed("library") }
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      #expect(throws: Never.self) { try blobs[index].claim() }
    }
    let late = PlacedBlobs(disk("other"))
    #expect(throws: BlobError.self) { try late.follow(store) }
    #expect(throws: BlobError.self) { try late.claim() }
  }

  // MARK: Moving

  @Test func `a move copies, verifies, and leaves a place that is refused`() throws {
    let blobs = try placed("old")
    let ids = try (0..<5).map { try add([UInt8($0)], to: blobs) }
    let broken = "\(scratch.path)/new/\(ids[0].path)"
    try keep([7], in: disk("new"))
    try FileManager.default.createDirectory(
      atPath: URL(filePath: broken).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try Data([9]).write(to: URL(filePath: broken))
    let move = PlaceMove(of: store, from: disk("old"), to: disk("new"))
    #expect(try move.run() == .init(verified: 5, copied: 5, bytes: 5, missing: 0))
    for (number, id) in ids.enumerated() { #expect(try placed("new").read(id) == [UInt8(number)]) }
    #expect(reason { _ = try placed("old") }.contains("keeps its pictures in \(scratch.path)/new"))
    #expect(throws: BlobError.self) { _ = try move.run() }
    let back = PlaceMove(of: store, from: disk("new"), to: disk("old"))
    #expect(try back.run() == .init(verified: 5, copied: 0, bytes: 0, missing: 0))
    #expect(try placed("old").read(ids[1]) == [1])
  }

  @Test func `a copy of the database gets a place of its own, and leaves the first one's`() throws {
    let id = try add([1], to: try placed("first"))
    let copy = PlaceMove(of: store, from: disk("first"), to: disk("second"))
    #expect(try copy.run(copies: true).copied == 1)
    #expect(try placed("second").read(id) == [1])
    #expect(try disk("first").libraryIdentity() != nil)
  }

  @Test func `pictures that are in neither place stop a move, if they are many`() throws {
    let blobs = try placed("old")
    try (0..<30).forEach { try add([UInt8($0)], to: blobs) }
    try FileManager.default.removeItem(atPath: "\(scratch.path)/old/blobs")
    let move = PlaceMove(of: store, from: disk("old"), to: disk("new"))
    #expect(throws: PicturesMissing.self) { _ = try move.run() }
    #expect(try store.pictureLocation()?.address == "\(scratch.path)/old")
    #expect(try move.run(lost: true).missing == 30)
  }

  @Test func `a place that lost its mark is marked again once its pictures were compared`() throws {
    let id = try add([1], to: try placed("library"))
    try disk("library").removeFile(named: PlacedBlobs.identityFile)
    #expect(throws: BlobError.self) { _ = try placed("library") }
    let stay = PlaceMove(of: store, from: disk("library"), to: disk("library"))
    #expect(try stay.run() == .init(verified: 1, copied: 0, bytes: 0, missing: 0))
    #expect(try placed("library").read(id) == [1])
  }

  @Test func `a move waits for workers to end`() throws {
    try add([1], to: try placed("old"))
    let leases = try #require(store.leases)
    let lease = try #require(try leases.takeLeases(["feed"], most: 1, as: "other", lasting: .seconds(60)).first)
    let move = PlaceMove(of: store, from: disk("old"), to: disk("new"))
    #expect(throws: StorageError.busy(path: "postgresql://test")) { _ = try move.run() }
    try leases.releaseLease(lease)
    #expect(try move.run().copied == 1)
  }
}
