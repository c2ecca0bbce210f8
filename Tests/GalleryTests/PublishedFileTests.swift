import Foundation
import HTTP
import MediaLibrary
import Posts
import Storage
import Testing

@testable import Gallery

/// What shares and feeds give of files: never where a picture was taken.
@Suite(.timeLimit(.minutes(5))) struct PublishedFileTests {
  private static let token = "AAAAAAAAAAAAAAAAAAAAAA"

  /// A grey picture by Anna, with a place as a camera writes it.
  private static let placed = Array(
    Data(
      base64Encoded: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/4QCaRXhpZgAASUkqAAgAAAACADsBAgAFAAAAJgAAACWIBAABAAAALAAAAAAAAABBbm5hAAAEAAEAAgACAAA\
        ATgAAAAIABQADAAAAYgAAAAMAAgACAAAARQAAAAQABQADAAAAegAAAAAAAAAwAAAAAQAAAAgAAAABAAAAAAAAAAEAAAALAAAAAQAAACIAAAABAAA\
        AAAAAAAEAAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/wAALCAA\
        IAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AL//Z
        """)!)
  /// The latitude of `placed` in degrees and minutes, as its bytes.
  private static let latitude = Data([48, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0])

  @Test func `a share and a feed give files without the place, and the gallery gives its owner the bytes`() async throws
  {
    try await InsightServer.run { server in
      let library = server.library
      try library.save(shot(1), with: Self.placed)
      try library.save(shot(2), with: Sample.gif)
      try library.save(shot(3), with: Sample.mp4 + [UInt8](repeating: 3, count: 100))
      var draft = ShareDraft(of: try Filter(parsing: "tag:kittens"), title: "All")
      draft.hasOriginals = true
      _ = try library.store.makeShare(draft, tokenHash: TokenHash(of: Self.token).text, now: library.now())
      func path(_ start: String, _ bytes: [UInt8]) -> String { start + BlobID(hashing: bytes).hex }
      let own = try await server.get(path("/blob/", Self.placed))
      #expect(own.body == Data(Self.placed) && own.body.contains(Self.latitude))
      for start in ["/share/\(Self.token)/blob/", "/feed/blob/"] {
        let copy = try await server.get(path(start, Self.placed))
        #expect(copy.status == 200 && copy.headers["content-type"] == "image/jpeg")
        #expect(copy.body.contains(Data("Anna".utf8)) && !copy.body.contains(Self.latitude))
        #expect(copy.headers["content-length"] == "\(copy.body.count)")
        let part = try await server.get(path(start, Self.placed), ["Range": "bytes=2-5"])
        #expect(part.status == 206 && part.body == copy.body[2...5])
        let tag = try #require(copy.headers["etag"])
        #expect(tag != own.headers["etag"])
        #expect(try await server.get(path(start, Self.placed), ["If-None-Match": tag]).status == 304)
        #expect(try await server.get(path(start, Self.placed), method: "HEAD").headers["etag"] == tag)
        #expect(try await server.get(path(start, Sample.gif)).body == Data(Sample.gif))
        // A film that is cut short.
        let refused = try await server.get(path(start, Sample.mp4 + [UInt8](repeating: 3, count: 100)))
        #expect(refused.status == 422 && refused.text.contains("This file is left out"), "\(refused.text)")
      }
      let cache = FileManager.default.enumerator(atPath: "\(library.folder)/cache")?.compactMap { $0 as? String }
      #expect(cache?.count { $0.hasSuffix(".clean") } == 1)
    }
  }

  @Test func `a gallery for reading only gives files without the place, too`() async throws {
    try await withGallery(.init(isReadOnly: true)) { gallery in
      try gallery.library.save(shot(1), with: Self.placed)
      let cookie = try await gallery.cookie()
      let answer = try await gallery.get("/blob/\(BlobID(hashing: Self.placed).hex)", cookie)
      #expect(answer.status == 200 && answer.body.contains("Anna"))
      #expect(answer["etag"]?.contains("clean") == true)
    }
  }
}
