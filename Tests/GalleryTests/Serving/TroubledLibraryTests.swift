import Folders
import Foundation
import MediaLibrary
import Testing

@testable import Gallery

/// A library that something happens to while it is served: the right status, one sentence, and a server that lives on.
@Suite(.timeLimit(.minutes(5))) struct TroubledLibraryTests {
  private static let pages = [
    "/", "/?q=number", "/post/1", "/api/list", "/api/months", "/tags", "/authors", "/calendar", "/status",
    "/statistics",
  ]

  /// A stream of changes.
  private func stream(_ gallery: ServedGallery, _ cookie: String) async throws -> RawSocket {
    try await onThread { [port = gallery.port, host = gallery.host] in
      let socket = try RawSocket(port: port)
      socket.send(Array("GET /api/changes HTTP/1.1\r\nHost: \(host)\r\n\(cookie)\r\n\r\n".utf8))
      _ = try socket.read { String(decoding: $0, as: UTF8.self).contains("retry: ") }
      return socket
    }
  }

  /// What a stream says until it has said some words, or has ended.
  private func text(of socket: RawSocket, until words: String) async throws -> String {
    try await onThread {
      String(decoding: try socket.read { String(decoding: $0, as: UTF8.self).contains(words) }, as: UTF8.self)
    }
  }

  @Test func `a stream outlasts a library that is moved away and put back`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let socket = try await stream(gallery, cookie)
      let (here, there) = (gallery.libraryFolder, "\(gallery.folder.path)/elsewhere")
      try FileManager.default.moveItem(atPath: here, toPath: there)
      for target in Self.pages { #expect(try await gallery.get(target, cookie).status == 503, "\(target)") }
      try FileManager.default.moveItem(atPath: there, toPath: here)
      #expect(try await gallery.post("/api/delete", #"{"ids":[1]}"#, cookie).status == 200)
      #expect(try await text(of: socket, until: "\"posts\":[1]").contains("event: change"))
    }
  }

  @Test func `a damaged library is 503 in one sentence, and is served again once it is mended`() async throws {
    let scratch = try Scratch()
    let library = try Library(in: scratch.path)
    for number in 0..<300 { try library.add(caption: "number \(number)", tags: ["birds\(number % 50)"]) }
    library.close()
    let path = "\(scratch.path)/media.sqlite"
    let whole = try Data(contentsOf: URL(filePath: path))
    try await withGallery(isEmpty: true, library: scratch.path) { gallery in
      let cookie = try await gallery.cookie()
      // The first page has the schema, which is read when the library is opened.
      try write(Data(repeating: 0xAB, count: whole.count - 4096), to: path, at: 4096)
      var damaged = 0
      for target in Self.pages {
        let answer = try await gallery.get(target, cookie)
        #expect([200, 503].contains(answer.status), "\(target)")
        guard answer.status == 503 else { continue }
        damaged += 1
        #expect(answer.body.contains("is damaged ("), "\(target)")
        #expect(answer.body.contains("media check --repair"), "\(target)")
      }
      #expect(damaged > 0)
      #expect(try await gallery.post("/api/delete", #"{"ids":[1]}"#, cookie).status == 503)
      #expect(try await gallery.get("/assets/gallery.css").status == 200)
      try write(whole, to: path, at: 0)
      // What mends a library writes to it.
      let other = try Library(in: scratch.path)
      try other.add(caption: "mended")
      other.close()
      for target in Self.pages { #expect(try await gallery.get(target, cookie).status == 200, "\(target)") }
    }
  }

  private func write(_ bytes: Data, to path: String, at offset: UInt64) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: bytes)
    try file.close()
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `on a full disk the library is read, a write is 507, and counts once there is room`() async throws {
    let disk = try SmallDisk(bytes: 24 << 20)
    try await withGallery(library: disk.scratch.path) { gallery in
      let cookie = try await gallery.cookie()
      let picture = try gallery.library.blob(of: Sample.gif)
      // Those that are made before they are asked for; else they would be written while the disk is filled.
      for size in [320, 640] { #expect(try await gallery.get("/thumb/\(size)/\(picture)", cookie).status == 200) }
      try disk.fill(leaving: 0)
      for target in Self.pages { #expect(try await gallery.get(target, cookie).status == 200, "\(target)") }
      #expect(try await gallery.get("/thumb/1600/\(picture)", cookie).status == 200)
      let refused = try await gallery.post("/api/delete", #"{"ids":[1]}"#, cookie)
      #expect(refused.status == 507)
      #expect((refused.object["error"] as? String)?.hasPrefix("the disk is full, ") == true)
      let form = "--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\na kingfisher\r\n--b--\r\n"
      let added = try await gallery.post("/api/add", form, cookie, type: "multipart/form-data; boundary=b")
      #expect(added.status == 507 && (added.object["error"] as? String)?.contains("the disk is full") == true)
      #expect(try gallery.library.store.post(1)?.post.isDeleted == false)
      try disk.empty()
      #expect(try await gallery.post("/api/delete", #"{"ids":[1]}"#, cookie).status == 200)
      #expect(try gallery.library.store.post(1)?.post.isDeleted == true)
    }
  }

  // MARK: Streams and sign-ins

  @Test(arguments: [false, true])
  func `a browser that signs out is out at once, and its streams end`(isReadOnly: Bool) async throws {
    try await withGallery(.init(isReadOnly: isReadOnly)) { gallery in
      let (cookie, other) = (try await gallery.cookie(), try await gallery.cookie())
      let (ended, kept) = (try await stream(gallery, cookie), try await stream(gallery, other))
      let answer = try await gallery.post("/sign-out", "", cookie)
      #expect(answer.status == 200)
      #expect(answer["set-cookie"]?.contains("Max-Age=0") == true)
      // The last chunk of the answer.
      #expect(try await text(of: ended, until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
      #expect(try await gallery.get("/", cookie).status == 401)
      #expect(try await gallery.get("/", other).status == 200)
      try gallery.library.add(caption: "later")
      #expect(try await text(of: kept, until: "event: change").contains("\"posts\":[2]"))
    }
  }

  @Test func `a stream whose session has expired, or was ended by a new password, tells nothing more`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let expired = try await stream(gallery, cookie)
      gallery.clock.pass(SignInRecords.sessionLength + 1)
      try gallery.library.add(caption: "later")
      #expect(try await text(of: expired, until: "0\r\n\r\n").contains("event:") == false)
      let next = try await stream(gallery, try await gallery.cookie())
      // By another process, as "media serve --set-password" does.
      let other = SignIns(folder: gallery.configuration, now: { gallery.clock.now })
      try await other.setPassword("correct horse")
      try gallery.library.add(caption: "later still")
      #expect(try await text(of: next, until: "0\r\n\r\n").contains("event:") == false)
    }
  }
}
