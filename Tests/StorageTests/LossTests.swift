import Blobs
import Foundation
import Posts
import Testing

@testable import Storage

/// Pictures whose files are missing: whatever a repair does, returned files are shown by their posts again.
struct LossTests {
  /// Moves a library's blobs away or back.
  private func move(_ cabinet: Cabinet, from: String, to: String) throws {
    try FileManager.default.moveItem(
      atPath: "\(cabinet.scratch.path)/\(from)", toPath: "\(cabinet.scratch.path)/\(to)")
  }

  private func shown(_ cabinet: Cabinet) throws -> [BlobID?] {
    try cabinet.store.posts().flatMap(\.attachments).map(\.blob)
  }

  private func collect(_ cabinet: Cabinet) throws {
    _ = try cabinet.store.collectGarbage(in: cabinet.blobs, trash: .distantPast, grace: .distantFuture)
  }

  enum Absence: CaseIterable { case moved, link, emptied }

  @Test(arguments: Absence.allCases)
  func `a folder of pictures that is away costs none of them`(absence: Absence) throws {
    let cabinet = try Cabinet()
    try cabinet.pull(1...30)
    let before = try shown(cabinet)
    try move(cabinet, from: "blobs", to: "away")
    let blobs = "\(cabinet.scratch.path)/blobs"
    switch absence {
    case .moved: break
    case .link: #expect(symlink("/nowhere/at/all", blobs) == 0)
    case .emptied: #expect(mkdir(blobs, 0o700) == 0)
    }
    let (found, result) = try cabinet.check(repair: true)
    #expect(found.map(\.kind) == [.absent] + Array(repeating: .missing, count: 30))
    #expect(found.first?.detail.contains("put it back") == true)
    #expect((result.faults, result.remaining, result.postsToFetch) == (31, 31, []))
    #expect(try shown(cabinet) == before)
    if absence != .moved { #expect(remove(blobs) == 0) }
    try move(cabinet, from: "away", to: "blobs")
    #expect(try cabinet.check(repair: true).findings == [])
    try collect(cabinet)
    #expect(try cabinet.check().findings == [])
    #expect(try shown(cabinet) == before)
  }

  @Test func `a folder that is not there is no reason to give up even one picture`() throws {
    let cabinet = try Cabinet()
    let ids = try cabinet.pull(1...1)
    try move(cabinet, from: "blobs", to: "away")
    #expect(try cabinet.check(repair: true).result.postsToFetch == [])
    #expect(try cabinet.check(repair: true, lost: true).result.postsToFetch == ids)
  }

  @Test func `pictures that were given up are shown again when their files are back`() throws {
    let cabinet = try Cabinet()
    let ids = try cabinet.pull(1...30)
    let before = try shown(cabinet)
    try move(cabinet, from: "blobs", to: "away")
    #expect(try cabinet.check(repair: true, lost: true).result.remaining == 0)
    #expect(try shown(cabinet) == Array(repeating: nil, count: 30))
    #expect(try cabinet.check().result == CheckResult(posts: 30))
    #expect(try cabinet.store.pictures(ofPosts: ids, now: noon).count == 30)
    // One of them is gone from the web meanwhile.
    let task = try cabinet.store.pictures(ofPosts: [ids[3]], now: noon)[0]
    try cabinet.store.fail([PictureFailure(owner: task.owner, reason: "gone", isGone: true)], now: noon)
    try move(cabinet, from: "away", to: "blobs")
    try collect(cabinet)
    let found = try cabinet.check().findings
    #expect(found.map(\.kind) == Array(repeating: .returned, count: 30))
    #expect(try cabinet.check(isPulling: true).findings == [])
    #expect(try cabinet.check(repair: true).result.remaining == 0)
    #expect(try shown(cabinet) == before)
    try collect(cabinet)
    #expect(try cabinet.check().findings == [])
  }

  @Test func `a picture fetched again with other bytes leaves no fault`() throws {
    let cabinet = try Cabinet()
    let ids = try cabinet.pull(1...2)
    let lost = try cabinet.blob(of: ids[0])
    try FileManager.default.removeItem(atPath: cabinet.blobs.path(of: lost))
    try cabinet.check(repair: true)
    let anew = try cabinet.keep([7], for: try cabinet.store.pictures(ofPosts: ids, now: noon)[0])
    #expect(try cabinet.blob(of: ids[0]) == anew)
    #expect(try cabinet.check().findings.filter(\.isFault) == [])
    try collect(cabinet)
    #expect(try cabinet.check().findings == [])
  }

  @Test func `a picture of a deleted post is not asked for while the post is deleted`() throws {
    let cabinet = try Cabinet()
    let ids = try cabinet.pull(1...2)
    try FileManager.default.removeItem(atPath: cabinet.blobs.path(of: cabinet.blob(of: ids[0])))
    try cabinet.store.delete([ids[0]], now: noon)
    try cabinet.check(repair: true)
    let states = "SELECT state FROM attachment ORDER BY post = \(ids[0])"
    #expect(try cabinet.store.read { try rows(states, in: $0) } == ["stored", "skipped"])
    try cabinet.store.restore([ids[0]], now: noon)
    #expect(try cabinet.store.pictures(ofPosts: ids, now: noon).map(\.post) == [ids[0]])
  }

  @Test func `a file that may not be opened now is named, and nothing is done about it`() throws {
    let cabinet = try Cabinet()
    let ids = try cabinet.pull(1...2)
    let blob = try cabinet.blob(of: ids[0])
    // The lease holder blocks others for a while, the superuser included.
    let (setLease, setSignal): (Int32, Int32) = (1024, 10)
    let file = open(cabinet.blobs.path(of: blob), O_RDWR)
    defer { close(file) }
    try #require(fcntl(file, setSignal, SIGURG) == 0 && fcntl(file, setLease, F_WRLCK) == 0)
    let (found, result) = try cabinet.check(repair: true)
    #expect(found.map(\.detail) == ["\(blob.path) cannot be read now (Resource temporarily unavailable)"])
    #expect((result.remaining, result.postsToFetch) == (1, []))
    #expect(try cabinet.blob(of: ids[0]) == blob)
    #expect(cabinet.has(blob.path))
  }
}
