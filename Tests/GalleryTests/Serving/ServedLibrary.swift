import Folders
import Foundation
import MediaLibrary
import Posts
import Testing

@testable import Gallery

/// A real library that a real server serves, to a browser that has signed in, for the length of `body`.
func withServedLibrary(readOnly: Bool = false, _ body: @Sendable (Library, RawClient) async throws -> Void) async throws
{
  try await withGallery(.init(isReadOnly: readOnly), isEmpty: true) { gallery in
    let cookie = try await gallery.cookie().dropFirst("Cookie: ".count)
    try await body(gallery.library, RawClient(port: UInt16(gallery.port), cookie: String(cookie)))
  }
}

/// Blocks a thread of its own: the server needs those that tasks share.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}

/// A client that sends a path as it is written. Other clients would tidy it.
struct RawClient: Sendable {
  let port: UInt16
  let cookie: String

  struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    subscript(name: String) -> String? { headers[name.lowercased()] }
  }

  func get(_ path: String, _ headers: [String: String] = [:], method: String = "GET") async throws -> Answer {
    try await onThread {
      let connection = try Connection(port: port)
      try connection.send(method, path, headers.merging(["Cookie": cookie]) { own, _ in own })
      var answer = try connection.head()
      answer.body += connection.rest()
      return answer
    }
  }

  /// A connection that is read as slowly as a test wants.
  final class Connection {
    private let descriptor: Int32
    private let port: UInt16

    init(port: UInt16) throws {
      self.port = port
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isConnected else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    func send(_ method: String, _ path: String, _ headers: [String: String]) throws {
      let fields = headers.merging(["Host": "127.0.0.1:\(port)", "Connection": "close"]) { own, _ in own }
      let text = "\(method) \(path) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
      guard Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count else {
        throw POSIXError(.EPIPE)
      }
    }

    /// The head of the answer, and what came with it of the body.
    func head() throws -> Answer {
      var bytes: [UInt8] = []
      while true {
        let piece = receive(1024)
        bytes += piece
        if let end = Data(bytes).firstRange(of: Data("\r\n\r\n".utf8)) {
          let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
          let status = try #require(lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
          let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
          }
          return Answer(
            status: status, headers: Dictionary(headers) { $1 }, body: Array(bytes[end.upperBound...]))
        }
        if piece.isEmpty { throw POSIXError(.ECONNRESET) }
      }
    }

    /// All bytes until the connection ends.
    func rest() -> [UInt8] {
      var bytes: [UInt8] = []
      while true {
        let piece = receive(1 << 16)
        if piece.isEmpty { return bytes }
        bytes += piece
      }
    }

    private func receive(_ count: Int) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: count) { buffer, received in
        received = max(0, recv(descriptor, buffer.baseAddress, count, 0))
      }
    }
  }
}

/// The beginnings of files, as far as their type is detected from them.
enum Sample {
  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 4, 0, 0, 0, 3]
    + Array(repeating: 7, count: 100)
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xD9]
  static let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".utf8)
  static let html = Array("<!doctype html><html><script>alert(1)</script></html>".utf8)
  static let mp4: [UInt8] = [0, 0, 0, 20] + Array("ftypisom".utf8) + [0, 0, 0, 0] + Array("isom".utf8)
  static let mp3 = Array("ID3".utf8) + Array(repeating: UInt8(0), count: 40)
  static let pdf = Array("%PDF-1.7\n".utf8)
  /// A whole GIF of one pixel.
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2]
    + [0x44, 1, 0, 0x3B]
  static let tiny: [UInt8] = [1, 2, 3]
}

extension Library {
  /// Adds a post with a file and returns the name of the file's bytes.
  func blob(of bytes: [UInt8]) throws -> String {
    try add(caption: "a file", attaching: [bytes])
    return BlobID(hashing: bytes).hex
  }

  /// The path of a blob's file.
  func path(of blob: String) throws -> String {
    let id = try #require(BlobID(blob))
    return try #require(blobs.localFile(of: id))
  }
}
