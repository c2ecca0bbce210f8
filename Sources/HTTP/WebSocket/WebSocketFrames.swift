/// Why a WebSocket ended.
public enum WebSocketError: Error, Equatable {
  /// The connection was not made, or broke.
  case transport(TransportError)
  /// The server answered with this status in place of a WebSocket.
  case refused(host: String, status: Int)
  /// The server broke the protocol; how, as a clause.
  case broken(host: String, String)
}

/// Takes frames of a WebSocket's server apart (RFC 6455, 5). It is pure: what arrives is appended, and what is complete taken.
struct WebSocketFrames {
  /// What a server says.
  enum Message: Equatable {
    case text([UInt8])
    case ping([UInt8])
    /// The server ends the connection, with its code if it gave one.
    case close(Int?)
  }

  /// What breaks the protocol, as a clause.
  struct Fault: Error, Equatable { let reason: String }

  /// The most bytes of a message, which may come in many frames.
  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// The parts of a message that is not complete; nil between two messages.
  private var parts: [UInt8]?
  private var isText = false

  init(limit: Int) { self.limit = limit }

  /// Appends what arrived.
  mutating func append(_ arrived: UnsafeRawBufferPointer) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: arrived)
  }

  private struct Head {
    let isLast: Bool
    let operation: UInt8
    let payload: Range<Int>
  }

  /// Takes the next message; nil if none is complete.
  mutating func next() throws(Fault) -> Message? {
    while let head = try head() {
      guard head.payload.upperBound <= bytes.count else { return nil }
      let payload = bytes[head.payload]
      start = head.payload.upperBound
      switch head.operation {
      case 0x8:
        let code =
          payload.count < 2 ? nil : Int(payload[payload.startIndex]) << 8 | Int(payload[payload.startIndex + 1])
        return .close(code)
      case 0x9: return .ping(Array(payload))
      case 0xA: continue
      default: if let text = take(head, payload) { return .text(text) }
      }
    }
    return nil
  }

  /// Adds a part of a message. Returns the message if it was the last one of a text.
  private mutating func take(_ head: Head, _ payload: ArraySlice<UInt8>) -> [UInt8]? {
    if head.operation != 0 { isText = head.operation == 0x1 }
    if head.isLast, parts == nil { return isText ? Array(payload) : nil }
    if parts == nil { parts = [] }
    parts?.append(contentsOf: payload)
    guard head.isLast else { return nil }
    defer { parts = nil }
    return isText ? parts : nil
  }

  /// The head of the next frame; nil if it is not complete. What its length announces is checked before it arrives.
  private func head() throws(Fault) -> Head? {
    guard bytes.count - start >= 2 else { return nil }
    let (first, second) = (bytes[start], bytes[start + 1])
    let (isLast, operation) = (first & 0x80 != 0, first & 0x0F)
    guard first & 0x70 == 0 else { throw Fault(reason: "a frame uses an extension that was not asked for") }
    guard second & 0x80 == 0 else { throw Fault(reason: "a frame is masked") }
    var (at, count) = (start + 2, Int(second & 0x7F))
    if count >= 126 {
      let width = count == 126 ? 2 : 8
      guard bytes.count - at >= width else { return nil }
      guard width == 2 || bytes[at] & 0x80 == 0 else { throw Fault(reason: "a frame has a negative length") }
      count = bytes[at..<(at + width)].reduce(0) { $0 << 8 | Int($1) }
      at += width
    }
    switch operation {
    case 0x8...0xA:
      guard isLast, count <= 125 else { throw Fault(reason: "a control frame is too long or in parts") }
    case 0x0:
      guard parts != nil else { throw Fault(reason: "a message begins with its continuation") }
      guard isLast || count > 0 else { throw Fault(reason: "a message has an empty part") }
    case 0x1, 0x2:
      guard parts == nil else { throw Fault(reason: "a message begins within another one") }
    default: throw Fault(reason: "a frame is of an unknown kind")
    }
    guard count <= limit - (operation < 0x8 ? parts?.count ?? 0 : 0) else {
      throw Fault(reason: "a message is longer than \(limit >> 10) KB")
    }
    return Head(isLast: isLast, operation: operation, payload: at..<(at + count))
  }

  /// A client's frame, which must be masked (RFC 6455, 5.3). Only short ones are sent: answers to pings, and the end.
  static func frame(_ operation: UInt8, _ payload: [UInt8], mask: [UInt8]) -> [UInt8] {
    let payload = payload.prefix(125)
    return [0x80 | operation, 0x80 | UInt8(payload.count)] + mask.prefix(4)
      + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }
}
