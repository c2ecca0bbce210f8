import Foundation
import ScriptedOrigin
import Synchronization
import Testing

@testable import HTTP

/// Servers that send a byte now and then: never silent and never done.
@Suite(.timeLimit(.minutes(10))) struct PaceTests {
  private let endless = Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8)

  private func fault(_ pace: MinimumThroughput, _ request: Request, into sink: TestSink = TestSink()) async
    -> TransportError?
  {
    let session = HTTPTests.session(.init(pace: pace))
    return await failure { () throws(TransportError) in try await session.transport.download(request, sink) }
  }

  @Test func `a request ends at its time limit, although bytes still arrive`() async throws {
    let server = try RawServer([[.drip(endless)]])
    let error = await failure { () throws(TransportError) in
      try await session().transport.send(Request(.get, server.url, time: .milliseconds(300)))
    }
    #expect(error == .timedOut(host: "127.0.0.1"))
  }

  @Test func `a slow header does not extend the time limit`() async throws {
    let server = try RawServer([[.drip(Array("HTTP/1.1 200 OK\r\nX-Long: ".utf8))]])
    let error = await failure { () throws(TransportError) in
      try await session().transport.send(Request(.get, server.url, time: .milliseconds(300)))
    }
    #expect(error == .timedOut(host: "127.0.0.1"))
  }

  @Test func `the time limit of a request covers all its hops`() async throws {
    let away = Array("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n".utf8)
    let server = try RawServer([[.say(away), .drip(endless)]])
    let error = await failure { () throws(TransportError) in
      try await session().transport.send(Request(.get, server.url, time: .milliseconds(300)))
    }
    #expect(error == .timedOut(host: "127.0.0.1"))
    #expect(server.heads.count == 2)
  }

  @Test func `a slow download ends by its pace, and the time limit of requests does not apply to it`() async throws {
    let server = try RawServer([[.drip(endless)]])
    let request = Request(.get, server.url, time: .milliseconds(1))
    let sink = TestSink()
    let error = await fault(MinimumThroughput(bytes: 5000, interval: .milliseconds(500)), request, into: sink)
    #expect(error == .timedOut(host: "127.0.0.1"))
    #expect(!sink.bytes.isEmpty)
  }

  @Test func `a download with a time limit ends at it, however fast it is`() async throws {
    let server = try RawServer([[.drip(endless)]])
    var request = Request(.get, server.url)
    request.downloadTime = .milliseconds(300)
    let sink = TestSink()
    #expect(
      await fault(MinimumThroughput(bytes: 1, interval: .seconds(60)), request, into: sink)
        == .timedOut(host: "127.0.0.1"))
    #expect(!sink.bytes.isEmpty)
  }

  @Test func `a slow body that explains a failure ends as well`() async throws {
    let server = try RawServer([[.drip(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 60000\r\n\r\n".utf8))]])
    let error = await fault(MinimumThroughput(bytes: 5000, interval: .milliseconds(300)), Request(.get, server.url))
    #expect(error == .timedOut(host: "127.0.0.1"))
  }

  @Test func `a picture smaller than the minimum of an interval is complete`() async throws {
    let server = try RawServer(says: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    #expect(await fault(.slowest, Request(.get, server.url)) == nil)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1)])
  func `extreme durations do no harm`(time: Duration) async throws {
    let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    let server = try RawServer([[.say(ok)], [.say(ok)]])
    let late = TransportError.timedOut(host: "127.0.0.1")
    let download = await fault(MinimumThroughput(bytes: .min, interval: time), Request(.get, server.url))
    #expect(download == nil || download == late)
    let request = await failure { () throws(TransportError) in
      try await session().transport.send(Request(.get, server.url, time: time))
    }
    #expect(request == nil || request == late)
  }

  /// A sink that takes longer for its first bytes than an interval lasts.
  private final class SlowSink: ByteSink {
    private let isAwake = Mutex(false)
    func begin(_ head: Response) -> Bool { true }
    func write(_ bytes: UnsafeRawBufferPointer) throws {
      isAwake.withLock { isAwake in
        if !isAwake { usleep(2_200_000) }
        isAwake = true
      }
    }
  }

  @Test func `time that the program itself took does not count against a server`() async throws {
    let body = [UInt8](repeating: 0, count: 9_000_000)
    let server = try RawServer([[.say(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)]])
    let session = HTTPTests.session(.init(pace: MinimumThroughput(bytes: 8_000_000, interval: .seconds(2))))
    #expect(try await session.transport.download(Request(.get, server.url), SlowSink()).status == 200)
  }

  // The rule itself, with a fixed clock.

  private let start = ContinuousClock.now
  private let pace = MinimumThroughput(bytes: 100, interval: .seconds(60))

  @Test func `an interval ends when enough bytes have arrived, and the next begins`() {
    var keeper = ThroughputMonitor(pace, from: start)
    keeper.record(99, at: start + .seconds(59))
    #expect(keeper.deadline == start + .seconds(60))
    keeper.record(1, at: start + .seconds(59))
    #expect(keeper.deadline == start + .seconds(119))
  }

  @Test func `surplus bytes of an interval do not count for the next`() {
    var keeper = ThroughputMonitor(pace, from: start)
    keeper.record(10_000, at: start + .seconds(1))
    keeper.record(99, at: start + .seconds(60))
    #expect(keeper.deadline == start + .seconds(61))
  }

  @Test func `a pause of the program moves the deadline`() {
    var keeper = ThroughputMonitor(pace, from: start)
    keeper.excludePause(.seconds(300))
    #expect(keeper.deadline == start + .seconds(360))
  }

  @Test func `the default pace is thirty kilobytes a minute`() {
    #expect((MinimumThroughput.slowest.bytes, MinimumThroughput.slowest.interval) == (30 << 10, .seconds(60)))
    #expect(Session.Limits().pace.bytes == MinimumThroughput.slowest.bytes)
    #expect(Request(.get, "").time == .seconds(120))
  }
}
