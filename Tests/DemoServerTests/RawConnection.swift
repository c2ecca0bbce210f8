import Foundation
import Testing

/// A connection to a demo that sends exactly what it is told: libraries tidy requests up.
final class RawConnection: Sendable {
  private let file: Int32

  struct Failure: Error { let code: Int32 }

  init(to client: Client) throws {
    let port = try #require(URL(string: client.base)?.port)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.file = file
    // Only a test that fails waits so long.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure(code: errno) }
  }

  deinit { close(file) }

  func say(_ text: String) {
    let count = send(file, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    #expect(count == text.utf8.count)
  }

  /// What comes next; nothing at the end. It waits on a thread that tasks do not share: the demo needs those.
  func next() async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(self.file, &chunk, chunk.count, 0)
        if count < 0 {
          continuation.resume(throwing: Failure(code: errno))
        } else {
          continuation.resume(returning: Array(chunk.prefix(count)))
        }
      }
    }
  }

  /// All that comes until the demo ends the connection.
  func rest() async throws -> String {
    var all: [UInt8] = []
    var part = try await next()
    while !part.isEmpty {
      all += part
      part = try await next()
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// A request for the stream.
  static func handshake(_ fields: String = "", connection: String = "Upgrade") -> String {
    "GET /subscribe HTTP/1.1\r\nHost: demo.example\r\nUpgrade: websocket\r\nConnection: \(connection)\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(fields)\r\n"
  }
}
