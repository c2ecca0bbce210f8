import Folders
import Foundation
import Synchronization

/// A server that may break HTTP/2, over TLS: it answers a connection's first request with exactly these bytes. It runs
/// `Tests/Support/HTTP2/server.py`.
public final class HTTP2Server: Sendable {
  /// `https://127.0.0.1:PORT`.
  public let url: String
  /// The file that holds its certificate.
  public let authority: String
  private let folder: URL
  private let process: StartedProgram
  private let input: FileHandle
  private let log = Mutex<[String]>([])

  /// Creates a server that sends `first`, and then `again` until the client closes.
  public init(says first: [UInt8], andAgain again: [UInt8] = []) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("media-http2.\(UUID().uuidString)")
    authority = folder.appendingPathComponent("ca.pem").path
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(first).write(to: folder.appendingPathComponent("first"))
    try Data(again).write(to: folder.appendingPathComponent("again"))
    try Self.makeCertificate(in: folder)
    let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let (input, output) = (Pipe(), Pipe())
    let (read, written) = (input.fileHandleForReading, output.fileHandleForWriting)
    process = try Self.program(
      "python3", [support.appendingPathComponent("HTTP2/server.py").path, folder.path], input: read, output: written)
    for file in [read, written] { try file.close() }
    self.input = input.fileHandleForWriting
    var port = ""
    let lines = output.fileHandleForReading
    while !port.hasSuffix("\n"), case let more = lines.availableData, !more.isEmpty {
      port += String(decoding: more, as: UTF8.self)
    }
    guard port.hasSuffix("\n") else { throw CocoaError(.executableLoad) }
    url = "https://127.0.0.1:\(port.dropLast())"
    Thread.detachNewThread { [weak self] in
      while case let more = lines.availableData, !more.isEmpty {
        let words = String(decoding: more, as: UTF8.self).split(separator: "\n").map(String.init)
        self?.log.withLock { $0 += words }
      }
    }
  }

  deinit {
    try? input.close()
    process.signal(SIGKILL)
    process.wait()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Number of requests.
  public var requests: Int { log.withLock { $0.count { $0 == "asked" } } }

  /// Number of connections that accepted a megabyte of repeated bytes.
  public var poured: Int { log.withLock { $0.count { $0 == "poured" } } }

  private static func makeCertificate(in folder: URL) throws {
    let words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test"
    let (key, certificate) = (folder.appendingPathComponent("key.pem"), folder.appendingPathComponent("ca.pem"))
    let process = try program(
      "openssl",
      words.split(separator: " ").map(String.init) + [
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key.path, "-out", certificate.path,
      ])
    process.wait()
  }

  private static func program(
    _ name: String, _ arguments: [String], input: FileHandle? = nil, output: FileHandle? = nil
  ) throws -> StartedProgram {
    // Libraries preloaded for the sanitizers must not reach this process.
    let environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_PRELOAD" }
    return try StartedProgram(
      "/usr/bin/env", [name] + arguments, environment: environment, input: input, output: output)
  }
}

/// Frames of HTTP/2 (RFC 9113, 4.1) of a connection's first request.
public enum HTTP2Frame {
  /// The kinds that a server sends.
  public enum Kind: UInt8, Sendable {
    case data, headers, priority, reset, settings, promise, ping, farewell, window, continuation
    case unknown = 0xFA
  }

  /// One frame; on stream 0 if its kind concerns the connection.
  public static func bytes(_ kind: Kind, flags: UInt8 = 0, _ payload: [UInt8] = []) -> [UInt8] {
    let isOfAll = [.settings, .ping, .farewell, .window].contains(kind)
    let size = (0..<3).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
    return size + [kind.rawValue, flags, 0, 0, 0, isOfAll ? 0 : 1] + payload
  }

  /// The beginning of an answer of status 200.
  public static let ok = bytes(.headers, flags: 4, [0x88])

  /// Some ten thousand bytes of a repeated frame.
  public static func many(_ frame: [UInt8]) -> [UInt8] {
    Array(repeatElement(frame, count: max(1, 10_000 / frame.count)).joined())
  }
}
