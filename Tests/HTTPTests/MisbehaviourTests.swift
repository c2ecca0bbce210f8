import Foundation
import HTTP
import ScriptedOrigin
import Testing

/// Servers that lie, break off, hang up and never stop.
@Suite(.ceiling) struct MisbehaviourTests {
  let session = HTTPTests.session()
  var transport: Transport { session.transport }
  let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

  private func fault(_ request: Request) async -> TransportError? {
    await failure { () throws(TransportError) in try await transport.send(request) }
  }

  private func fault(of text: String, limit: Int = 1 << 20) async throws -> TransportError? {
    let server = try RawServer(says: text)
    return await fault(Request(.get, server.url, limit: limit))
  }

  @Test func `a connection that was closed without warning is replaced without an error`() async throws {
    var script = Script(posts: 1)
    script.hangsUp = true
    try await withOrigin(script) { origin in
      for _ in 0..<5 {
        let answer = try await transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats"))
        #expect(answer.status == 200)
      }
    }
  }

  @Test func `a GET on a kept connection that dies before a byte is sent once more`() async throws {
    for dying in [RawServer.Act.reset, .hangUp] {
      let server = try RawServer([[.say(ok), dying], [.say(ok)]])
      for _ in 0..<2 { #expect(try await transport.send(Request(.get, server.url)).body == Array("ok".utf8)) }
      #expect(server.heads.count == 3)
      #expect(server.connections == 2)
    }
  }

  @Test func `a POST is never sent twice`() async throws {
    let server = try RawServer([[.say(ok), .reset], [.reset], [.say(ok)]])
    _ = try await transport.send(Request(.get, server.url))
    let error = await fault(Request(.post, server.url, body: []))
    #expect(error == .cut(host: "127.0.0.1"))
    #expect(server.heads.filter { $0.hasPrefix("POST") }.count == 1)
  }

  @Test func `a connection that breaks before an answer is unreachable`() async throws {
    let server = try RawServer([[.reset]])
    guard case .unreachable(host: "127.0.0.1", _) = await fault(Request(.get, server.url)) else {
      Issue.record("no such error")
      return
    }
  }

  @Test func `a port on which nobody listens is unreachable`() async throws {
    let server = try RawServer([])
    let url = server.url
    server.stop()
    #expect(await fault(Request(.get, url)) == .unreachable(host: "127.0.0.1", reason: "Connection refused"))
  }

  @Test func `a name without an address is unknown`() async {
    #expect(await fault(Request(.get, "http://nobody.invalid/")) == .unknownHost("nobody.invalid"))
  }

  @Test func `a body shorter than announced is cut`() async throws {
    #expect(try await fault(of: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort") == .cut(host: "127.0.0.1"))
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
    #expect(try await fault(of: chunked) == .cut(host: "127.0.0.1"))
  }

  @Test func `a body longer than announced ends at the announced length`() async throws {
    let server = try RawServer(says: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more")
    #expect(try await transport.send(Request(.get, server.url)).body == Array("ok".utf8))
  }

  @Test func `a body that cannot be decompressed is cut`() async throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!"
    #expect(try await fault(of: text) == .cut(host: "127.0.0.1"))
  }

  @Test func `a body announced or grown beyond its limit is too large`() async throws {
    let announced = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world"
    #expect(try await fault(of: announced, limit: 10) == .tooLarge(limit: 10))
    #expect(try await fault(of: announced, limit: 11) == nil)
    let grown = "HTTP/1.1 200 OK\r\n\r\nhello world"
    #expect(try await fault(of: grown, limit: 10) == .tooLarge(limit: 10))
    #expect(try await fault(of: grown, limit: 11) == nil)
  }

  @Test func `a decompression bomb is stopped at the limit`() async throws {
    let bomb = gzip(zeros: 10 << 20)
    #expect(bomb.count < 100_000)
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
    let server = try RawServer([[.say(Array(head.utf8) + bomb)]])
    #expect(await fault(Request(.get, server.url, limit: 1 << 20)) == .tooLarge(limit: 1 << 20))
  }

  @Test(arguments: ["gzip", "br", "identity, gzip", "identity\r\nContent-Encoding: gzip"])
  func `a download that comes encoded is refused before its sink sees it`(encoding: String) async throws {
    let bomb = gzip(zeros: 10 << 20)
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(bomb.count)\r\n\r\n"
    let server = try RawServer([[.say(Array(head.utf8) + bomb)]])
    let sink = TestSink()
    let error = await failure { () throws(TransportError) in
      try await transport.download(Request(.get, server.url), sink)
    }
    #expect(error == .sink("it comes encoded, which was not asked for"))
    #expect(sink.heads.isEmpty)
  }

  private func unpacked(_ fields: String, _ body: [UInt8]) async throws -> (
    error: TransportError?, sink: TestSink, head: String
  ) {
    let server = try RawServer([[.say(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8) + body)]])
    var request = Request(.get, server.url, limit: 1 << 30)
    request.decodesDownload = true
    let sink = TestSink()
    let error = await failure { [request] () throws(TransportError) in try await transport.download(request, sink) }
    return (error, sink, server.heads.first ?? "")
  }

