import Foundation
import ScriptedOrigin
import Testing

/// Pulls from malicious servers: each attack has its exit code, and nothing of it is stored.
@Suite(.timeLimit(.minutes(10))) struct HostileServerTests {
  private static func head(_ fields: String...) -> String {
    (["HTTP/1.1 200 OK", "Content-Type: application/json"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func answer(_ body: [UInt8], _ fields: String...) -> [UInt8] {
    let own = ["HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: \(body.count)"] + fields
    return Array((own.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  private static func status(_ id: Int, _ text: String = "") -> String {
    #"{"id":"\#(id)","uri":"https://a.example/\#(id)","created_at":"2026-11-20T09:00:00Z","content":"\#(text)"}"#
  }

  /// The result of a pull from a server that gives every connection the same answer, and the number of posts stored then.
  private func pull(_ act: RawServer.Act, tries: Int = 8) async throws -> (ended: Ended, held: Int) {
    let server = try RawServer(Array(repeating: [act], count: tries))
    defer { server.stop() }
    let sandbox = try Sandbox(ceiling: Sandbox.narrow)
    let ended = try await sandbox.media("tag", "cats", "--json", "--server", server.url)
    return (ended, try await sandbox.media("list", "--json").lines.count)
  }

  @Test func `a body that never ends is 65 at the most that is read of a page`() async throws {
    let (ended, held) = try await pull(
      .pour(Array(Self.head().utf8) + [UInt8(ascii: "[")], [UInt8](repeating: 0x20, count: 64 << 10)))
    expect(ended, fails: 65, saying: "it is longer than 8388608 bytes", output: true)
    #expect(held == 0)
  }

  @Test func `an announced length beyond what is read is 65 before a byte of it`() async throws {
    let (ended, _) = try await pull(.pour(Array(Self.head("Content-Length: 99999999999").utf8), [0x20]))
    expect(ended, fails: 65, saying: "it is longer than 8388608 bytes", output: true)
  }

  @Test func `an answer shorter than announced is 65`() async throws {
    let (ended, held) = try await pull(.say(Array((Self.head("Content-Length: 4000") + "[\(Self.status(1))]").utf8)))
    expect(ended, fails: 65, saying: "it breaks off", output: true)
    #expect(held == 0)
  }

  @Test func `an answer longer than announced is read as far as announced, and 65 where that is half a page`()
    async throws
  {
    let (ended, held) = try await pull(.say(Array((Self.head("Content-Length: 9") + "[\(Self.status(1))]").utf8)))
    expect(ended, fails: 65, output: true)
    #expect(held == 0)
  }

  @Test(arguments: ["gzip", "zstd"])
  func `a bomb of a few kilobytes is 65 at the most that is read of a page`(encoding: String) async throws {
    let bomb = encoding == "gzip" ? gzip(zeros: 64 << 20) : zstandard(zeros: 1 << 30)
    #expect(bomb.count < 1 << 19)
    let (ended, _) = try await pull(.say(Self.answer(bomb, "Content-Encoding: \(encoding)")))
    expect(ended, fails: 65, saying: "it is longer than 8388608 bytes", output: true)
  }

  @Test func `a page of a hundred thousand posts is 65`() async throws {
    let body = "[" + (0..<100_000).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",") + "]"
    let (ended, held) = try await pull(.say(Self.answer(Array(body.utf8))))
    expect(ended, fails: 65, saying: "more than 1000 posts", output: true)
    #expect(held == 0)
  }

  @Test(arguments: ["[", "[{\"a\":", "{\"a\":"])
  func `an answer that nests a hundred thousand deep is 65`(opening: String) async throws {
    let (ended, _) = try await pull(.say(Self.answer(Array(String(repeating: opening, count: 100_000).utf8))))
    expect(ended, fails: 65, output: true)
  }

  @Test func `one id with two contents on a page is one post, and the pull ends well`() async throws {
    let body = "[\(Self.status(1, "one")),\(Self.status(1, "two"))]"
    let (ended, held) = try await pull(.say(Self.answer(Array(body.utf8))))
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(held == 1)
  }

  @Test func `a name without an address is 69`() async throws {
    let ended = try await Sandbox(ceiling: Sandbox.narrow).media(
      "tag", "cats", "--json", "--server", "https://media.invalid")
    expect(ended, fails: 69, saying: "media.invalid", "cannot resolve host \"media.invalid\"", output: true)
  }

  @Test func `redirects without end are 65`() async throws {
    let path = "/api/v1/timelines/tag/cats"
    try await withOrigin(Script(posts: 5, troubles: [.every(path, .redirect(to: path))])) { origin in
      let ended = try await Sandbox(ceiling: Sandbox.narrow).media("tag", "cats", "--json", "--server", origin.url)
      expect(ended, fails: 65, saying: "it leads round in circles", output: true)
      #expect(origin.requests(to: path).count == 2)
    }
  }

  @Test func `a redirect to another host is 65, and that host is asked nothing`() async throws {
    try await withOrigin(Script(posts: 5)) { other in
      let trouble = Trouble.every("/api/v1/timelines", .redirect(to: "\(other.url)/api/v1/timelines/tag/cats"))
      try await withOrigin(Script(posts: 5, troubles: [trouble])) { origin in
        let sandbox = try Sandbox(ceiling: Sandbox.narrow)
        let login = try await sandbox.media("login", origin.url, "--token-stdin", input: "scripted-token\n")
        #expect(login.status == 0, "\(login.errors)")
        expect(
          try await sandbox.media("tag", "cats", "--json"), fails: 65, saying: "it leads to another server",
          output: true)
        #expect(other.requests.isEmpty)
      }
    }
  }

  @Test func `pages that lead round in circles are 65, and their posts stay`() async throws {
    try await withOrigin(Script(posts: 60, troubles: [.every("/api/v1/timelines", .cursorLoop)])) { origin in
      let sandbox = try Sandbox(ceiling: Sandbox.narrow)
      let ended = try await sandbox.media(
        "tag", "cats", "--pages", "9", "--json", "--no-pictures", "--server", origin.url)
      expect(ended, fails: 65, output: true)
      #expect(origin.requests(to: "/api/v1/timelines").count <= 3)
      #expect(try await sandbox.media("list", "--json", "--limit", "100").lines.count == 40)
    }
  }

  @Test func `a public server's picture in a private network is not asked for, and the pull ends with 1`()
    async throws
  {
    let router = try RawServer([])
    let post = Self.status(1).dropLast() + #","media_attachments":[{"id":"7","type":"image","url":"\#(router.url)/"}]}"#
    // The proxy stands for the internet, which tests cannot use.
    let proxy = try RawServer(Array(repeating: [.say(Self.answer(Array("[\(post)]".utf8)))], count: 8))
    var sandbox = try Sandbox(ceiling: Sandbox.narrow)
    sandbox.environment["http_proxy"] = proxy.url
    let ended = try await sandbox.media("tag", "cats", "--server", "http://birds.example")
    #expect(ended.status == 1, "\(ended.errors)")
    #expect(ended.errors.contains("it leads to 127.0.0.1, which lies in a private network"))
    #expect(router.connections == 0)
    #expect(proxy.heads.allSatisfy { $0.contains("http://birds.example/") })
  }

  /// A body of two bytes, followed by fields without end.
  private static let trailing = RawServer.Act.pour(
    Array((head("Transfer-Encoding: chunked") + "2\r\n[]\r\n0\r\n").utf8),
    Array(String(repeating: "X-Y: \(String(repeating: "z", count: 1000))\r\n", count: 60).utf8))

  @Test func `fields without end after a body are 65, whatever is asked`() async throws {
    let (pulled, held) = try await pull(Self.trailing)
    expect(pulled, fails: 65, saying: "it is longer than 65536 bytes", output: true)
    #expect(held == 0)
    let server = try RawServer(Array(repeating: [Self.trailing], count: 8))
    let sandbox = try Sandbox(ceiling: Sandbox.narrow)
    expect(try await sandbox.media("feed", "\(server.url)/feed"), fails: 65, saying: "65536", output: true)
    expect(try await sandbox.media("login", server.url, "--token-stdin", input: "token\n"), fails: 65)
  }

  /// Pulls a page of two posts: the first names a picture of a hostile host, the second one of a good host.
  private func pull(picture: String, _ flags: [String] = []) async throws -> (ended: Ended, stored: Int?) {
    try await withOrigin(Script(posts: 3)) { origin in
      let good = try #require(origin.script.posts.flatMap(\.attachments).first)
      let posts = [picture, origin.url + good.path].enumerated().map { number, url in
        Self.status(number).dropLast() + #","media_attachments":[{"id":"\#(number)","type":"image","url":"\#(url)"}]}"#
      }
      let page = Self.answer(Array("[\(posts.joined(separator: ","))]".utf8))
      let server = try RawServer(Array(repeating: [.say(page)], count: 8))
      let sandbox = try Sandbox(ceiling: Sandbox.narrow)
      let ended = try await sandbox.run(["tag", "cats", "--no-avatars", "--server", server.url] + flags)
      return (ended, try await sandbox.media("stats", "--json").object()["pictures", "stored"])
    }
  }

  @Test func `fields without end after a picture cost that picture`() async throws {
    let host = try RawServer(Array(repeating: [Self.trailing], count: 8))
    let (ended, stored) = try await pull(picture: "\(host.url)/1.png")
    #expect(ended.status == 1, "\(ended.errors)")
    #expect(ended.errors.contains("it is longer than 65536 bytes"), "\(ended.errors)")
    #expect(stored == 1)
  }

  /// Empty HTTP/2 frames without end.
  private func flood() throws -> HTTP2Server {
    try HTTP2Server(says: HTTP2Frame.ok, andAgain: HTTP2Frame.many(HTTP2Frame.bytes(.data)))
  }

  @Test func `frames without end in which nothing comes are 65`() async throws {
    let server = try flood()
    let ended = try await Sandbox(ceiling: Sandbox.narrow).media(
      "tag", "cats", "--ca-file", server.authority, "--server", server.url)
    expect(ended, fails: 65, saying: "it sends without end", output: true)
  }

  @Test func `frames without end instead of a picture cost that picture`() async throws {
    let host = try flood()
    let (ended, stored) = try await pull(picture: "\(host.url)/1.png", ["--ca-file", host.authority])
    #expect(ended.status == 1, "\(ended.errors)")
    #expect(ended.errors.contains("it sends without end"), "\(ended.errors)")
    #expect(stored == 1)
  }

  @Test func `frames without end do not hold up a signal`() async throws {
    let server = try flood()
    let sandbox = try Sandbox(ceiling: Sandbox.narrow)
    let running = try sandbox.begin("tag", "cats", "--ca-file", server.authority, "--server", server.url)
    while server.poured == 0 { try await Task.sleep(for: .milliseconds(5)) }
    running.signal(SIGINT)
    expect(try await running.end(), fails: 130, saying: "interrupted", output: true)
  }

  @Test func `a name that nobody answers for does not hold up a signal`() async throws {
    var sandbox = try Sandbox(ceiling: Sandbox.narrow)
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let source = tests.appendingPathComponent("Faults/names.c").path
    let built = try await sandbox.bash("cc -shared -fPIC -O2 -Wall -Werror -o '\(sandbox.folder)/names.so' '\(source)'")
    try #require(built.status == 0, "\(built.errors)")
    sandbox.environment["LD_PRELOAD"] = ["\(sandbox.folder)/names.so", sandbox.environment["LD_PRELOAD"]].compactMap(
      \.self
    )
    .joined(separator: ":")
    let asked = "\(sandbox.folder)/asked"
    sandbox.environment["NAMES_ASKED"] = asked
    let running = try sandbox.begin("tag", "cats", "--server", "https://silent.example")
    while !FileManager.default.fileExists(atPath: asked) { try await Task.sleep(for: .milliseconds(5)) }
    running.signal(SIGINT)
    expect(try await running.end(), fails: 130, saying: "interrupted", output: true)
  }

  @Test func `a command that takes more memory than its ceiling does not get it`() async throws {
    // The limit counts addresses: nothing is written to them, so that they cost no memory.
    let take = "python3 -c 'import mmap; print(len(mmap.mmap(-1, 3 << 30, flags=mmap.MAP_PRIVATE)))'"
    let free = try await Sandbox().bash(take)
    #expect(free.output == "\(3 << 30)\n", "\(free.errors)")
    let ended = try await Sandbox(ceiling: Sandbox.narrow).bash(take)
    #expect(ended.status != 0)
    #expect(ended.errors.contains("Cannot allocate memory"), "\(ended.errors)")
  }
}
