import Foundation
import HTTP
import ScriptedOrigin
import Synchronization
import Testing

/// A clock that advances only by waiting.
final class MadeUpClock: Sendable {
  private let state = Mutex((now: noon, waits: [Duration]()))

  var waits: [Duration] { state.withLock(\.waits) }

  var timekeeper: TimeSource {
    TimeSource(
      now: { self.state.withLock(\.now) },
      sleep: { wait in
        try Task.checkCancellation()
        self.state.withLock {
          $0.waits.append(wait)
          $0.now += Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18
        }
      }, chance: { 0 })
  }
}

@Suite struct PatienceTests {
  private let clock = MadeUpClock()
  private let notices = Notices()

  private final class Notices: Sendable {
    private let all = Mutex([WaitNotice]())
    var list: [WaitNotice] { all.withLock { $0 } }
    func add(_ notice: WaitNotice) { all.withLock { $0.append(notice) } }
  }

  private var transport: Transport {
    session().transport.patient(time: clock.timekeeper) { [notices] in notices.add($0) }
  }

  private func script(_ trouble: Trouble) -> Script {
    var script = Script(posts: 1, troubles: [trouble])
    script.judgesWaits = false
    return script
  }

  @Test func `a rate limit is waited out and reported`() async throws {
    let trouble = Trouble.first(1, "/api", .status(429, headers: ["Retry-After": "125"]))
    try await withOrigin(script(trouble)) { origin in
      let answer = try await transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats"))
      #expect(answer.status == 200)
      #expect(clock.waits == [.seconds(125)])
      let notice = WaitNotice(
        host: "127.0.0.1", until: noon.addingTimeInterval(125), asked: true, status: 429, nextTry: 2)
      #expect(notices.list == [notice])
    }
  }

  @Test(arguments: [429, 503])
  func `what is to be tried once is not tried again`(status: Int) async throws {
    let trouble = Trouble.every("/api", .status(status, headers: ["Retry-After": "5"]))
    try await withOrigin(script(trouble)) { origin in
      var request = Request(.get, "\(origin.url)/api/v1/timelines/tag/cats")
      request.isTriedOnce = true
      let answer = try await transport.send(request)
      #expect(answer.status == status)
      #expect(origin.requests.count == 1 && clock.waits.isEmpty)
    }
  }

  @Test func `a rate limit beyond patience is returned with its time`() async throws {
    let trouble = Trouble.every("/api", .status(429, headers: ["Retry-After": "900"]))
    try await withOrigin(script(trouble)) { origin in
      let answer = try await transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats"))
      #expect(answer.status == 429)
      #expect(RateLimit(headers: answer.headers, now: noon).resetsAt == noon.addingTimeInterval(900))
      #expect(origin.requests.count == 1)
      #expect(notices.list.isEmpty)
    }
  }

  /// A transport that holds a request back a number of times before it is sent, for a number of seconds each time.
  private func holding(_ times: Int, for seconds: Double, then statuses: [Int]) -> Transport {
    let (held, answered, clock) = (Counter(), Counter(), clock.timekeeper)
    return Transport(
      send: { _ throws(TransportError) in
        let now = clock.now()
        if held.next() < times {
          throw .rateLimited(host: "a", until: now.addingTimeInterval(seconds), asked: now)
        }
        return Response(status: statuses[answered.next()])
      }, download: { _, _ throws(TransportError) in throw .cancelled })
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock { number in
        defer { number += 1 }
        return number
      }
    }
  }

  @Test func `a hold-back does not count as a try, and its end is reported`() async throws {
    let transport = holding(2, for: 100, then: [500, 500, 500, 200])
      .patient(time: clock.timekeeper) { [notices] in notices.add($0) }
    #expect(try await transport.send(Request(.get, "https://a/")).status == 200)
    #expect(clock.waits.prefix(2) == [.seconds(100), .seconds(100)])
    #expect(
      notices.list.first
        == WaitNotice(host: "a", until: noon.addingTimeInterval(100), asked: true, status: nil, nextTry: 1))
    #expect(notices.list.map(\.asked) == [true, true, false, false, false])
  }

  @Test func `a short hold-back is not reported, and one beyond patience is not waited for`() async throws {
    let short = holding(3, for: 0.25, then: [200])
      .patient(time: clock.timekeeper) { [notices] in notices.add($0) }
    #expect(try await short.send(Request(.get, "https://a/")).status == 200)
    #expect(notices.list.isEmpty)
    #expect(clock.waits == Array(repeating: .milliseconds(250), count: 3))
    let now = clock.timekeeper.now()
    let long = holding(1, for: 900, then: [200]).patient(time: clock.timekeeper)
    let error = await failure { () throws(TransportError) in try await long.send(Request(.get, "https://a/")) }
    #expect(error == .rateLimited(host: "a", until: now.addingTimeInterval(900), asked: now))
    #expect(clock.waits.count == 3)
  }

  @Test func `a server that keeps failing is asked four times`() async throws {
    try await withOrigin(script(.every("/api", .status(503, body: "<html>")))) { origin in
      let answer = try await transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats"))
      #expect(answer.status == 503)
      #expect(origin.requests.count == 4)
      #expect(clock.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
      #expect(notices.list.map(\.asked) == [false, false, false])
    }
  }

  @Test func `a truncated download starts again and completes`() async throws {
    var script = Script(posts: 5, padding: 50_000, troubles: [.first(2, "/media", .cut(after: 30_000))])
    script.judgesWaits = false
    try await withOrigin(script) { [script] origin in
      let picture = try #require(script.posts.flatMap(\.attachments).first)
      let sink = TestSink()
      let answer = try await transport.download(Request(.get, origin.url + picture.path), sink)
      #expect(answer.status == 200)
      #expect(sink.heads == [200, 200, 200])
      #expect(sink.bytes == picture.picture.bytes)
    }
  }

  @Test func `a connection closed without an answer is tried again`() async throws {
    try await withOrigin(script(.first(1, "/api", .closed))) { origin in
      let answer = try await transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats"))
      #expect(answer.status == 200)
      #expect(origin.requests.count == 2)
    }
  }

  @Test func `a cancelled wait throws cancelled`() async throws {
    try await withOrigin(script(.every("/api", .status(503)))) { origin in
      let transport = session().transport.patient(time: .system)
      let task = Task {
        await failure { () throws(TransportError) in
          try await transport.send(Request(.get, "\(origin.url)/api/v1/timelines/tag/cats"))
        }
      }
      while origin.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
      task.cancel()
      #expect(await task.value == .cancelled)
    }
  }

  @Test func `a POST that only reads is sent again after its connection broke, another one is not`() async throws {
    let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    for isSafe in [true, false] {
      let server = try RawServer([[.reset], [.say(ok)]])
      let patient = Session(agent: "test", environment: [:]).transport
        .patient(time: TimeSource(now: { noon }, sleep: { _ in }, chance: { 0 }))
      var request = Request(.post, server.url, body: [])
      request.isSafePost = isSafe
      let answer = try? await patient.send(request)
      #expect((answer?.status == 200) == isSafe)
      #expect(server.heads.count == (isSafe ? 2 : 1))
    }
  }
}
