import Blobs
import Folders
import Foundation
import HTTP
import Posts
import S3Blobs
import S3Server
import Storage
import Synchronization
import Testing
import Transfer

/// What a copy does with pictures that are at their place already. Nothing but their age holds off garbage collection on another
/// machine until a row names them.
@Suite struct CopiedPictureTests {
  private let scratch: Scratch
  private let source, target: Store
  private let now = Date(timeIntervalSince1970: 1_763_640_000)

  init() throws {
    scratch = try Scratch()
    source = try Store.open(library: "\(scratch.path)/source", now: now)
    target = try Store.open(library: "\(scratch.path)/target", now: now)
  }

  /// Adds a post with files whose bytes are kept.
  private func add(_ contents: [[UInt8]], to blobs: any BlobStoring) throws -> [BlobID] {
    let kept = try contents.map { try blobs.keep($0) }
    let post = Post(
      source: .manual, uri: "", createdAt: now, caption: "files",
      attachments: kept.map { Attachment(kind: .file, url: nil, name: "\($0.id)") })
    let stored = kept.map { StoredBlob(id: $0.id, byteCount: $0.byteCount, mediaType: nil) }
    try source.add(post, id: UUID(), pictures: stored, now: now)
    return kept.map(\.id)
  }

  /// Stores a pulled post in the target, which was deleted since, with its picture.
  private func storeDeletedPost(with picture: BlobID) throws {
    let server = Server("https://photos.example")!
    let feed = Feed(source: .usual, kind: .tag, value: "cats", server: server)
    let post = Post(
      source: .usual, uri: "https://photos.example/1", server: server, createdAt: now, caption: "a cat",
      attachments: [Attachment(kind: .image, url: "https://photos.example/1.jpg")])
    let pull = try target.beginPull(of: feed, goal: PullGoal(pages: 1), now: now)
    _ = try target.save(
      Page(items: [PageItem(id: "1", content: .post(post), raw: [])], next: .end), in: pull, now: now)
    let id = try #require(try target.posts(PostQuery(limit: nil)).first?.id)
    let task = try #require(try target.pictures(ofPosts: [id], now: now).first)
    try target.attach([(task, StoredBlob(id: picture, byteCount: 3, mediaType: nil))], now: now)
    _ = try target.delete([id], now: now)
  }

  private func copy(from here: any BlobStoring, to there: any BlobStoring) throws -> LibraryCopy.Result {
    try LibraryCopy(from: .init(source, here), to: .init(target, there), now: now).run()
  }

  @Test(arguments: SharedPlace.allCases)
  func `bytes that no row names are stored again before a row names them`(place: SharedPlace) throws {
    let (here, there) = (DiskBlobs(library: "\(scratch.path)/source"), try place.blobs(scratch))
    let id = try add([[1, 2, 3]], to: here)[0]
    try there.keep([1, 2, 3])
    // Another machine has found that nothing needs them.
    let seen = try #require(try there.stat(id))
    #expect(try copy(from: here, to: there).pictures == 0)
    #expect(try !there.remove(seen))
    #expect(there.condition(of: id, byteCount: 3) == .good)
    // A repeated copy writes nothing: the row protects them.
    let stored = try #require(try there.stat(id))
    #expect(try copy(from: here, to: there).posts.unchanged == 1)
    #expect(try there.stat(id) == stored)
  }

  @Test(arguments: SharedPlace.allCases)
  func `bytes that only the target has are stored again, too`(place: SharedPlace) throws {
    let (here, there) = (DiskBlobs(library: "\(scratch.path)/source"), try place.blobs(scratch))
    let id = try add([[1, 2, 3]], to: here)[0]
    try there.keep([1, 2, 3])
    let (lost, seen) = (try #require(try here.stat(id)), try #require(try there.stat(id)))
    #expect(try here.remove(lost))
    #expect(try copy(from: here, to: there).missing == 0)
    #expect(try !there.remove(seen))
  }

  @Test(arguments: SharedPlace.allCases)
  func `bytes whose row goes while a copy runs are stored again`(place: SharedPlace) throws {
    let there = try place.blobs(scratch)
    let fresh: [UInt8] = [4, 5, 6]
    let isCollected = Atomic(false)
    let here = try SharedPlace.bucket(scratch) { [target] request in
      // Between the look at what is there and the rows, another machine collects garbage.
      guard request.method == .get, request.url.contains(BlobID(hashing: fresh).path),
        !isCollected.exchange(true, ordering: .relaxed)
      else { return }
      #expect(throws: Never.self) {
        let garbage = try target.collectGarbage(in: there, trash: .distantFuture, grace: .distantFuture)
        #expect(garbage.trashed == 1 && garbage.blobs == 1)
      }
    }
    let ids = try add([[1, 2, 3], fresh], to: here)
    try there.keep([1, 2, 3])
    try storeDeletedPost(with: ids[0])
    let result = try copy(from: here, to: there)
    let hasCollected = isCollected.load(ordering: .relaxed)
    #expect(hasCollected)
    #expect(result.pictures == 2 && result.posts.new == 1, "\(result)")
    for id in ids { #expect(there.condition(of: id, byteCount: 3) == .good) }
    #expect(try target.knownBlobs(among: ids).count == 2)
  }

  @Test func `a service that does not answer ends a copy, and no picture counts as lost`() throws {
    let isAsked = Atomic(false)
    let here = try SharedPlace.bucket(scratch)
    let id = try add([[1, 2, 3]], to: here)[0]
    let server = try S3Server.shared()
    var environment = server.environment(in: "\(scratch.path)/away")
    environment.client = BlockingClient { _, _ throws(TransportError) in
      isAsked.store(true, ordering: .relaxed)
      throw .unreachable(host: "s3.example", reason: "refused")
    }
    environment.time = BlockingTime(now: { Date() }, pause: { _ in }, chance: { 0.5 })
    let away = S3Blobs(here.address, server.configuration(), environment)
    let there = DiskBlobs(library: "\(scratch.path)/target")
    #expect(throws: BlobError.self) { try copy(from: away, to: there) }
    let wasAsked = isAsked.load(ordering: .relaxed)
    #expect(wasAsked)
    #expect(try target.stats().posts == 0)
    #expect(try copy(from: here, to: there).pictures == 1)
    #expect(there.condition(of: id, byteCount: 3) == .good)
  }
}
