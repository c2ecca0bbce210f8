import Foundation
import ScriptedOrigin
import Testing

@testable import HTTP

struct WebSocketFramesTests {
  private static func frame(_ operation: UInt8, _ payload: [UInt8], isLast: Bool = true) -> [UInt8] {
    WebSocketBytes.frame(operation, payload, isLast: isLast)
  }

  private static func text(_ text: String, isLast: Bool = true) -> [UInt8] {
    frame(1, Array(text.utf8), isLast: isLast)
  }

  /// All messages of some bytes, which arrive in parts of this size.
  private func messages(_ bytes: [UInt8], by size: Int, limit: Int = 1 << 20) throws -> [WebSocketFrames.Message] {
    var (frames, messages) = (WebSocketFrames(limit: limit), [WebSocketFrames.Message]())
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { frames.append($0) }
      while let message = try frames.next() { messages.append(message) }
    }
    return messages
  }

  @Test(arguments: [1, 2, 7, 1 << 20]) func `messages are the same however they arrive`(size: Int) throws {
    let long = [UInt8](repeating: 0x61, count: 70_000)
    let bytes =
      Self.text("one") + Self.frame(9, [1, 2]) + Self.text("t", isLast: false) + Self.frame(10, []) + Self.frame(9, [])
      + Self.frame(0, Array("w".utf8), isLast: false) + Self.frame(0, Array("o".utf8)) + Self.frame(2, [0, 255])
      + Self.frame(1, long) + Self.frame(1, []) + Self.frame(8, [0x03, 0xE8])
    #expect(
      try messages(bytes, by: size) == [
        .text(Array("one".utf8)), .ping([1, 2]), .ping([]), .text(Array("two".utf8)), .text(long), .text([]),
        .close(1000),
      ])
  }

  @Test(arguments: [
    ([0x81, 0x81, 1, 2, 3, 4, 0x60], "a frame is masked"),
    ([0xC1, 0x00], "a frame uses an extension that was not asked for"),
    ([0x83, 0x00], "a frame is of an unknown kind"), ([0x80, 0x00], "a message begins with its continuation"),
    ([0x01, 0x00, 0x81, 0x00], "a message begins within another one"),
    ([0x01, 0x00, 0x00, 0x00], "a message has an empty part"),
    ([0x09, 0x00], "a control frame is too long or in parts"),
    ([0x89, 126, 0, 126], "a control frame is too long or in parts"),
    ([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], "a frame has a negative length"),
    ([0x81, 127, 0, 0, 0, 0, 0, 0x10, 0, 1], "a message is longer than 1024 KB"),
    ([0x81, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255], "a message is longer than 1024 KB"),
  ])
  func `what breaks the protocol is refused before it is read`(bytes: [UInt8], reason: String) throws {
    #expect(throws: WebSocketFrames.Fault(reason: reason)) { try messages(bytes, by: 3) }
  }

  @Test func `a message in endless parts has an end`() throws {
    let part = Self.frame(0, [UInt8](repeating: 0x61, count: 60), isLast: false)
    #expect(throws: WebSocketFrames.Fault(reason: "a message is longer than 0 KB")) {
      try messages(Self.text("a", isLast: false) + part + part, by: 500, limit: 100)
    }
  }

  /// RFC 6455, 5.7: a masked text with these bytes.
  @Test func `a client's frame is masked`() {
    #expect(
      WebSocketFrames.frame(1, Array("Hello".utf8), mask: [0x37, 0xFA, 0x21, 0x3D])
        == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
  }
}

@Suite(.ceiling) struct WebSocketTests {
  let session = HTTPTests.session()

  private func open(_ server: RawServer) throws(WebSocketError) -> WebSocket {
    try session.webSocket(Request(.get, "\(server.url)/subscribe?cursor=1#x", patience: .seconds(20)))
  }

