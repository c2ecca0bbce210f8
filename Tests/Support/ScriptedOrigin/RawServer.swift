import Foundation
import Synchronization

/// A server that may break HTTP: it sends exactly these bytes, and may close at any time.
public final class RawServer: Sendable {
  /// The actions of one connection.
  public enum Act: Sendable {
    /// Reads a request's head, then sends this.
    case say([UInt8])
    /// Reads a request's head, then sends this, and one `x` every 20 ms until the client closes.
    case drip([UInt8])
    /// Reads a request's head, then sends the first, and the second repeatedly until the client closes.
    case pour([UInt8], [UInt8])
    /// Reads a request's head, sends what is made of it, and keeps what comes until the client closes.
    case answer(@Sendable (_ head: String) -> [UInt8])
    /// Reads a request's head, then sends nothing while the server lives.
    case silence
    /// Reads a request's head, then resets the connection.
    case reset
    /// Reads a request's head, then closes the connection.
    case hangUp
  }

  /// `http://127.0.0.1:PORT`.
  public let url: String
  private let listener: Int32
  private let acts: [[Act]]
  private let state = Mutex((heads: [String](), open: [Int32](), connections: 0, rests: [Int: [UInt8]]()))

  /// Each connection runs one script and is then closed; later connections are closed at once.
  public init(_ acts: [[Act]]) throws {
    let (listener, port) = try Self.listen()
    (self.acts, self.listener, url) = (acts, listener, "http://127.0.0.1:\(port)")
    Thread.detachNewThread { [weak self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 { self?.take(connection) }
    }
  }

  deinit {
    _ = Glibc.shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// One connection that sends this once.
  public convenience init(says text: String) throws { try self.init([[.say(Array(text.utf8))]]) }

  /// The heads of the requests in order of arrival.
  public var heads: [String] { state.withLock(\.heads) }

  /// Number of connections.
  public var connections: Int { state.withLock(\.connections) }

  /// What a connection said behind its request, once it is so many bytes.
  public func rest(of connection: Int, until count: Int) -> [UInt8] {
    while true {
      let rest = state.withLock { $0.rests[connection] ?? [] }
      if rest.count >= count { return rest }
      usleep(2_000)
    }
  }

  /// Ends the silent connections.
  public func stop() {
    _ = Glibc.shutdown(listener, Int32(SHUT_RDWR))
    state.withLock { $0.open.forEach { _ = Glibc.shutdown($0, Int32(SHUT_RDWR)) } }
  }

  private static func listen() throws -> (listener: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && Glibc.listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard listening else { throw POSIXError(.EADDRINUSE) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private func take(_ connection: Int32) {
    let number = state.withLock { state in
      state.connections += 1
      return state.connections - 1
    }
    let script = number < acts.count ? acts[number] : []
    Thread.detachNewThread { self.play(script, connection, number) }
  }

  private func play(_ script: [Act], _ connection: Int32, _ number: Int) {
    defer { close(connection) }
    state.withLock { $0.open.append(connection) }
    defer { state.withLock { $0.open.removeAll { $0 == connection } } }
    for act in script {
      guard let head = readHead(connection) else { return }
      state.withLock { $0.heads.append(head) }
      switch act {
      case .say(let bytes): guard write(bytes, to: connection) else { return }
      case .drip(let bytes):
        guard write(bytes, to: connection) else { return }
        while write([UInt8(ascii: "x")], to: connection) { usleep(20_000) }
        return
      case .pour(let bytes, let more):
        guard write(bytes, to: connection) else { return }
        while write(more, to: connection) {}
        return
      case .answer(let make):
        guard write(make(head), to: connection) else { return }
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) == 1 {
          state.withLock { $0.rests[number, default: []].append(byte) }
        }
        return
      case .silence: _ = readHead(connection)
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        return
      case .hangUp: return
      }
    }
  }

  private func readHead(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }
}
