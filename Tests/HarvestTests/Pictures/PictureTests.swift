import Blobs
import Foundation
import HTTP
import MemoryBlobs
import Posts
import Testing

@testable import Harvest
@testable import ScriptedOrigin
@testable import Storage

@Suite(.timeLimit(.minutes(10))) struct PictureTests {
  /// One post with one picture that meets a fault, and its state in the library afterwards.
  private func fate(_ kind: Trouble.Kind) async throws -> (report: PullReport, picture: StoredAttachment) {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      origin.change { $0.troubles = [.every("/media", kind)] }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect(library.blobNames.isEmpty == (report.summary.media.failed == 1))
      return (report, try #require(try library.posts.first?.attachments.first))
    }
  }

  @Test(arguments: [404, 410])
  func `a picture the server has no longer is gone when it says so again a day later`(status: Int) async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      origin.change { $0.troubles = [.every("/media", .status(status))] }
      let library = try TestLibrary()
      var plan = PullPlan(avatars: false)
      plan.retryFailed = true
      var media: [PullSummary.MediaCounts] = []
      var states: [PictureState?] = []
      for pause in [86_000.0, 400, 0] {
        let report = try await library.pull(origin, plan)
        media.append(report.summary.media)
        states.append(try library.posts.first?.attachments.first?.state)
        library.clock.pass(pause)
      }
      #expect(states == [.failed, .failed, .gone])
      #expect(media.map(\.failed) == [1, 1, 1])
      #expect(media.map(\.gone) == [0, 0, 1])
      #expect(try library.posts[0].attachments[0].failure == "the server answers \(status)")
      origin.change { $0.troubles = [] }
      #expect(try await library.pull(origin, plan).summary.media.downloaded == 1)
    }
  }

  @Test(arguments: [
    (Trouble.Kind.html, "it is a web page"), (.garbage([]), "it is empty"), (.huge(400), "it is not a picture"),
    (.cut(after: 30), "it breaks off"), (.garbage(Array(Picture(0).bytes.dropLast(12))), "it is cut short"),
    (.closed, "127.0.0.1 cannot be reached"), (.status(403), "the server answers 403"),
    (.redirect(to: "file:///etc/hostname"), "it leads to no web address"),
    (.status(503), "the server answers 503"), (.redirect(to: "/media/0-0.png"), "it leads round in circles"),
  ])
  func `an incomplete picture fails, with the reason, and nothing of it stays`(
    kind: Trouble.Kind, reason: String
  ) async throws {
    let (report, picture) = try await fate(kind)
    #expect(report.failure == nil)
    #expect(report.summary.media == PullSummary.MediaCounts(failed: 1))
    #expect(picture.state == .failed)
    #expect(picture.failure?.hasPrefix(reason) == true, "\(picture.failure ?? "no reason")")
    #expect(report.pictureFailures.count == 1)
    #expect(report.pictureFailures.first?.contains("/media/0-0.png: \(reason)") == true)
  }

  /// An address that names the SHA-256 of a picture's bytes (RFC 4648, 6; https://atproto.com/specs/data-model).
  private func named(_ picture: Picture, at base: String) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
    let bytes: [UInt8] = [0x01, 0x55, 0x12, 0x20] + Digest.sha256(picture.bytes)
    let bits: [UInt8] = bytes.flatMap { byte in (0..<8).reversed().map { byte >> UInt8($0) & 1 } } + [0, 0]
    let name = stride(from: 0, to: bits.count, by: 5).map { start in
      alphabet[bits[start..<start + 5].reduce(0) { $0 << 1 | Int($1) }]
    }
    return "\(base)/xrpc/com.atproto.sync.getBlob?did=did:plc:a&cid=b\(String(name))"
  }

  @Test(arguments: [0, 1])
  func `bytes that an address does not name are refused, and another address is asked`(served: Int) async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      let picture = origin.script.posts[0].attachments[0].picture
      let file: JSON = [
        "id": "1", "type": "image", "url": .text(named(picture, at: origin.url)),
        "remote_url": .text("\(origin.url)/media/0-0.png"),
      ]
      origin.change {
        $0.posts[0].overrides["media_attachments"] = .list([file])
        $0.troubles = [.every("/xrpc", .garbage(served == 0 ? picture.bytes : Picture(7).bytes))]
      }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect(report.summary.media == PullSummary.MediaCounts(downloaded: 1, bytes: Int64(picture.bytes.count)))
      #expect(library.blobNames == [picture.sha256])
      #expect(origin.requests(to: "/media").count == served)
    }
  }

  @Test func `a file that the entryway does not have is had from the server of its account, which is looked up once`()
    async throws
  {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      try await withOrigin(Script(posts: 0)) { home in
        let picture = origin.script.posts[0].attachments[0].picture
        let file: JSON = [
          "id": "1", "type": "image", "url": .text(named(picture, at: origin.url)),
          "remote_url": .text("\(origin.url)/media/0-0.png"),
        ]
        let document = ##"{"id":"did:plc:a","service":[{"id":"#atproto_pds","serviceEndpoint":"\##(home.url)"}]}"##
        origin.change { script in
          for post in script.posts.indices { script.posts[post].overrides["media_attachments"] = .list([file]) }
          script.troubles = [.every("/xrpc", .status(400)), .every("/did:plc:a", .garbage(Array(document.utf8)))]
        }
        home.change { $0.troubles = [.every("/xrpc/com.atproto.sync.getBlob", .garbage(picture.bytes))] }
        let library = try TestLibrary()
        let media = try await library.pull(origin, PullPlan(avatars: false)).summary.media
        #expect((media.downloaded, media.deduplicated, media.failed) == (1, 39, 0))
        #expect(library.blobNames == [picture.sha256])
        #expect(home.requests.count == 40)
        #expect(origin.requests(to: "/did:plc:a").count == 1)
        #expect(origin.requests(to: "/media").isEmpty)
      }
    }
  }

  @Test(arguments: ["https://127.0.0.1:1", "ftp://127.0.0.1", "", "did:plc:b"])
  func `a file whose account names no server with it is had as the server shows it`(home: String) async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      let picture = origin.script.posts[0].attachments[0].picture
      let file: JSON = [
        "id": "1", "type": "image", "url": .text(named(picture, at: origin.url)),
        "remote_url": .text("\(origin.url)/media/0-0.png"),
      ]
      let id = home == "did:plc:b" ? home : "did:plc:a"
      let document = "{\"id\":\"\(id)\",\"service\":[{\"id\":\"#atproto_pds\",\"serviceEndpoint\":\"\(home)\"}]}"
      origin.change {
        $0.posts[0].overrides["media_attachments"] = .list([file])
        $0.troubles = [.every("/xrpc", .status(400)), .every("/did:plc:a", .garbage(Array(document.utf8)))]
      }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect(report.summary.media == PullSummary.MediaCounts(downloaded: 1, bytes: Int64(picture.bytes.count)))
      #expect(origin.requests(to: "/did:plc:a").count == 1)
    }
  }

  @Test func `a server that a stranger names does not speak for accounts`() async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      try await withOrigin(Script(posts: 0)) { named in
        let picture = origin.script.posts[0].attachments[0].picture
        let file: JSON = [
          "id": "1", "type": "image", "url": .text(self.named(picture, at: named.url)),
          "remote_url": .text("\(origin.url)/media/0-0.png"),
        ]
        origin.change { $0.posts[0].overrides["media_attachments"] = .list([file]) }
        named.change { $0.troubles = [.every("/xrpc", .status(404))] }
        let library = try TestLibrary()
        #expect(try await library.pull(origin, PullPlan(avatars: false)).summary.media.downloaded == 1)
        #expect(named.requests.map(\.path) == ["/xrpc/com.atproto.sync.getBlob"])
      }
    }
  }

  /// The fate of a picture whose bytes come in another form.
  private func fate(_ form: @escaping @Sendable ([UInt8]) -> [UInt8]) async throws -> (
    picture: StoredAttachment, bytes: [UInt8]
  ) {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      let bytes = try #require(origin.script.posts.first?.attachments.first).picture.bytes
      let trouble = Trouble.every("/media", .garbage(form(bytes)))
      origin.change { $0.troubles = [trouble] }
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(avatars: false))
      return (try #require(try library.posts.first?.attachments.first), bytes)
    }
  }

  @Test func `a picture in one layer of gzip is stored without it, and one in two is refused`() async throws {
    let packed = try await fate { gzip($0) }
    #expect(packed.picture.state == .stored)
    #expect(packed.picture.blob?.hex == Digest.sha256(packed.bytes).map { String(format: "%02x", $0) }.joined())
    #expect(try await fate { gzip(gzip($0)) }.picture.failure == "it is compressed twice")
    #expect(try await fate { Array(gzip($0).dropLast(20)) }.picture.failure == "it is cut short")
    #expect(try await fate { [0x1F, 0x8B, 9] + $0 }.picture.failure == "it is compressed, and cannot be read")
  }

  @Test func `a picture that breaks off once is had at the second try`() async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      origin.change { $0.troubles = [.first(1, "/media", .cut(after: 40))] }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect(report.summary.media.downloaded == 1)
      #expect(library.blobNames == origin.script.pictureHashes)
    }
  }

  @Test func `a picture that a cache has cut is had from the server itself`() async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      origin.change { $0.troubles = [.first(1, "/media", .garbage(Array(Picture(0).bytes.dropLast(20))))] }
      let library = try TestLibrary()
      #expect(try await library.pull(origin, PullPlan(avatars: false)).summary.media.downloaded == 1)
      #expect(library.blobNames == origin.script.pictureHashes)
      let asked = origin.requests.filter { $0.path.hasPrefix("/media") }
      #expect(asked.map { $0.headers["cache-control"] } == [nil, "no-cache"])
    }
  }

  @Test func `a redirect to where the picture lies is followed`() async throws {
    try await withOrigin(.album(posts: 1, pictures: 2)) { origin in
      origin.change { $0.troubles = [.every("/media/0-0", .redirect(to: "/media/0-1.png"))] }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect((report.summary.media.downloaded, report.summary.media.deduplicated) == (1, 1))
    }
  }

  @Test func `a failed picture waits for its time, and is tried at once when asked for`() async throws {
    try await withOrigin(.album(posts: 4, pictures: 1)) { origin in
      let library = try TestLibrary()
      let plan = PullPlan(avatars: false)
      origin.change { $0.troubles = [.every("/media/0-0", .html), .every("/media/1-0", .status(404))] }
      #expect(try await library.pull(origin, plan).summary.media.failed == 2)
      #expect(try library.states == [.stored: 2, .failed: 2])
      origin.change { $0.troubles = [] }
      var untried = PullSummary.MediaCounts()
      untried.waiting = 2
      #expect(try await library.pull(origin, plan).summary.media == untried)
      var again = plan
      again.retryFailed = true
      #expect(try await library.pull(origin, again).summary.media.downloaded == 2)
      #expect(try library.states == [.stored: 4])
    }
  }

  @Test func `a failed picture is tried again by itself when its time has come`() async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      let library = try TestLibrary()
      origin.change { $0.troubles = [.every("/media", .html)] }
      _ = try await library.pull(origin)
      origin.change { $0.troubles = [] }
      library.clock.pass(901)
      #expect(try await library.pull(origin).summary.media.downloaded == 1)
    }
  }

  /// Sixty posts on six pages; pictures on the last page failed.
  private func withFailures(_ body: @Sendable (Origin, TestLibrary) async throws -> Void) async throws {
    try await withOrigin(.album(posts: 60, pictures: 1)) { origin in
      origin.change { script in
        script.troubles = (51..<60).map { .every("/media/\($0)-0", .html) }
      }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(.all, pages: nil, pageSize: 10, avatars: false))
      #expect((report.summary.media.failed, report.summary.media.waiting) == (9, 0))
      origin.change { $0.troubles = [] }
      try await body(origin, library)
    }
  }

  @Test(arguments: [PullPlan.Scope.newest, .new, .all, .rest, .gaps])
  func `to try failed ones again tries all of the feed, whatever pages are read`(scope: PullPlan.Scope) async throws {
    try await withFailures { origin, library in
      let plain = PullPlan(.newest, pages: 1, pageSize: 10, avatars: false)
      let media = try await library.pull(origin, plain).summary.media
      #expect((media.downloaded, media.failed, media.waiting) == (0, 0, 9), "what is missing is always told")
      let plan = PullPlan(scope, pages: 1, pageSize: 10, avatars: false, retryFailed: true)
      let again = try await library.pull(origin, plan).summary.media
      #expect((again.downloaded, again.failed, again.waiting) == (9, 0, 0))
      #expect(try library.states == [.stored: 60])
    }
  }

  @Test(arguments: [PullPlan.Scope.all, .rest, .gaps])
  func `finishing a feed retries its failed pictures that are due`(scope: PullPlan.Scope) async throws {
    try await withFailures { origin, library in
      let plan = PullPlan(scope, pages: nil, pageSize: 10, avatars: false)
      let early = try await library.pull(origin, plan).summary.media
      #expect((early.downloaded, early.waiting) == (0, 9))
      library.clock.pass(901)
      let media = try await library.pull(origin, plan).summary.media
      #expect((media.downloaded, media.failed, media.waiting) == (9, 0, 0))
    }
  }

  @Test(arguments: [PullPlan.Scope.newest, .all])
  func `failed pictures are tried again also where a page fails`(scope: PullPlan.Scope) async throws {
    try await withFailures { origin, library in
      origin.change { $0.troubles = [.every("/api/v1/timelines", .html)] }
      let plan = PullPlan(scope, pages: nil, pageSize: 10, avatars: false, retryFailed: true)
      let report = try await library.pull(origin, plan)
      #expect(report.failure != nil)
      #expect(report.summary.media.downloaded == 9)
    }
  }

  @Test func `as many pictures as may wait for their rows do not suggest another library`() {
    #expect(PictureCommitter.backlog + 16 + PictureFetcher.workersBeside <= Garbage.fewOrphans)
  }

  @Test func `the same bytes are kept once`() async throws {
    var album = Script.album(posts: 6, pictures: 2)
    for index in album.posts.indices { album.posts[index].attachments[1].picture = Picture(0) }
    let script = album
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect((report.summary.media.downloaded, report.summary.media.deduplicated) == (6, 6))
      #expect(library.blobNames == script.pictureHashes)
      #expect(Set(try library.posts.map { $0.attachments.last?.blob?.hex }) == [Picture(0).sha256])
    }
  }

  @Test func `every kept blob is named by the hash of its bytes`() async throws {
    try await withOrigin(Script(posts: 30)) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin)
      for post in try library.posts {
        for picture in post.attachments {
          let id = try #require(picture.blob)
          #expect(Picture.sha256(try library.blobs.read(id)) == id.hex)
        }
      }
    }
  }

  @Test func `pictures are pulled into a store that has no files`() async throws {
    let script = Script(posts: 30)
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let memory = MemoryBlobs { noon }
      let report = try await library.pull(origin, PullPlan(avatars: false), keeping: memory)
      #expect(report.summary.media.downloaded > 0)
      let stored = try library.posts.flatMap(\.attachments).compactMap(\.blob)
      for id in stored { #expect(Picture.sha256(try memory.read(id)) == id.hex) }
      #expect(Set(stored.map(\.hex)) == script.pictureHashes)
      #expect(library.blobNames == [])
    }
  }

  @Test func `avatars are kept, each once, and not counted among the pictures`() async throws {
    try await withOrigin(.album(posts: 60, pictures: 0)) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pages: 6, pageSize: 10))
      #expect(report.summary.media == PullSummary.MediaCounts())
      let avatars = origin.requests(to: "/avatars").map(\.path)
      #expect(Set(avatars).count == avatars.count)
      #expect(Set(avatars) == Set(origin.script.posts.map { "/avatars/\($0.author).png" }))
      #expect(try library.posts.allSatisfy { $0.author?.avatar != nil })
      #expect(library.blobNames.count == avatars.count)
    }
  }

  @Test func `a bad avatar is not a failure of the pull`() async throws {
    try await withOrigin(.album(posts: 3, pictures: 0)) { origin in
      origin.change { $0.troubles = [.every("/avatars", .html)] }
      let report = try await TestLibrary().pull(origin)
      #expect(report.failure == nil)
      #expect(report.summary.media.failed == 0)
      #expect(report.pictureFailures.isEmpty)
    }
  }

  @Test func `pictures nobody wants stay where they are, and a later pull may fetch them`() async throws {
    try await withOrigin(.album(posts: 5, pictures: 1)) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pictures: false, avatars: false))
      #expect(origin.requests(to: "/media").isEmpty)
      #expect(origin.requests(to: "/avatars").isEmpty)
      #expect(try library.states == [.skipped: 5])
      #expect(try await library.pull(origin).summary.media.downloaded == 5)
    }
  }

  @Test func `pictures of deleted posts are not fetched, and come when the post is restored`() async throws {
    try await withOrigin(.album(posts: 5, pictures: 2)) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pictures: false))
      let id = try #require(try library.posts.first?.id)
      try library.store.delete([id], now: noon)
      #expect(try await library.pull(origin).summary.media.downloaded == 8)
      #expect(origin.requests(to: "/media/0-").isEmpty)
      try library.store.restore([id], now: noon)
      #expect(try await library.pull(origin).summary.media.downloaded == 2)
    }
  }

  @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/a.png", "javascript:alert(1)", "/media/0-0.png", ""])
  func `an address that is not on the web is not requested`(address: String) async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      let picture: JSON = ["id": "77", "type": "image", "url": .text(address)]
      origin.change { $0.posts[0].overrides = ["media_attachments": [picture]] }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect(report.summary.media == PullSummary.MediaCounts())
      #expect(try library.posts.first?.attachments.first?.url == nil)
      #expect(library.blobNames.isEmpty)
    }
  }

  @Test func `the second address is asked if the first has nothing`() async throws {
    try await withOrigin(.album(posts: 2, pictures: 1)) { origin in
      let other = origin.url + "/media/1-0.png"
      let picture: JSON = [
        "id": "77", "type": "image", "url": .text(origin.url + "/media/nothing.png"), "remote_url": .text(other),
      ]
      origin.change { script in
        script.posts[0].overrides = ["media_attachments": [picture]]
        script.posts.removeLast()
        script.posts[0].attachments = [ScriptedAttachment(id: "1-0", picture: Picture(5), alt: nil)]
      }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect(report.summary.media.downloaded == 1)
      #expect(origin.requests(to: "/media").map(\.path) == ["/media/nothing.png", "/media/1-0.png"])
      #expect(library.blobNames == [Picture(5).sha256])
    }
  }
}
