import Foundation
import Testing

/// A connection that sends exactly what it is told: libraries tidy requests up. It blocks its thread, which must not be
/// one of those that tasks share: the server needs them.
final class RawSocket: Sendable {
  private let file: Int32

  struct Failure: Error { let code: Int32 }

  /// - Parameter source: The address at this end; nil for the one that the system chooses.
  init(port: Int, address: String = "127.0.0.1", from source: String? = nil) throws {
    file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // Only a test that fails waits so long. A busy machine answers after minutes.
    var limit = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let file = file
    if let source { Self.with(source, 0) { _ = bind(file, $0, $1) } }
    let code = Self.with(address, port) { connect(file, $0, $1) }
    guard code == 0 else {
      let failure = Failure(code: errno)
      close(file)
      throw failure
    }
  }

  private static func with<Value>(
    _ address: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    var end = sockaddr_in()
    end.sin_family = sa_family_t(AF_INET)
    end.sin_port = UInt16(port).bigEndian
    end.sin_addr.s_addr = inet_addr(address)
    return withUnsafePointer(to: &end) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { close(file) }

  /// Sends bytes. A server that has closed the connection gets only the first of them.
  func send(_ bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func endSending() { shutdown(file, Int32(SHUT_WR)) }

  /// Reads to the end of the connection, or until `isEnough`.
  func read(until isEnough: ([UInt8]) -> Bool = { _ in false }) throws -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while !isEnough(all) {
      let count = recv(file, &chunk, chunk.count, 0)
      if count < 0, errno == ECONNRESET { return all }
      guard count >= 0 else { throw Failure(code: errno) }
      guard count > 0 else { return all }
      all += chunk[..<count]
    }
    return all
  }

  /// Sends bytes, ends the sending side, and reads to the end; to the head alone of a stream of events, which has no end.
  static func exchange(_ bytes: [UInt8], port: Int) throws -> RawAnswer {
    let socket = try RawSocket(port: port)
    socket.send(bytes)
    socket.endSending()
    return RawAnswer(
      try socket.read { String(decoding: $0.prefix(4_096), as: UTF8.self).contains("text/event-stream") })
  }
}

/// What a server sent: one answer, or several.
struct RawAnswer: Sendable {
  let text: String

  init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

  /// The statuses of all answers.
  var statuses: [Int] {
    text.matches(of: #/HTTP/1\.[01] ([0-9]{3}) /#).compactMap { Int($0.1) }
  }
  /// The status of the first answer; 0 if there is none.
  var status: Int { statuses.first ?? 0 }

  private var parts: [String] { text.components(separatedBy: "\r\n\r\n") }
  var body: String { parts.dropFirst().joined(separator: "\r\n\r\n") }

  /// A field of the first answer.
  subscript(name: String) -> String? {
    let lines = parts[0].components(separatedBy: "\r\n").dropFirst()
    return lines.first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }

  var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:] }
}
