import Foundation
import HTTP
import ScriptedOrigin
import Synchronization
import Testing

/// The error that a call throws; nil if it succeeds.
func failure<Success>(_ body: () async throws(TransportError) -> Success) async -> TransportError? {
  do {
    _ = try await body()
    return nil
  } catch { return error }
}

/// A session without the environment of the process that runs the tests.
func session(_ limits: Session.Limits = .init()) -> Session {
  Session(agent: "media/test (+https://media.example)", limits: limits, environment: [:])
}

@Suite struct TransportTests {
  let session = HTTPTests.session()
  var transport: Transport { session.transport }

  @Test func `an answer comes whole, with status, fields and body`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let answer = try await transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats"))
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
      #expect(answer.url == "\(origin.url)/api/v1/timelines/tag/cats")
      let posts = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
      #expect(posts.map { $0["uri"] as? String } == origin.script.posts.map(\.uri))
      #expect(origin.requests.first?.headers["user-agent"] == "media/test (+https://media.example)")
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `a status is an answer and not an error, its body included`() async throws {
    try await withOrigin(Script()) { origin in
      let answer = try await transport.send(Request(.get, "\(origin.url)/api/v1/nothing"))
      #expect(answer.status == 404)
      #expect(String(decoding: answer.body, as: UTF8.self) == #"{"error":"Record not found"}"#)
    }
  }

  @Test func `a form is posted as a form`() async throws {
    try await withOrigin(Script()) { origin in
      let fields = [("client_name", "a & b=c ü"), ("redirect_uris", "urn:ietf:wg:oauth:2.0:oob")]
      let answer = try await transport.send(.form("\(origin.url)/api/v1/apps", fields))
      #expect(answer.status == 200)
      #expect(origin.requests.first?.form["client_name"] == "a & b=c ü")
      #expect(origin.requests.first?.headers["content-type"] == "application/x-www-form-urlencoded")
    }
  }

  @Test func `a download goes to its sink and not into the answer`() async throws {
    try await withOrigin(Script(posts: 5, padding: 300_000)) { origin in
      let picture = try #require(origin.script.posts.flatMap(\.attachments).first)
      let sink = TestSink()
      let answer = try await transport.download(Request(.get, origin.url + picture.path), sink)
      #expect(answer.status == 200)
      #expect(answer.body.isEmpty)
      #expect(sink.heads == [200])
      #expect(sink.bytes == picture.picture.bytes)
    }
  }

  @Test func `a failed download never touches its sink and explains itself`() async throws {
    try await withOrigin(Script()) { origin in
      let sink = TestSink()
      let answer = try await transport.download(Request(.get, "\(origin.url)/media/1.png"), sink)
      #expect(answer.status == 404)
      #expect(String(decoding: answer.body, as: UTF8.self) == #"{"error":"Not Found"}"#)
      #expect(sink.heads.isEmpty)
    }
  }

  @Test func `an explanation is cut at 64 KB`() async throws {
    let page = String(repeating: "x", count: 200_000)
    let server = try RawServer(says: "HTTP/1.1 503 Busy\r\nContent-Length: 200000\r\n\r\n\(page)")
    let answer = try await transport.download(Request(.get, server.url), TestSink())
    #expect(answer.status == 503)
    #expect(answer.body.count == 65536)
  }

