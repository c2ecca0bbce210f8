import Foundation
import MediaLibrary
import Testing

@testable import Gallery

struct ThumbRoutesTests {
  @Test func `a small picture is WebP and kept forever`() async throws {
    try await withServedLibrary { library, client in
      let name = try library.blob(of: Sample.gif)
      for size in [320, 640, 1600] {
        let answer = try await client.get("/thumb/\(size)/\(name)")
        #expect(answer.status == 200 && answer["Content-Type"] == "image/webp")
        #expect(answer.body.starts(with: "RIFF".utf8))
        #expect(answer["Cache-Control"] == "private, max-age=31536000, immutable")
        let tag = try #require(answer["ETag"])
        #expect(try await client.get("/thumb/\(size)/\(name)", ["If-None-Match": tag]).status == 304)
      }
    }
  }

  @Test(arguments: [Sample.png, Sample.tiny, Sample.html, Sample.mp3])
  func `a picture that cannot be drawn is reported in a sentence, and not cached`(bytes: [UInt8]) async throws {
    try await withServedLibrary { library, client in
      let answer = try await client.get("/thumb/320/\(try library.blob(of: bytes))")
      #expect(answer.status == 422 && answer["Cache-Control"] == "no-store")
      #expect(answer["Content-Type"] == "application/json; charset=utf-8" && answer.text.contains("\"error\":\"This "))
    }
  }

  @Test func `other sizes, and blobs that the library does not know, are not found`() async throws {
    try await withServedLibrary { library, client in
      let name = try library.blob(of: Sample.gif)
      let unknown = String(repeating: "0", count: 64)
      for path in [
        "321/\(name)", "x/\(name)", "320/\(unknown)", "320/%2e%2e", "-320/\(name)", "320/\(name.uppercased())",
      ] {
        let answer = try await client.get("/thumb/\(path)")
        // 400 where the path is not even spelt as one.
        #expect([400, 404].contains(answer.status) && answer["Cache-Control"] == "no-store", "\(path)")
      }
    }
  }

  @Test(.timeLimit(.minutes(1))) func `the small pictures of a new post are made before they are asked for`()
    async throws
  {
    try await withServedLibrary { library, _ in
      let name = try library.blob(of: Sample.gif)
      for size in [320, 640] {
        let file = "\(library.folder)/cache/thumb/\(size)/\(name.prefix(2))/\(name.dropFirst(2)).webp"
        while !FileManager.default.fileExists(atPath: file) { try await Task.sleep(for: .milliseconds(10)) }
      }
    }
  }
}