  private func text(_ event: WebSocket.Event) -> String? {
    if case .text(let bytes) = event { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// RFC 6455, 1.3.
  @Test func `the hash is that of the RFC`() {
    let key = Array("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    #expect(Digest.base64(Digest.sha1(key)) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func `texts come, pings are answered, and the end is told`() throws {
    let frames =
      WebSocketBytes.frame(1, Array("one".utf8)) + WebSocketBytes.frame(9, Array("are you there".utf8))
      + WebSocketBytes.frame(1, Array("two".utf8)) + WebSocketBytes.frame(8, [0x03, 0xE8])
    let server = try RawServer([[.answer { WebSocketBytes.upgraded($0, frames) }]])
    let socket = try open(server)
    #expect(text(try socket.next(within: .seconds(20))) == "one")
    #expect(text(try socket.next(within: .seconds(20))) == "two")
    guard case .ended = try socket.next(within: .seconds(20)) else { return #expect(Bool(false)) }
    #expect(server.heads.first?.hasPrefix("GET /subscribe?cursor=1 HTTP/1.1\r\nHost: 127.0.0.1:") == true)
    let said = server.rest(of: 0, until: 19 + 8)
    // A pong and a close, each masked.
    #expect(said.prefix(2) == [0x8A, 0x80 | 13] && said.dropFirst(19).prefix(2) == [0x88, 0x82])
    let mask = Array(said[2..<6])
    #expect(String(decoding: said[6..<19].enumerated().map { $1 ^ mask[$0 % 4] }, as: UTF8.self) == "are you there")
  }

  @Test func `a server that says nothing is waited for no longer than asked`() throws {
    let server = try RawServer([[.answer { WebSocketBytes.upgraded($0, []) }]])
    let socket = try open(server)
    guard case .silence = try socket.next(within: .milliseconds(20)) else { return #expect(Bool(false)) }
  }

  @Test func `a server that pours what is no text is waited for no longer than asked`() throws {
    for frame in [WebSocketBytes.frame(10, [1, 2, 3]), WebSocketBytes.frame(2, [1, 2, 3])] {
      let flood = [[UInt8]](repeating: frame, count: 4_000_000).flatMap(\.self)
      let server = try RawServer([[.answer { WebSocketBytes.upgraded($0, flood) }]])
      let socket = try open(server)
      guard case .silence = try socket.next(within: .milliseconds(1)) else { return #expect(Bool(false)) }
      #expect(socket.received < flood.count)
    }
  }

  @Test func `a server that hangs up instead of an answer has cut the connection`() throws {
    let server = try RawServer([[.hangUp]])
    #expect(throws: WebSocketError.transport(.cut(host: "127.0.0.1"))) { try open(server) }
    server.stop()
  }

  @Test func `a connection that breaks ends it`() throws {
    let server = try RawServer([[.say(Array("HTTP/1.1 101 X\r\n".utf8))]])
    #expect(throws: WebSocketError.self) { try open(server) }
    server.stop()
    #expect(throws: WebSocketError.self) { try open(server) }
  }

  @Test(arguments: [
    ("HTTP/1.1 403 Forbidden\r\n\r\n", WebSocketError.refused(host: "127.0.0.1", status: 403)),
    ("HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n", .refused(host: "127.0.0.1", status: 302)),
    ("HTTP/1.1 200 OK\r\n\r\nhello", .refused(host: "127.0.0.1", status: 200)),
    ("SSH-2.0-OpenSSH\r\n\r\n", .transport(.noHTTP(host: "127.0.0.1", reason: "it does not answer in HTTP"))),
  ])
  func `a server that answers otherwise is refused`(answer: String, error: WebSocketError) throws {
    let server = try RawServer(says: answer)
    #expect(throws: error) { try open(server) }
  }

  @Test func `a handshake that does not fit is refused`() throws {
    for (accept, more) in [("AAAA", ""), (nil, "Sec-WebSocket-Extensions: permessage-deflate\r\n")] {
      let server = try RawServer([[.answer { WebSocketBytes.upgraded($0, [], accept: accept, more: more) }]])
      #expect(throws: WebSocketError.broken(host: "127.0.0.1", "its handshake does not fit")) { try open(server) }
    }
    let endless = try RawServer([[.pour(Array("HTTP/1.1 101 X\r\n".utf8), Array("X-More: aaaaaaaaaaaaaa\r\n".utf8))]])
    #expect(throws: WebSocketError.broken(host: "127.0.0.1", "its answer does not end")) { try open(endless) }
  }

  @Test func `a masked frame and a huge one break it`() throws {
    for frames in [[0x81, 0x81, 1, 2, 3, 4, 0x60], [0x82, 127, 0, 0, 1, 0, 0, 0, 0, 0]] as [[UInt8]] {
      let server = try RawServer([[.answer { WebSocketBytes.upgraded($0, frames) }]])
      let socket = try open(server)
      #expect(throws: WebSocketError.self) { try socket.next(within: .seconds(20)) }
    }
  }
}
