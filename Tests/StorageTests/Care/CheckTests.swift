import Blobs
import Folders
import Foundation
import Machine
import Posts
import Testing

@testable import Storage

struct CheckTests {
  @Test func `an intact library has no findings, and is counted`() throws {
    let library = try DiskLibrary()
    try library.pull(1...5)
    let (findings, result) = try library.check()
    #expect(findings == [])
    let bytes = (1...5).map { "picture of https://files.example/\($0).jpg".utf8.count }.reduce(0, +)
    #expect(result == CheckResult(posts: 5, blobs: 5, blobBytes: bytes))
  }

  @Test func `a missing library has no findings`() throws {
    let scratch = try Scratch()
    let store = try Store.open(library: "\(scratch.path)/none", for: .reading, now: noon)
    let check = LibraryCheck(store: store, blobs: DiskBlobs(library: "\(scratch.path)/none"), now: noon)
    #expect(try check.run { finding, _ in Issue.record("\(finding)") } == CheckResult())
    #expect(scratch.names == [])
  }

  @Test func `a check writes nothing`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    try library.write([1], to: library.blob(of: ids[0]).path)
    try library.write([1], to: "blobs/stray")
    let version = "SELECT (SELECT data_version FROM pragma_data_version), (SELECT total_changes())"
    let before = try library.store.writer.read { try rows(version, in: $0) }
    let files = try FileManager.default.subpathsOfDirectory(atPath: library.scratch.path).sorted()
    #expect(try library.check().findings.count == 2)
    #expect(try library.store.writer.read { try rows(version, in: $0) } == before)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: library.scratch.path).sorted() == files)
  }

  enum Harm: CaseIterable { case flipped, cut, removed, folder }

  @Test(arguments: Harm.allCases)
  func `a changed picture file is reported with its post, quarantined and downloaded again`(
    harm: Harm
  ) throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    let blob = try library.blob(of: ids[1])
    let kept = try library.store.stats().blobs
    var bytes = try library.blobs.read(blob)
    let file = "\(library.scratch.path)/\(blob.path)"
    let kind: Finding.Kind
    switch harm {
    case .flipped:
      bytes[7] ^= 1
      (kind, _) = (.bytes, try library.write(bytes, to: blob.path))
    case .cut: (kind, _) = (.length, try library.write(bytes.dropLast(), to: blob.path))
    case .removed: (kind, _) = (.missing, try FileManager.default.removeItem(atPath: file))
    case .folder:
      try FileManager.default.removeItem(atPath: file)
      (kind, _) = (.unreadable, try library.write([1], to: "\(blob.path)/inside"))
    }
    let found = try library.check().findings
    #expect(
      found.first.map { [$0.kind.rawValue, "\($0.blob as Any)", $0.path] }
        == [kind.rawValue, "\(Optional(blob) as Any)", blob.path])
    #expect(found.first?.post == ids[1])
    let (_, result) = try library.check(repair: true)
    #expect(result.postsToFetch == [ids[1]])
    #expect(result.remaining == 0)
    let name = blob.path.split(separator: "/").dropFirst().joined(separator: "-")
    #expect(library.has("quarantine/\(name)") == (harm != .removed))
    #expect(try library.check().findings == [])
    #expect(try library.store.pictures(ofPosts: ids, now: noon).map(\.post) == [ids[1]])
    // Bytes that are to be downloaded again are not kept.
    #expect(try library.store.stats().blobs == kept - 1)
  }

  @Test(arguments: [false, true])
  func `a damaged picture without an address stays with its post, and the damage is reported`(isGone: Bool) throws {
    let library = try DiskLibrary()
    let kept = try library.keep([1, 2, 3])
    var made = post(1, attachments: [Attachment(kind: .image, url: nil)])
    (made.author, made.server, made.remoteID, made.url) = (nil, nil, nil, nil)
    let id = try library.store.add(made, id: UUID(), pictures: [StoredBlob(id: kept.id, byteCount: 3)], now: noon)
    if isGone { try library.blobs.quarantine(kept.id.path) } else { try library.write([3, 2, 1], to: kept.id.path) }
    let (found, result) = try library.check(repair: true)
    #expect(found.first?.detail.hasSuffix(", and there is no address to fetch it from") == true)
    #expect((found.count, result.remaining, result.postsToFetch) == (1, 1, []))
    #expect(try library.store.post(id)?.post.attachments.first?.state == .stored)
    #expect(try library.blob(of: id) == kept.id)
    // Slightly wrong bytes may be the only ones left.
    #expect(library.has(kept.id.path) != isGone)
    try library.write([1, 2, 3], to: kept.id.path)
    #expect(try library.check().findings == [])
  }

  @Test func `a deep check finds pictures that came without their end, and has them fetched anew`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...2)
    // A JPEG that ends within its scan.
    let cut: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x55, 0x55]
    var made = post(3, attachments: [picture("3", id: "m3")])
    made.author = nil
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    let new = try library.store.save(page([made]), in: pull, now: noon).posts
    let task = try #require(try library.store.pictures(ofPosts: new, now: noon).first)
    let blob = try library.keep(cut, for: task)
    // Nothing can be fetched in place of a person's own file.
    let kept = try library.keep(cut + [1])
    var own = post(4, attachments: [Attachment(kind: .image, url: nil)])
    (own.author, own.server, own.remoteID, own.url) = (nil, nil, nil, nil)
    try library.store.add(own, id: UUID(), pictures: [StoredBlob(id: kept.id, byteCount: kept.byteCount)], now: noon)
    #expect(try library.check().findings == [])
    let found = try library.check(deep: true).findings
    #expect(found.map(\.kind) == [.cut, .cut] && found.map(\.blob) == [blob, kept.id])
    #expect(found[1].detail.hasSuffix("is cut short, and there is no address to fetch it from"))
    let result = try library.check(repair: true, deep: true).result
    #expect((result.postsToFetch, result.remaining) == (new, 1))
    #expect(try library.store.pictures(ofPosts: ids + new, now: noon).map(\.post) == new)
    #expect(library.has("quarantine/\(blob.path.split(separator: "/").dropFirst().joined(separator: "-"))"))
    #expect(library.has(kept.id.path))
  }

  @Test func `a time of another form is found, and written in the form that sorts`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...3)
    try library.spoil(
      """
      UPDATE post SET created_at = '2026-11-20 09:00:00.000Z' WHERE id = \(ids[0]);
      UPDATE post SET edited_at = 'a week ago' WHERE id = \(ids[1]);
      UPDATE attachment SET next_try_at = '2026-11-20T10:00:00+01:00' WHERE post = \(ids[2]);
      """)
    let found = try library.check().findings.filter { $0.kind == .time }
    #expect(found.map(\.post) == [ids[0], ids[1], nil])
    #expect(
      found[0].detail == "created_at of row \(ids[0]) of post is \"2026-11-20 09:00:00.000Z\", "
        + "which \"media check --repair\" writes as 2026-11-20T09:00:00.000Z")
    #expect(found[1].detail.hasSuffix("\"a week ago\", which is no time: write it as YYYY-MM-DDTHH:MM:SS.sssZ"))
    try library.check(repair: true)
    #expect(try library.check().findings.filter { $0.kind == .time }.map(\.post) == [ids[1]])
    #expect(try library.store.post(ids[0])?.post.createdAt == UTC.date("2026-11-20T09:00:00.000Z"))
    let next: String? = try library.store.read {
      try $0.value("SELECT next_try_at FROM attachment WHERE post = ?", [ids[2]])
    }
    #expect(next == "2026-11-20T09:00:00.000Z")
  }

  @Test func `a file without a row is adopted if its bytes are intact, and quarantined otherwise`() throws {
    let library = try DiskLibrary()
    try library.pull(1...2)
    let right = try library.keep(Array("right".utf8)).id
    let wrong = BlobID(hashing: [9])
    try library.write([8], to: wrong.path)
    #expect(try Set(library.check().findings.map(\.blob)) == [right, wrong])
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(library.has(right.path) && !library.has(wrong.path))
    let (left, result) = try library.check()
    #expect(left.map(\.kind) == [.unreferenced])
    #expect(left.map(\.blob) == [right])
    #expect(result.faults == 0)
  }

  @Test func `files of a killed process are waste, not a fault`() throws {
    let library = try DiskLibrary()
    try library.pull(1...2)
    let orphan = try library.keep(Array("orphan".utf8))
    try library.write([1], to: "blobs/tmp/abc.part")
    let (found, result) = try library.check()
    #expect(Set(found.map(\.kind)) == [.orphan, .leftover])
    #expect((result.faults, result.remaining) == (0, 0))
    let later = Date().addingTimeInterval(86_400)
    #expect(try library.store.collectGarbage(in: library.blobs, trash: .distantPast, grace: later).orphans == 1)
    #expect(!library.has(orphan.id.path) && !library.has("blobs/tmp/abc.part"))
    #expect(try library.check().findings == [])
  }

  @Test func `it is a fault if the store knows none of the files: they may belong to another store`() throws {
    let library = try DiskLibrary()
    try library.pull(1...2)
    for number in 0..<101 { try library.keep([UInt8(number)]) }
    let (found, result) = try library.check()
    #expect(found.filter(\.isFault).map(\.kind) == [.strangers])
    #expect((found.count, result.remaining) == (102, 1))
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.check().findings.filter(\.isFault) == [])
  }

  @Test func `bytes get a row although the picture's address changes during the download`() throws {
    let library = try DiskLibrary()
    let ids = try library.pull(1...1)
    let avatar = try #require(try library.store.avatars(ofPosts: ids, now: noon).first)
    var made = post(1, attachments: [picture("1", id: "m1")])
    made.author?.avatarURL = "https://files.example/another.png"
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    _ = try library.store.save(page([made]), in: pull, now: noon)
    try library.store.finishPull(pull, reached: true, now: noon)
    let old = try library.keep(Array("ada".utf8), for: avatar)
    #expect(try library.check().findings.map { "\($0.kind) \($0.path ?? "")" } == ["unreferenced \(old.path)"])
    #expect(try library.store.posts().first?.author?.avatar == nil)
  }

  @Test func `foreign files are reported and quarantined, except a draft that is being written`() throws {
    let library = try DiskLibrary()
    try library.write([1], to: "blobs/tmp/abc.part")
    try library.write([2], to: "blobs/ab/short")
    try library.write([3], to: "blobs/README")
    try library.write([4], to: "blobs/tmp/live.part")
    let live = open("\(library.scratch.path)/blobs/tmp/live.part", O_RDWR)
    defer { close(live) }
    #expect(flock(live, LOCK_EX) == 0)
    let found = try library.check().findings
    #expect(
      Set(found.map { "\($0.kind.rawValue) \($0.path ?? "")" }) == [
        "leftover blobs/tmp/abc.part", "foreign blobs/ab/short", "foreign blobs/README",
      ])
    #expect(try library.check(repair: true).result.remaining == 0)
    #expect(try library.check().findings == [])
    #expect(library.has("blobs/tmp/live.part") && library.has("quarantine/ab-short"))
  }

  @Test func `nothing of another library among the pictures is moved`() throws {
    let library = try DiskLibrary()
    try library.write([1], to: "blobs/inner/media.sqlite")
    try library.write([2], to: "blobs/README")
    #expect(try library.check(repair: true).result.remaining == 1)
    #expect(library.has("blobs/inner/media.sqlite") && library.has("quarantine/README"))
    try library.write([3], to: "blobs/library-identity")
    try library.write([4], to: "blobs/blobs/ab/short")
    let (found, result) = try library.check(repair: true)
    #expect(found.map(\.detail).contains("blobs/library-identity may be another library's or a backup's, and stays"))
    #expect(result.remaining == 3 && library.has("blobs/blobs/ab/short") && library.has("blobs/library-identity"))
  }

  @Test(arguments: ["media.sqlite", "media-backup.json", "media-backup.lock", "library-identity"])
  func `a library or a backup stays at any depth, and a check names it as a repair does`(mark: String) throws {
    let library = try DiskLibrary()
    let inner = ["blobs/old/disk/\(mark)", "blobs/old/deep/er/\(mark)", "blobs/old/deep/er/blobs/ab/short"]
    for path in inner { try library.write([1], to: path) }
    try library.write([2], to: "blobs/old/else/notes")
    let words = { (path: String) in "\(path) may be another library's or a backup's, and stays" }
    let named = ["blobs/old/disk", "blobs/old/disk/\(mark)", "blobs/old/deep", "blobs/old/deep/er/\(mark)"].map(words)
    #expect(
      Set(try library.check().findings.map(\.detail)) == Set(named + ["blobs/old/else is not a picture of the library"])
    )
    let (found, result) = try library.check(repair: true)
    #expect(Set(found.map(\.detail)).isSuperset(of: named) && result.remaining == named.count)
    for path in inner { #expect(library.has(path)) }
    #expect(library.has("quarantine/old-else/notes"))
  }

  @Test func `a folder that nobody can look into stays with what contains it, and ends no check`() throws {
    let library = try DiskLibrary()
    try library.write([1], to: "blobs/old/else/notes")
    // No user can open a path of this length.
    let (far, part) = ("\(library.scratch.path)/far", "/\(String(repeating: "x", count: 200))")
    let near = "\(library.scratch.path)/blobs/old/disk" + String(repeating: part, count: 18)
    for path in [near, far + String(repeating: part, count: 4)] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try #require(rename(far, "\(near)/far") == 0)
    defer { #expect(rename("\(near)/far", far) == 0) }
    #expect(try library.check().findings.count { $0.detail.hasSuffix("cannot be read, and stays") } == 1)
    #expect(try library.check(repair: true).result.remaining == 2)
    #expect(library.has("blobs/old/disk") && library.has("quarantine/old-else/notes"))
  }

  @Test func `bytes stored during a check are not orphans`() throws {
    let library = try DiskLibrary()
    try library.pull(1...2)
    let found = try library.check(now: Date()) { step in
      if step == .folders { #expect(throws: Never.self) { try library.keep(Array("late".utf8)) } }
    }
    #expect(found.findings == [])
    // The bytes are stored, but their row is not written yet.
    #expect(try library.check(isPulling: true).findings == [])
    #expect(try library.check().findings.map(\.kind) == [.orphan])
  }

  @Test func `quarantined files are never overwritten`() throws {
    let library = try DiskLibrary()
    for number in 0..<3 {
      try library.write([UInt8(number)], to: "blobs/ab/x")
      #expect(try library.blobs.quarantine("blobs/ab/x") == "quarantine/ab-x" + (number == 0 ? "" : ".\(number)"))
    }
    #expect(try library.blobs.quarantine("blobs/ab/x") == nil)
  }
}
