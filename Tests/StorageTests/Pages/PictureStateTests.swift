import Blobs
import Foundation
import Posts
import SQLRows
import SQLite
import Testing

@testable import Storage

struct PictureStateTests {
  private let blob = StoredBlob(id: BlobID(hashing: [1]), byteCount: 1, mediaType: "image/jpeg", width: 4, height: 3)

  private func owner(_ library: TestLibrary, _ post: Int64) throws -> PictureOwner {
    try #require(try library.store.pictures(ofPosts: [post], retryFailed: true, now: noon).first?.owner)
  }

  @Test func `a picture is fetched once, and stays when its link is signed anew`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("a", query: "?sig=1")])]).posts[0]
    let tasks = try library.store.pictures(ofPosts: [id], now: noon)
    #expect(tasks.map(\.urls) == [["https://files.example/a.jpg?sig=1"]])
    try library.store.attach([(tasks[0], blob)], now: noon)
    try library.pull([post(1, attachments: [picture("a", query: "?sig=2")])])
    #expect(try library.store.pictures(ofPosts: [id], now: noon).isEmpty)
    let attachment = try library.store.posts()[0].attachments[0]
    #expect(attachment.state == .stored)
    #expect(attachment.blob == blob.id)
    #expect(attachment.url == "https://files.example/a.jpg?sig=2")
  }

  @Test func `a post that comes without a list of its pictures keeps those it has`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, attachments: [picture("a")])])
    var bare = post(1, caption: "edited")
    bare.listsAttachments = false
    try library.pull([bare])
    #expect(try library.store.posts().map(\.caption) == ["edited"])
    #expect(try library.store.posts()[0].attachments.count == 1)
    bare.listsAttachments = true
    try library.pull([bare])
    #expect(try library.store.posts()[0].attachments.isEmpty)
  }

  @Test func `the same link twice in a post is two attachments`() throws {
    let library = try TestLibrary()
    let twice = post(1, attachments: [picture("a"), picture("a")])
    #expect(try library.pull([twice]).new == 1)
    #expect(try library.pull([twice]).unchanged == 1)
    #expect(try library.store.pictures(ofPosts: [1], now: noon).count == 2)
  }

  @Test func `a page that holds a post twice leaves the pictures of the later one, in their order`() throws {
    let library = try TestLibrary()
    let earlier = post(1, attachments: [picture("a"), picture("b")])
    let later = post(1, attachments: [picture("b"), picture("c"), picture("a")])
    try library.pull([earlier, post(2, attachments: [picture("d")]), later])
    let stored = try library.store.posts().sorted { $0.id < $1.id }.map { $0.attachments.map(\.url) }
    #expect(stored == [later, post(2, attachments: [picture("d")])].map { $0.attachments.map(\.url) })
  }

  @Test func `a new picture before one that stays takes nobody's number`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, attachments: [picture("a"), picture("b")])])
    let kept = try library.store.posts()[0].attachments[0].id
    let edited = post(1, attachments: [picture("c"), picture("a"), picture("d")])
    #expect(try library.pull([edited]).updated == 1)
    let stored = try library.store.posts()[0].attachments
    #expect(stored.map(\.url) == edited.attachments.map(\.url))
    #expect(stored[1].id == kept)
    #expect(Set(stored.map(\.id)).count == 3)
  }

  @Test func `pictures that come at once are stored each with its own bytes`() throws {
    let library = try TestLibrary()
    let names = (0..<21).map { "p\($0)" }
    let id = try library.pull([post(1, attachments: names.map { picture($0) })]).posts[0]
    let tasks = try library.store.pictures(ofPosts: [id], now: noon)
    let blobs = names.indices.map { StoredBlob(id: BlobID(hashing: [UInt8($0)]), byteCount: 1) }
    try library.store.attach(Array(zip(tasks, blobs)), now: noon)
    let attachments = try library.store.posts()[0].attachments
    #expect(attachments.map(\.blob) == blobs.map { $0.id })
    #expect(attachments.allSatisfy { $0.state == .stored })
  }

  @Test func `a dead link is tried again later and later, a gone one only when asked`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("a")])]).posts[0]
    let owner = try owner(library, id)
    var now = noon
    for wait in [900.0, 3_600, 14_400] {
      try library.store.fail([PictureFailure(owner: owner, reason: "timed out")], now: now)
      #expect(try library.store.pictures(ofPosts: [id], now: now.addingTimeInterval(wait - 1)).isEmpty)
      now += wait
      #expect(try library.store.pictures(ofPosts: [id], now: now).count == 1)
    }
    let gone = [PictureFailure(owner: owner, reason: "404", isGone: true)]
    #expect(try library.store.fail(gone, now: now) == 0)
    #expect(try library.store.pictures(ofPosts: [id], now: now + 86_399).isEmpty)
    #expect(try library.store.pictures(ofPosts: [id], now: now + 86_400).count == 1)
    // Another failure between the two attempts does not mean that the picture exists.
    try library.store.fail([PictureFailure(owner: owner, reason: "timed out")], now: now + 80_000)
    now += 86_400
    #expect(try library.store.fail(gone, now: now) == 1)
    #expect(try library.store.pictures(ofPosts: [id], now: .distantFuture).isEmpty)
    #expect(try library.store.pictures(ofPosts: [id], retryFailed: true, now: now).count == 1)
    #expect(try library.store.posts()[0].attachments.map(\.state) == [.gone])
    #expect(try library.store.posts()[0].attachments.map(\.failure) == ["404"])
  }

  @Test func `an attempt before it is due does not delay the next one`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("a")])]).posts[0]
    let owner = try owner(library, id)
    for second in stride(from: 0.0, through: 899, by: 100) {
      try library.store.fail([PictureFailure(owner: owner, reason: "no")], now: noon + second)
    }
    #expect(try library.lines("SELECT attempts FROM attachment") == ["1"])
    #expect(try library.store.duePictures(limit: 9, now: noon + 900).count == 1)
    try library.store.fail([PictureFailure(owner: owner, reason: "no")], now: noon + 900)
    #expect(try library.lines("SELECT attempts FROM attachment") == ["2"])
  }

  @Test func `without those that are gone, failed pictures alone are tried again at once`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("a"), picture("b")])]).posts[0]
    for time in [noon, noon + 86_400] {
      try library.store.fail([PictureFailure(owner: .attachment(1), reason: "404", isGone: true)], now: time)
    }
    try library.store.fail([PictureFailure(owner: .attachment(2), reason: "no")], now: noon + 86_400)
    func found(_ gone: Bool?) throws -> Int {
      try library.store.pictures(ofPosts: [id], retryFailed: true, gone: gone, now: noon + 86_401).count
    }
    #expect(try [found(nil), found(true), found(false)] == [2, 2, 1])
  }

  @Test func `many failures never wait more than thirty days`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("a")])]).posts[0]
    let owner = try owner(library, id)
    var now = noon
    for _ in 0..<600 {
      try library.store.fail([PictureFailure(owner: owner, reason: "no")], now: now)
      now += 30 * 86_400
      #expect(try library.store.pictures(ofPosts: [id], now: now).count == 1)
    }
  }

  @Test func `a new link is a new chance`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("a", query: "?token=old")])]).posts[0]
    try library.store.fail([PictureFailure(owner: owner(library, id), reason: "410", isGone: true)], now: noon)
    try library.pull([post(1, attachments: [picture("a", query: "?token=new")])])
    #expect(try library.store.pictures(ofPosts: [id], now: noon).count == 1)
  }

  @Test func `a deleted post's pictures are not fetched, and are after it is restored`() throws {
    let library = try TestLibrary()
    var pictured = post(1, attachments: [picture("a")])
    pictured.author?.avatarURL = "https://files.example/face.png"
    let id = try library.pull([pictured]).posts[0]
    try library.store.delete([id], now: noon)
    #expect(try library.store.pictures(ofPosts: [id], now: noon).isEmpty)
    #expect(try library.store.avatars(ofPosts: [id], now: noon).isEmpty)
    try library.store.restore([id], now: noon)
    #expect(try library.store.pictures(ofPosts: [id], now: noon).count == 1)
    #expect(try library.store.avatars(ofPosts: [id], now: noon).count == 1)
  }

  @Test func `a pull without pictures leaves them for one that wants them`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, attachments: [picture("a")])], pictures: false)
    #expect(try library.store.posts()[0].attachments.map(\.state) == [.skipped])
    let again = try library.pull([post(1, attachments: [picture("a")])])
    #expect(again.unchanged == 1)
    #expect(try library.store.pictures(ofPosts: again.posts, now: noon).count == 1)
  }

  @Test func `due pictures of the whole library are found without reading the others`() throws {
    let library = try TestLibrary()
    try library.pull([3, 2, 1].map { post($0, attachments: [picture("p\($0)")]) })
    try library.pull([post(4, attachments: [picture("p4")])], pictures: false)
    try library.store.delete([1], now: noon)
    try library.store.fail([PictureFailure(owner: .attachment(2), reason: "no")], now: noon)
    #expect(try library.store.duePictures(limit: 9, now: noon).map(\.post) == [3])
    #expect(Set(try library.store.duePictures(limit: 9, now: noon.addingTimeInterval(900)).map(\.post)) == [2, 3])
    #expect(try library.store.duePictures(limit: 1, now: noon.addingTimeInterval(900)).count == 1)
    let plan = try library.database.read { db in
      try db.rows("EXPLAIN QUERY PLAN \(Store.dueQuery(in: Database(db)))", ["", 1, ""]).map { "\($0)" }
    }
    #expect(plan.count { $0.contains("SEARCH attachment USING") && $0.contains("attachment_due (next_try_at") } == 3)
    #expect(!plan.contains { $0.contains("SCAN a") }, "\(plan)")
  }

  @Test func `a picture that is put off waits without a failed try, and one that nobody wanted is wanted now`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("a")])], pictures: false).posts[0]
    let reason = PictureFailure(owner: try owner(library, id), reason: "too many requests")
    try library.store.putOff([PictureDelay(reason, until: noon + 600)], now: noon)
    #expect(try library.store.posts()[0].attachments.map(\.state) == [.pending])
    #expect(try library.lines("SELECT attempts, failure FROM attachment") == ["0|too many requests"])
    #expect(try library.store.duePictures(limit: 9, now: noon + 599).isEmpty)
    #expect(try library.store.duePictures(limit: 9, now: noon + 600).count == 1)
    #expect(try !library.store.hasUntriedPictures(of: cats, now: noon + 599))
    #expect(try library.store.hasUntriedPictures(of: cats, now: noon + 600))
    #expect(try library.store.countsOfMissingPictures(now: noon) == [cats.name: 1])
  }

  @Test func `a feed's missing pictures are found in every state, and counted unless they are gone`() throws {
    let library = try TestLibrary()
    try library.pull((1...6).reversed().map { post($0, attachments: [picture("p\($0)")]) })
    try library.pull([post(2, attachments: [picture("p2")]), post(7, attachments: [picture("p7")])], of: adas)
    let owners = try library.store.missingPictures(of: cats, .all, now: noon).map(\.owner)
    #expect(owners.count == 6)
    let task = try #require(try library.store.missingPictures(of: cats, .untried, now: noon).first)
    try library.store.attach([(task, blob)], now: noon)
    try library.store.fail(owners[1...2].map { PictureFailure(owner: $0, reason: "no") }, now: noon)
    let gone = [PictureFailure(owner: owners[3], reason: "410", isGone: true)]
    for time in [noon, noon + 86_400] { try library.store.fail(gone, now: time) }
    func found(_ which: MissingPictures, _ seconds: TimeInterval = 0) throws -> Int {
      try library.store.missingPictures(of: cats, which, now: noon + seconds).count
    }
    #expect(try [found(.untried), found(.due), found(.wanted), found(.all)] == [2, 2, 4, 5])
    #expect(try found(.due, 900) == 4)
    #expect(try library.store.countsOfMissingPictures(now: noon)[cats.name] == 4)
    #expect(try library.store.countOfMissingPictures(of: cats, now: noon) == 4)
    #expect(try library.store.countOfMissingPictures() == 5)
    try library.store.delete(try library.store.posts(PostQuery(limit: nil)).map(\.id), now: noon)
    #expect(try library.store.countsOfMissingPictures(.all, now: noon) == [:])
    #expect(try found(.all) == 0)
  }

  @Test func `a picture whose next try a clock that was ahead has put off for ever is due`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("p")])]).posts[0]
    let day: TimeInterval = 86_400
    func due(_ now: Date) throws -> [Int] {
      [
        try library.store.duePictures(limit: 9, now: now).count,
        try library.store.pictures(ofPosts: [id], now: now).count,
        try library.store.missingPictures(of: cats, .due, now: now).count,
      ]
    }
    try library.store.fail(
      [PictureFailure(owner: .attachment(1), reason: "no")], now: noon.addingTimeInterval(400 * day))
    #expect(try due(noon) == [1, 1, 1])
    // A wait of up to thirty days may be intended.
    #expect(try due(noon.addingTimeInterval(370 * day)) == [0, 0, 0])
    for _ in 0..<20 { try library.store.fail([PictureFailure(owner: .attachment(1), reason: "no")], now: noon) }
    #expect(try due(noon.addingTimeInterval(-3600)) == [0, 0, 0])
    #expect(try due(noon.addingTimeInterval(30 * day)) == [1, 1, 1])
  }

  @Test func `an author's picture is kept until the next one is there`() throws {
    let library = try TestLibrary()
    var pictured = post(1)
    pictured.author?.avatarURL = "https://files.example/old.png"
    let id = try library.pull([pictured, pictured]).posts[0]
    let tasks = try library.store.avatars(ofPosts: [id], now: noon)
    #expect(tasks.map(\.urls) == [["https://files.example/old.png"]])
    try library.store.attach([(tasks[0], blob)], now: noon)
    #expect(try library.store.avatars(ofPosts: [id], now: noon).isEmpty)
    pictured.author?.avatarURL = "https://files.example/new.png"
    #expect(try library.pull([pictured]).unchanged == 1)
    #expect(try library.store.avatars(ofPosts: [id], now: noon).map(\.urls) == [["https://files.example/new.png"]])
    #expect(try library.store.posts()[0].author?.avatar == blob.id)
    try library.store.fail([PictureFailure(owner: tasks[0].owner, reason: "no")], now: noon)
    #expect(try library.store.avatars(ofPosts: [id], now: noon).isEmpty)
    #expect(try library.store.avatars(ofPosts: [id], retryFailed: true, now: noon).count == 1)
  }

  @Test func `a slow download does not replace the picture that came meanwhile`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, attachments: [picture("old", id: "1")])]).posts[0]
    let slow = try #require(try library.store.pictures(ofPosts: [id], now: noon).first)
    try library.pull([post(1, attachments: [picture("new", id: "2")])])
    let task = try #require(try library.store.pictures(ofPosts: [id], now: noon).first)
    #expect(task.owner == slow.owner)
    try library.store.fail(
      [PictureFailure(owner: slow.owner, reason: "404", isGone: true, urls: slow.urls)],
      now: noon
    )
    try library.store.attach([(slow, blob)], now: noon)
    #expect(try library.store.posts()[0].attachments.map(\.state) == [.pending])
    try library.store.attach([(task, blob)], now: noon)
    #expect(try library.store.posts()[0].attachments.map(\.state) == [.stored])
  }

  @Test func `a slow avatar is stored only if its author still has it, or has it signed anew`() throws {
    let library = try TestLibrary()
    func shown(_ name: String) throws -> PictureTask {
      var pictured = post(1)
      pictured.author?.avatarURL = "https://files.example/\(name)"
      let id = try library.pull([pictured]).posts
      return try #require(try library.store.avatars(ofPosts: id.isEmpty ? [1] : id, now: noon).first)
    }
    let slow = try shown("face.png?v=1")
    let next = try shown("face.png?v=2&sig=1")
    #expect(next.urls == ["https://files.example/face.png?v=2&sig=1"])
    try library.store.attach([(slow, blob)], now: noon)
    #expect(try library.store.posts()[0].author?.avatar == nil)
    _ = try shown("face.png?v=2&sig=2")
    try library.store.attach([(next, blob)], now: noon)
    #expect(try library.store.posts()[0].author?.avatar == blob.id)
  }
}