  @Test func `an empty body still begins`() async throws {
    let server = try RawServer(says: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let sink = TestSink()
    let answer = try await transport.download(Request(.get, server.url), sink)
    #expect(answer.status == 200)
    #expect(sink.heads == [200])
    #expect(sink.bytes.isEmpty)
  }

  @Test func `a sink may refuse a body and still gets the answer`() async throws {
    try await withOrigin(Script(troubles: [.every("/", .huge(5_000_000))])) { origin in
      let sink = TestSink(accepts: false)
      let answer = try await transport.download(Request(.get, "\(origin.url)/media/1.png"), sink)
      #expect(answer.status == 200)
      #expect(sink.bytes.isEmpty)
    }
  }

  @Test func `a sink that fails ends the download with its message`() async throws {
    try await withOrigin(Script(troubles: [.every("/", .huge(5_000_000))])) { origin in
      let error = await failure { () throws(TransportError) in
        try await transport.download(Request(.get, origin.url), TestSink(capacity: 100_000))
      }
      #expect(error == .sink("no space left"))
    }
  }

  @Test func `requests have a queue of their own and never wait for downloads`() async throws {
    let server = try RawServer([[.silence]])
    let session = HTTPTests.session(.init(downloads: 1, downloadsPerHost: 1, requests: 1))
    try await withOrigin(Script(posts: 1)) { origin in
      let slow = Task { try await session.transport.download(Request(.get, server.url), TestSink()) }
      let next = Task { try await session.transport.download(Request(.get, server.url), TestSink()) }
      while server.heads.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
      let answer = try await session.transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats"))
      #expect(answer.status == 200)
      #expect(server.connections == 1)
      slow.cancel()
      next.cancel()
      _ = await (slow.result, next.result)
    }
  }

  @Test func `when an answer ends, the next request is sent before another answer is read`() async throws {
    let script = Script(posts: 20, troubles: [.every("/media", .held)])
    let session = HTTPTests.session(.init(downloads: 3))
    let paths = script.posts.flatMap(\.attachments).map(\.path).prefix(5)
    try await withOrigin(script) { origin in
      let begun = Mutex(0)
      let late = Mutex<[Int]>([])
      let sinkBegan: @Sendable () -> Void = {
        let number = begun.withLock { count in
          count += 1
          return count
        }
        // The first one keeps the driver busy until the two other answers have arrived.
        if number == 1 { Thread.sleep(forTimeInterval: 0.2) }
        // One request for each answer that was read before, and the first three.
        let expected = min(5, number + 2)
        let end = ContinuousClock.now + .seconds(20)
        while origin.requests.count < expected, .now < end { Thread.sleep(forTimeInterval: 0.005) }
        if origin.requests.count < expected { late.withLock { $0.append(number) } }
      }
      try await withThrowingTaskGroup(of: Int.self) { group in
        for path in paths {
          let sink = WatchedSink(sinkBegan)
          group.addTask { try await session.transport.download(Request(.get, origin.url + path), sink).status }
        }
        while origin.requests.count < 3 { try await Task.sleep(for: .milliseconds(2)) }
        // libcurl checks a new connection again after 200 ms, and all connections of that age in one call.
        try await Task.sleep(for: .milliseconds(300))
        origin.change { $0.troubles = [] }
        for try await status in group { #expect(status == 200) }
      }
      #expect(late.withLock { $0 } == [])
    }
  }

  @Test func `no more transfers run at once than the limits allow`() async throws {
    var script = Script(posts: 30, troubles: [.every("/media", .slow(.milliseconds(5)))])
    script.mostAtOnce = 3
    let session = HTTPTests.session(.init(downloads: 3))
    let paths = script.posts.flatMap(\.attachments).map(\.path)
    try await withOrigin(script) { origin in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for path in paths {
          group.addTask { try await session.transport.download(Request(.get, origin.url + path), TestSink()).status }
        }
        for try await status in group { #expect(status == 200) }
      }
      #expect(origin.requests.count == paths.count)
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `a request that is no longer wanted when it leaves the queue is never sent`() async throws {
    let server = try RawServer([[.silence]])
    let session = HTTPTests.session(.init(downloads: 1))
    let slow = Task { try await session.transport.download(Request(.get, server.url), TestSink()) }
    while server.heads.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    let isWanted = Mutex(true)
    var request = Request(.get, server.url)
    request.isStillWanted = { isWanted.withLock { $0 } }
    let next = Task { [request] in
      await failure { () throws(TransportError) in try await session.transport.download(request, TestSink()) }
    }
    isWanted.withLock { $0 = false }
    slow.cancel()
    #expect(await next.value == .cancelled)
    #expect(server.heads.count == 1)
    _ = await slow.result
  }

  @Test func `a proxy from the environment is used, except for the hosts that bypass it`() async throws {
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    let proxy = try RawServer([[.say(answer)]])
    let server = try RawServer([[.say(answer)]])
    let environment = ["http_proxy": proxy.url, "no_proxy": "127.0.0.1"]
    let session = Session(agent: "media/test", environment: environment)
    #expect(try await session.transport.send(Request(.get, "http://cats.invalid/a")).status == 200)
    #expect(proxy.heads.first?.hasPrefix("GET http://cats.invalid/a HTTP/1.1\r\n") == true)
    #expect(try await session.transport.send(Request(.get, "\(server.url)/b")).status == 200)
    #expect(server.heads.first?.hasPrefix("GET /b HTTP/1.1\r\n") == true)
  }

  @Test(arguments: ["http_proxy", "all_proxy"])
  func `a dead proxy is named by its variable, and a dead server is not taken for it`(variable: String) async throws {
    let session = Session(
      agent: "media/test", environment: [variable: "http://me:word@127.0.0.1:9", "no_proxy": "localhost"])
    let fault = { (url: String) in
      await failure { () throws(TransportError) in try await session.transport.send(Request(.get, url)) }
    }
    guard case .unreachable("cats.invalid", let reason) = await fault("http://cats.invalid/a") else {
      Issue.record("no such error")
      return
    }
    #expect(reason == "the proxy in \(variable) cannot be reached: Connection refused")
    let direct = await fault("http://localhost:1/")
    #expect(direct == .unreachable(host: "localhost", reason: "Connection refused"))
  }

  @Test func `connections are kept and used again`() async throws {
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    let server = try RawServer([[.say(answer), .say(answer), .say(answer)]])
    for _ in 0..<3 { #expect(try await transport.send(Request(.get, server.url)).body == Array("ok".utf8)) }
    #expect(server.connections == 1)
  }
}
