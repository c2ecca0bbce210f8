import Foundation
import HTTP
import ScriptedOrigin
import Testing

/// Servers that send without end what ends nothing: empty frames, questions, promises of more.
@Suite(.timeLimit(.minutes(2)), .ceiling) struct FloodTests {
  /// What is sent after the head of an answer, again and again; libcurl reads it within one call.
  enum Flood: String, CaseIterable, Codable {
    case data, padding, ping, pong, settings, window, priority, unknown

    var frame: [UInt8] {
      switch self {
      case .data: HTTP2Frame.bytes(.data)
      case .padding: HTTP2Frame.bytes(.data, flags: 8, [255] + [UInt8](repeating: 0, count: 255))
      case .ping: HTTP2Frame.bytes(.ping, [UInt8](repeating: 1, count: 8))
      case .pong: HTTP2Frame.bytes(.ping, flags: 1, [UInt8](repeating: 1, count: 8))
      case .settings: HTTP2Frame.bytes(.settings)
      case .window: HTTP2Frame.bytes(.window, [0, 0, 0, 1])
      case .priority: HTTP2Frame.bytes(.priority, [0, 0, 0, 0, 1])
      case .unknown: HTTP2Frame.bytes(.unknown)
      }
    }
  }

  private func session(_ server: HTTP2Server) -> Session {
    Session(agent: "media/test", environment: ["SSL_CERT_FILE": server.authority])
  }

  private func request(_ server: HTTP2Server) -> Request {
    Request(.get, server.url, patience: .seconds(5), time: .seconds(20))
  }

  @Test(arguments: Flood.allCases) func `a flood of frames ends, and a request beside it succeeds`(flood: Flood)
    async throws
  {
    await #expect(processExitsWith: .success) { [flood] in
      limitMemory()
      try await Self().outlast(flood)
    }
  }

  private func outlast(_ flood: Flood) async throws {
    let server = try HTTP2Server(says: HTTP2Frame.ok, andAgain: HTTP2Frame.many(flood.frame))
    let session = session(server)
    let flooded = Task {
      await failure { () throws(TransportError) in try await session.transport.send(request(server)) }
    }
    while server.requests == 0 { try await Task.sleep(for: .milliseconds(2)) }
    let good = try RawServer(says: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    #expect(try await session.transport.send(Request(.get, good.url)).body == Array("ok".utf8))
    let error = await flooded.value
    switch (flood, error) {
    // libcurl itself limits the frames that it would have to acknowledge.
    case (.ping, .cut), (.ping, .unreachable), (.ping, .timedOut), (.settings, .cut), (.settings, .unreachable): break
    // How much of it libcurl tells before the time is over depends on the machine.
    case (.pong, .endless), (.pong, .timedOut), (.padding, .endless), (.padding, .timedOut): break
    default: #expect(error == .endless(host: "127.0.0.1"))
    }
    await session.shutdown()
  }

  @Test func `endless headers are refused, however they are split`() async throws {
    await #expect(processExitsWith: .success) {
      limitMemory()
      try await Self().refuseHeaders()
    }
  }

  private func refuseHeaders() async throws {
    let hint = HTTP2Frame.bytes(.headers, flags: 4, [8, 3] + Array("103".utf8))
    let piece = HTTP2Frame.bytes(.continuation, [0, 1, 0x61, 127, 0xE1, 6] + [UInt8](repeating: 0x62, count: 992))
    let trailer = HTTP2Frame.bytes(.headers, flags: 4, [0, 1, 0x61, 1, 0x62])
    let open = HTTP2Frame.bytes(.headers, [0x88])
    for (first, again) in [
      ([], hint), (open, piece), (open, HTTP2Frame.bytes(.continuation)), (HTTP2Frame.ok, trailer),
    ] {
      let server = try HTTP2Server(says: first, andAgain: HTTP2Frame.many(again))
      let error = await failure { () throws(TransportError) in
        try await session(server).transport.send(request(server))
      }
      #expect(error != nil)
    }
  }

  @Test func `endless fields behind an answer end, as often as it is asked for`() async throws {
    let trailer = HTTP2Frame.bytes(.headers, flags: 4, [0, 1, 0x61, 1, 0x62])
    let server = try HTTP2Server(
      says: HTTP2Frame.ok + HTTP2Frame.bytes(.data, Array("ok".utf8)), andAgain: HTTP2Frame.many(trailer))
    let transport = session(server).transport.patient(time: .system)
    let error = await failure { () throws(TransportError) in try await transport.send(request(server)) }
    // libcurl may notice that these fields end nothing before it has read for too long: then the answer is only cut.
    #expect(error == .endless(host: "127.0.0.1") || error == .cut(host: "127.0.0.1"))
    #expect(server.requests <= RetryPolicy().tries)
  }

  @Test func `a body of the smallest frames ends at its limit`() async throws {
    let server = try HTTP2Server(
      says: HTTP2Frame.ok, andAgain: HTTP2Frame.many(HTTP2Frame.bytes(.data, [0x20])))
    var request = request(server)
    request.limit = 1 << 16
    let error = await failure { () throws(TransportError) in try await session(server).transport.send(request) }
    #expect(error == .tooLarge(limit: 1 << 16))
  }

  @Test func `a download in a flood can be cancelled, and a session be shut down`() async throws {
    let server = try HTTP2Server(says: HTTP2Frame.ok, andAgain: HTTP2Frame.many(Flood.data.frame))
    let session = session(server)
    let task = Task {
      await failure { () throws(TransportError) in
        try await session.transport.download(request(server), TestSink())
      }
    }
    while server.poured == 0 { try await Task.sleep(for: .milliseconds(2)) }
    task.cancel()
    await session.shutdown()
    #expect([.cancelled, .endless(host: "127.0.0.1")].contains(await task.value))
  }

  @Test func `requests that share the connection of a flood fail, and the next connection works`() async throws {
    let server = try HTTP2Server(says: HTTP2Frame.ok, andAgain: HTTP2Frame.many(Flood.data.frame))
    let session = session(server)
    await withTaskGroup(of: TransportError?.self) { group in
      for _ in 0..<6 {
        group.addTask {
          await failure { () throws(TransportError) in
            try await session.transport.download(request(server), TestSink())
          }
        }
      }
      for await error in group { #expect(error == .endless(host: "127.0.0.1")) }
    }
    let good = try RawServer(says: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    #expect(try await session.transport.send(Request(.get, good.url)).body == Array("ok".utf8))
  }

  @Test func `an answer over HTTP/2 is complete, without the fields after it`() async throws {
    let body = HTTP2Frame.bytes(.data, Array("ok".utf8))
    let trailers = HTTP2Frame.bytes(.headers, flags: 5, [0, 1, 0x61, 1, 0x62])
    let server = try HTTP2Server(says: HTTP2Frame.ok + body + trailers)
    let answer = try await session(server).transport.send(request(server))
    #expect(answer.body == Array("ok".utf8))
    #expect(answer.headers.fields.isEmpty)
  }
}
