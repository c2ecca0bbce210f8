import Blobs
import Foundation
import Posts
import Testing

@testable import Storage

/// Pictures whose files are missing: whatever a repair does, returned files are shown by their posts again.
struct LossTests {
  /// Moves a library's blobs away or back.
  private func move(_ library: DiskLibrary, from: String, to: String) throws {
    try FileManager.default.moveItem(
      atPath: "\(library.scratch.path)/\(from)", toPath: "\(library.scratch.path)/\(to)")
  }

  private func shown(_ library: DiskLibrary) throws -> [BlobID?] {
    try library.store.posts().flatMap(\.attachments).map(\.blob)
  }

  private func collect(_ library: DiskLibrary) throws {
    _ = try library.store.collectGarbage(in: library.blobs, trash: .distantPast, grace: .distantFuture)
  }

  enum Absence: CaseIterable { case moved, link, emptied }

  @Test(arguments: Absence.allCases)
  func `a folder of pictures that is away costs none of them`(absence: Absence) throws {
    let library = try DiskLibrary()
    try library.pull(1...30)
    let before = try shown(library)
    try move(library, from: "blobs", to: "away")
    let blobs = "\(library.scratch.path)/blobs"
    switch absence {
    case .moved: break
    case .link: #expect(symlink("/nowhere/at/all", blobs) == 0)
    case .emptied: #expect(mkdir(blobs, 0o700) == 0)
    }
    let (found, result) = try library.check(repair: true)
    #expect(found.map(\.kind) == [.absent] + Array(repeating: .missing, count: 30))
    #expect(found.first?.detail.contains("put it back") == true)
    #expect((result.faults, result.remaining, result.postsToFetch) == (31, 31, []))
    #expect(try shown(library) == before)
    if absence != .moved { #expect(remove(blobs) == 0) }
    try move(library, from: "away", to: "blobs")
    #expect(try library.check(repair: true).findings == [])
    try collect(library)
    #expect(try library.check().findings == [])
    #expect(try shown(library) == before)
  }

  @Test func `if the folder is missing, no picture is given up`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...1)
    try move(library, from: "blobs", to: "away")
    #expect(try library.check(repair: true).result.postsToFetch == [])
    #expect(try library.check(repair: true, lost: true).result.postsToFetch == ids)
  }

  @Test func `pictures that were given up are shown again when their files are back`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...30)
    let before = try shown(library)
    try move(library, from: "blobs", to: "away")
    #expect(try library.check(repair: true, lost: true).result.remaining == 0)
    #expect(try shown(library) == Array(repeating: nil, count: 30))
    #expect(try library.check().result == CheckResult(posts: 30))
    #expect(try library.store.pictures(ofPosts: ids, now: noon).count == 30)
    // One of them is gone from the web meanwhile.
    let task = try library.store.pictures(ofPosts: [ids[3]], now: noon)[0]
    try library.store.fail([PictureFailure(owner: task.owner, reason: "gone", isGone: true)], now: noon)
    try move(library, from: "away", to: "blobs")
    try collect(library)
    let found = try library.check().findings
    #expect(found.map(\.kind) == Array(repeating: .returned, count: 30))
    #expect(try library.check(isPulling: true).findings == [])
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try shown(library) == before)
    try collect(library)
    #expect(try library.check().findings == [])
  }

  @Test func `a picture fetched again with other bytes leaves no fault`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...2)
    let lost = try library.blob(of: ids[0])
    try FileManager.default.removeItem(atPath: library.blobs.path(of: lost))
    try library.check(repair: true)
    let anew = try library.keep([7], for: try library.store.pictures(ofPosts: ids, now: noon)[0])
    #expect(try library.blob(of: ids[0]) == anew)
    #expect(try library.check().findings.filter(\.isFault) == [])
    try collect(library)
    #expect(try library.check().findings == [])
  }

  @Test func `a picture of a deleted post is not asked for while the post is deleted`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...2)
    try FileManager.default.removeItem(atPath: library.blobs.path(of: library.blob(of: ids[0])))
    try library.store.delete([ids[0]], now: noon)
    try library.check(repair: true)
    let states = "SELECT state FROM attachment ORDER BY post = \(ids[0])"
    #expect(try library.store.read { try rows(states, in: $0) } == ["stored", "skipped"])
    try library.store.restore([ids[0]], now: noon)
    #expect(try library.store.pictures(ofPosts: ids, now: noon).map(\.post) == [ids[0]])
  }

  @Test func `a file that may not be opened now is named, and nothing is done about it`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...2)
    let blob = try library.blob(of: ids[0])
    // The lease holder blocks others for a while, the superuser included.
    let (setLease, setSignal): (Int32, Int32) = (1024, 10)
    let file = open(library.blobs.path(of: blob), O_RDWR)
    defer { close(file) }
    try #require(fcntl(file, setSignal, SIGURG) == 0 && fcntl(file, setLease, F_WRLCK) == 0)
    let (found, result) = try library.check(repair: true)
    #expect(found.map(\.detail) == ["\(blob.path) cannot be read now (Resource temporarily unavailable)"])
    #expect((result.remaining, result.postsToFetch) == (1, []))
    #expect(try library.blob(of: ids[0]) == blob)
    #expect(library.has(blob.path))
  }
}
