import Foundation
import PostgreSQLServer
import S3Server
import Testing

/// `media serve --direct`: large files come from the S3 service itself.
@Suite(.timeLimit(.minutes(10))) struct DirectReadingTests {
  /// An answer to curl.
  private struct Answer {
    let head: String
    let body: Data

    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    subscript(name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name): ") }.map {
        String($0.dropFirst(name.count + 2))
      }
    }
  }

  private func ask(_ sandbox: Sandbox, _ address: String, _ words: String...) async throws -> Answer {
    let curl = try sandbox.start(
      "/usr/bin/curl", ["-s", "-D", "\(sandbox.folder)/head", "-o", "\(sandbox.folder)/body"] + words + [address])
    curl.endInput()
    _ = try await curl.end()
    let files = ["head", "body"].map { FileManager.default.contents(atPath: "\(sandbox.folder)/\($0)") ?? Data() }
    for name in ["head", "body"] { try? FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)") }
    return Answer(head: String(decoding: files[0], as: UTF8.self), body: files[1])
  }

  /// The bytes of a video, as far as a type is detected by them.
  private static let film =
    Data([0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8))
    + Data([0, 6, 0, 0] + Array("mdat".utf8)) + Data((0..<0x5FFF8).map { UInt8(truncatingIfNeeded: $0 / 3) })
  private static let drawing =
    Data("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script>".utf8)
    + Data(repeating: 32, count: 300_000) + Data("</svg>".utf8)

  /// A user whose shared library has one post with two large files and a small one; their names as blobs.
  private func newSandbox() async throws -> (Sandbox, S3Server, blobs: [String: String]) {
    let server = try S3Server.shared()
    var sandbox = try Sandbox()
    sandbox.environment.merge(server.environment()) { $1 }
    sandbox.environment["MEDIA_HOME"] = try PostgreSQLServer.shared().newURI("blobs=s3://\(try server.newBucket())/lab")
    let small = Self.film.prefix(24) + Data([0, 0, 0, 12] + Array("mdat".utf8) + [1, 2, 3, 4])
    var words = ["add", "three files", "--json"]
    for (name, bytes) in [("film.mp4", Self.film), ("short.mp4", small), ("drawing.svg", Self.drawing)] {
      try bytes.write(to: URL(filePath: "\(sandbox.folder)/\(name)"))
      words += ["--attach", "\(sandbox.folder)/\(name)"]
    }
    let added = try await sandbox.run(words)
    try #require(added.status == 0, "\(added.errors)")
    let files = try added.object()["attachments"] as? [[String: any Sendable]] ?? []
    let hashes = try files.map { try #require($0["sha256"] as? String) }
    try #require(hashes.count == 3)
    return (sandbox, server, ["film": hashes[0], "short": hashes[1], "drawing": hashes[2]])
  }

  @Test func `whoever signed in is led to the service for what is large and may be shown, and nobody else is`()
    async throws
  {
    let (sandbox, server, blobs) = try await newSandbox()
    let visitor = try await GalleryVisitor(sandbox, "--direct")
    let cookie = "Cookie: \(visitor.cookies)"
    let film = "\(visitor.base)/blob/\(try #require(blobs["film"]))"

    let led = try await ask(sandbox, film, "-H", cookie, "-H", "Range: bytes=5-9")
    #expect(led.status == 307 && led.body.isEmpty)
    #expect(led["cache-control"] == "private, max-age=1800" && led["referrer-policy"] == "no-referrer")
    let address = try #require(led["location"])
    #expect(address.hasPrefix("\(server.endpoint)/") && address.contains("X-Amz-Expires=3600"))
    #expect(!address.contains("owner-secret"))
    // As a browser asks the service: without the gallery's cookie.
    let whole = try await ask(sandbox, address)
    #expect(whole.status == 200 && whole.body == Self.film)
    #expect(whole["content-type"] == "video/mp4" && whole["content-disposition"] == "inline")
    let part = try await ask(sandbox, address, "-H", "Range: bytes=1000-1999")
    #expect(part.status == 206 && part.body == Self.film[1000..<2000])
    let saved = try await ask(sandbox, film + "?name=a%20film%0D%0A%22x%22.html", "-H", cookie)
    let download = try await ask(sandbox, try #require(saved["location"]))
    #expect(download["content-disposition"] == "attachment; filename=\"a film___x_.mp4\"")
    #expect(download["content-type"] == "video/mp4")

    let head = try await ask(sandbox, film, "-H", cookie, "--head")
    #expect(head.status == 200 && head["location"] == nil)
    let short = try await ask(sandbox, "\(visitor.base)/blob/\(try #require(blobs["short"]))", "-H", cookie)
    #expect(short.status == 200 && short["content-type"] == "video/mp4")
    let drawing = try await ask(sandbox, "\(visitor.base)/blob/\(try #require(blobs["drawing"]))", "-H", cookie)
    #expect(drawing.status == 200 && drawing.body == Self.drawing)
    #expect(
      drawing["content-disposition"] == "attachment" && drawing["content-security-policy"]?.hasPrefix("sandbox") == true
    )

    let page = try await ask(sandbox, "\(visitor.base)/", "-H", cookie)
    let policy = try #require(page["content-security-policy"])
    #expect(policy.contains("img-src 'self' data: \(server.endpoint);"))
    #expect(policy.contains("media-src 'self' \(server.endpoint);"))
    #expect(policy.contains("script-src 'self'; style-src 'self';") && policy.contains("connect-src 'self';"))

    for field in ["Accept: */*", cookie + "x"] {
      let refused = try await ask(sandbox, film, "-H", field)
      #expect(refused.status == 401 && refused["location"] == nil)
      #expect(!String(decoding: refused.body, as: UTF8.self).contains("X-Amz"))
    }
    visitor.serve.signal(SIGTERM)
    let ended = try await visitor.serve.end()
    #expect(!(ended.output + ended.errors).contains("X-Amz"))
  }

  @Test func `without the option the gallery sends everything itself`() async throws {
    let (sandbox, server, blobs) = try await newSandbox()
    let visitor = try await GalleryVisitor(sandbox)
    let cookie = "Cookie: \(visitor.cookies)"
    let film = try await ask(
      sandbox, "\(visitor.base)/blob/\(try #require(blobs["film"]))", "-H", cookie, "-H", "Range: bytes=5-9")
    #expect(film.status == 206 && film.body == Self.film[5..<10])
    let page = try await ask(sandbox, "\(visitor.base)/", "-H", cookie)
    #expect(page["content-security-policy"]?.contains(server.endpoint) == false)
    visitor.serve.signal(SIGTERM)
    _ = try await visitor.serve.end()
  }

  @Test func `a library in a folder has no service to lead to`() async throws {
    expect(try await Sandbox().media("serve", "--direct"), fails: 64, saying: "--direct is for a library whose")
  }
}
