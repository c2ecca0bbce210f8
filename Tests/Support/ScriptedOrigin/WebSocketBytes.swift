import CCrypto
import Foundation

/// What a WebSocket's server sends (RFC 6455), written without what the program reads it with.
public enum WebSocketBytes {
  /// A frame.
  public static func frame(_ operation: UInt8, _ payload: [UInt8], isLast: Bool = true) -> [UInt8] {
    let count = payload.count
    var length = [UInt8(min(count, 127))]
    if (126..<65_536).contains(count) { length = [126, UInt8(count >> 8), UInt8(count & 255)] }
    if count >= 65_536 { length = [127] + (0..<8).reversed().map { UInt8(count >> ($0 * 8) & 255) } }
    return [operation | (isLast ? 0x80 : 0)] + length + payload
  }

  /// A frame with a whole text.
  public static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

  /// The answer to the head of a handshake, and what follows it.
  public static func upgraded(
    _ head: String, _ rest: [UInt8], accept: String? = nil, more: String = ""
  ) -> [UInt8] {
    let key = head.firstMatch(of: /Sec-WebSocket-Key: (\S+)/).map { String($0.1) } ?? ""
    let text = Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    crypto_shim_sha1(text, text.count, &digest)
    let lines = [
      "HTTP/1.1 101 Switching Protocols", "upgrade: WebSocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(accept ?? Data(digest).base64EncodedString())",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\(more)\r\n").utf8) + rest
  }
}