  @Test func `one layer of gzip is taken off a download that may have one, within a bound`() async throws {
    let packed = gzip(zeros: 5000)
    let (error, sink, head) = try await unpacked("Content-Encoding: gzip\r\nContent-Length: \(packed.count)", packed)
    #expect(error == nil && sink.bytes == [UInt8](repeating: 0, count: 5000))
    #expect(
      head.components(separatedBy: "\r\n").filter { $0.hasPrefix("Accept-Encoding") } == ["Accept-Encoding: identity"])
    let bomb = gzip(zeros: 65 << 20)
    #expect(
      try await unpacked("Content-Encoding: gzip\r\nContent-Length: \(bomb.count)", bomb).error
        == .tooLarge(limit: 64 << 20))
  }

  @Test(arguments: [
    ("gzip, gzip", "it is compressed twice"), ("gzip\r\nContent-Encoding: br", "it is compressed twice"),
    ("zstd", "it comes encoded, which was not asked for"), ("deflate", "it comes encoded, which was not asked for"),
  ])
  func `two layers and other codings are refused`(codings: String, reason: String) async throws {
    let (error, sink, _) = try await unpacked("Content-Encoding: \(codings)", gzip(zeros: 5000))
    #expect(error == .sink(reason) && sink.heads.isEmpty)
  }

  @Test func `a download asks for an uncompressed body`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: Identity\r\nContent-Length: 2\r\n\r\nok"
    let server = try RawServer(says: head)
    let sink = TestSink()
    _ = try await transport.download(Request(.get, server.url), sink)
    #expect(sink.bytes == Array("ok".utf8))
    let fields = server.heads[0].components(separatedBy: "\r\n").filter { $0.hasPrefix("Accept-Encoding") }
    #expect(fields == ["Accept-Encoding: identity"])
  }

  @Test(arguments: ["UTF-8", "aws-chunked", "none", "binary", "", "identity, aws-chunked"])
  func `a content coding that is none is ignored`(coding: String) async throws {
    let text = Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: 2\r\n\r\nok".utf8)
    let server = try RawServer([[.say(text)], [.say(text)], [.say(text)]])
    let sink = TestSink()
    _ = try await transport.download(Request(.get, server.url), sink)
    #expect(sink.bytes == Array("ok".utf8))
    #expect(try await transport.send(Request(.get, server.url)).body == Array("ok".utf8))
  }

  @Test func `a body is asked for without a coding if libcurl does not know the one it came in`() async throws {
    let packed = gzip(zeros: 5000)
    let first = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, aws-chunked\r\nContent-Length: \(packed.count)\r\n\r\n"
    let server = try RawServer([[.say(Array(first.utf8) + packed), .hangUp], [.say(ok)]])
    #expect(try await transport.send(Request(.get, server.url)).body == Array("ok".utf8))
    #expect(server.heads.map { $0.contains("Accept-Encoding: identity") } == [false, true])
    let stubborn = try RawServer([[.say(Array(first.utf8) + packed), .hangUp], [.say(Array(first.utf8) + packed)]])
    #expect(await fault(Request(.get, stubborn.url)) == .cut(host: "127.0.0.1"))
    #expect(stubborn.heads.count == 2)
    let posted = try RawServer([[.say(Array(first.utf8) + packed), .hangUp], [.say(ok)]])
    #expect(await fault(Request(.post, posted.url)) == .cut(host: "127.0.0.1"))
    #expect(posted.heads.count == 1)
  }

  @Test func `compressed answers come decompressed`() async throws {
    let packed = gzip(zeros: 5000)
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
    let server = try RawServer([[.say(Array(head.utf8) + packed)]])
    #expect(try await transport.send(Request(.get, server.url)).body == [UInt8](repeating: 0, count: 5000))
    #expect(server.heads[0].lowercased().contains("accept-encoding: ") && server.heads[0].contains("gzip"))
  }

  @Test func `a header without end is refused`() async throws {
    let many = (0..<300).map { "X-\($0): y\r\n" }.joined()
    #expect(try await fault(of: "HTTP/1.1 200 OK\r\n\(many)\r\n") == .tooLarge(limit: 65536))
    let long = String(repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 80)
    #expect(try await fault(of: "HTTP/1.1 200 OK\r\n\(long)\r\n") == .tooLarge(limit: 65536))
  }

  /// The errors of a request and of a download of an answer.
  private func faults(of text: String) async throws -> [TransportError?] {
    let server = try RawServer([[.say(Array(text.utf8))], [.say(Array(text.utf8))]])
    let download = await failure { () throws(TransportError) in
      try await transport.download(Request(.get, server.url), TestSink())
    }
    return [await fault(Request(.get, server.url)), download]
  }

  @Test(arguments: ["2\r\nok\r\n", ""]) func `fields after the body count as those before it`(body: String) async throws
  {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)0\r\n"
    let line = "X: \(String(repeating: "y", count: 1000))\r\n"
    #expect(try await faults(of: head + "\(line)\r\n") == [nil, nil])
    let many = String(repeating: line, count: 70)
    #expect(
      try await faults(of: head + "\(many)\r\n") == [.tooLarge(limit: 65536), .tooLarge(limit: 65536)])
  }

  @Test(arguments: ["2\r\nok\r\n", ""]) func `fields after the body are not part of the answer`(body: String)
    async throws
  {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)0\r\nLink: <https://a.example/>\r\n\r\n"
    let server = try RawServer(says: text)
    let answer = try await transport.send(Request(.get, server.url))
    #expect(answer.status == 200)
    #expect(answer.headers.fields.map(\.name) == ["Transfer-Encoding"])
  }

  @Test func `answers before the answer count as its header`() async throws {
    let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
    let end = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    #expect(try await faults(of: hint + hint + end) == [nil, nil])
    let many = String(repeating: hint, count: 65536 / hint.count + 1)
    #expect(try await faults(of: many + end) == [.tooLarge(limit: 65536), .tooLarge(limit: 65536)])
  }

  @Test(arguments: [
    "Content-Encoding: gzip, gzip", "Content-Encoding: gzip\r\nContent-Encoding: gzip",
    "Content-Encoding: gzip\r\nTransfer-Encoding: gzip", "Content-Encoding: gzip\r\nTransfer-Encoding: gzip, identity",
  ]) func `a body that is encoded twice is not decoded`(fields: String) async throws {
    let packed = gzip(zeros: 5000)
    let server = try RawServer([[.say(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8) + packed), .hangUp]])
    #expect(await fault(Request(.get, server.url)) == .cut(host: "127.0.0.1"))
    let early = "HTTP/1.1 103 Early Hints\r\nContent-Encoding: gzip\r\n\r\n"
    let hinting = try RawServer([[.say(Array("\(early)HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8) + packed)]])
    #expect(await fault(Request(.get, hinting.url)) == .cut(host: "127.0.0.1"))
  }

  @Test func `a download's transfer coding is not decoded`() async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"
    let server = try RawServer([[.say(Array(head.utf8) + gzip(zeros: 10 << 20)), .hangUp]])
    let sink = TestSink()
    let error = await failure { () throws(TransportError) in
      try await transport.download(Request(.get, server.url), sink)
    }
    #expect(error == .sink("it comes encoded, which was not asked for"))
    #expect(sink.heads.isEmpty)
  }

  /// Ways to send endless bytes of which none is part of a body.
  static let idle: [(name: String, first: [UInt8], again: [UInt8])] = [
    (
      "a chunk's extension", Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=".utf8), Array("bbbb".utf8)
    ),
    ("empty blocks of deflate", packed("gzip") + [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], [0, 0, 0, 0xFF, 0xFF]),
    ("a name in gzip", packed("gzip") + [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3], Array("name".utf8)),
    ("frames that zstd skips", packed("zstd"), [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 0]),
    ("empty blocks of zstd", packed("zstd") + [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58], [0, 0, 0]),
  ]

  private static func packed(_ coding: String) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n".utf8)
  }

  @Test(arguments: idle.indices) func `endless bytes without a body end when patience does`(number: Int)
    async throws
  {
    await #expect(processExitsWith: .success) { [number] in
      limitMemory()
      try await Self().outlast(number)
    }
  }

  private func outlast(_ number: Int) async throws {
    let (name, first, again) = Self.idle[number]
    let many = Array(repeatElement(again, count: 1000).joined())
    let server = try RawServer([[.pour(first, many)]])
    let error = await fault(Request(.get, server.url, patience: .milliseconds(900)))
    #expect([.timedOut(host: "127.0.0.1"), .endless(host: "127.0.0.1")].contains(error), "\(name)")
  }

  @Test func `a server that does not speak HTTP is told from one that is silent`() async throws {
    let error = try await fault(of: "SSH-2.0-OpenSSH_9.2\r\n")
    #expect(error == .noHTTP(host: "127.0.0.1", reason: "what answers there does not speak HTTP"))
  }

  @Test func `a server that does not speak https is told from one that is not trusted`() async throws {
    try await withOrigin(Script()) { origin in
      let secure = origin.url.replacing("http://", with: "https://")
      #expect(await fault(Request(.get, secure)) == .noTLS(host: "127.0.0.1"))
    }
  }

  @Test func `a proxy without an address is told from a silent server`() async throws {
    let transport = Session(agent: "media/test", environment: ["http_proxy": "http://proxy.invalid:3128"]).transport
    let error = await failure { () throws(TransportError) in try await transport.send(Request(.get, "http://a.example"))
    }
    guard case .noHTTP(host: "a.example", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [Duration.seconds(Int64.max), .zero, .seconds(-1)])
  func `extreme patience does no harm`(patience: Duration) async throws {
    let server = try RawServer([[.say(ok)]])
    let error = await fault(Request(.get, server.url, patience: patience))
    #expect(error == nil || error == .timedOut(host: "127.0.0.1"))
  }

  @Test func `silence ends when patience does`() async throws {
    let server = try RawServer([[.silence]])
    let error = await fault(Request(.get, server.url, patience: .milliseconds(900)))
    #expect(error == .timedOut(host: "127.0.0.1"))
  }

  @Test func `silence in the middle of a body ends when patience does`() async throws {
    let server = try RawServer([[.say(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal".utf8)), .silence]])
    let error = await fault(Request(.get, server.url, patience: .milliseconds(900)))
    #expect(error == .timedOut(host: "127.0.0.1"))
  }

  @Test(arguments: [
    "ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1", "http://", "http://user:word@127.0.0.1/", "", "http://a b/",
    "http://127.0.0.1/\u{0}", "http://127.0.0.1:99999/",
  ])
  func `a URL that is not http or https is refused`(url: String) async {
    #expect(await fault(Request(.get, url)) == .invalidURL)
  }

  @Test func `a line break in a field does not begin another field`() async throws {
    let server = try RawServer(says: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let token = Secret("abc\r\nX-Evil: yes")
    _ = try await transport.send(Request(.get, server.url, headers: ["X-A": "b\nX-Worse: yes"], token: token))
    let lines = server.heads[0].components(separatedBy: "\r\n")
    #expect(lines.contains("Authorization: Bearer abcX-Evil: yes"))
    #expect(lines.contains("X-A: bX-Worse: yes"))
  }
}
