import Blobs
import Folders
import Foundation
import HTTP
import Synchronization
import Testing

@testable import Transfer

@Suite struct WARCCaptureTests {
  private let scratch: Scratch
  private static let now = Date(timeIntervalSince1970: 1_767_225_600)
  private let token = Secret("very-secret-token-0123456789")

  init() throws { scratch = try Scratch() }

  private final class Collected: ByteSink {
    let bytes = Mutex<[UInt8]>([])
    func begin(_ head: Response) -> Bool {
      bytes.withLock { $0 = [] }
      return head.status != 403
    }
    func write(_ piece: UnsafeRawBufferPointer) { bytes.withLock { $0 += piece } }
  }

  /// Answers every request alike; a download comes in two pieces, after a first attempt that breaks off.
  private func transport(_ response: Response) -> Transport {
    Transport(
      send: { _ in response },
      download: { _, sink throws(TransportError) in
        do {
          guard sink.begin(response) else { return response }
          try response.body.prefix(3).withUnsafeBytes { try sink.write($0) }
          guard sink.begin(response) else { return response }
          try response.body.prefix(5).withUnsafeBytes { try sink.write($0) }
          try response.body.dropFirst(5).withUnsafeBytes { try sink.write($0) }
        } catch { throw .sink("\(error)") }
        return Response(status: response.status, headers: response.headers, url: response.url)
      })
  }

  private func captured(_ work: (WARCCapture) async throws -> Void) async throws -> String {
    let capture = try WARCCapture(in: "\(scratch.path)/archive", software: "media/0.1.0") { Self.now }
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/archive")
    #expect(names.count == 1 && names[0].hasSuffix(".warc.open"))
    try await work(capture)
    let path = try capture.finish()
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/archive").count == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    return String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
  }

  @Test func `an exchange is kept without what lets somebody in`() async throws {
    let body = #"{"next":"https://a.example/x?access_token=very-secret-token-0123456789"}"#
    let answer = Response(
      status: 200,
      headers: [
        "Content-Type": "application/json", "Set-Cookie": "session=abc", "Content-Encoding": "gzip",
        "Content-Length": "7", "Link": "<https://a.example/?t=very-secret-token-0123456789>", "Date": "today",
      ], body: Array(body.utf8), url: "https://a.example/api?q=cats&access_token=zzz#part")
    let file = try await captured { capture in
      let request = Request(
        .get, "https://ann:word@a.example/api?q=cats&access_token=zzz",
        headers: ["Authorization": "OAuth oauth_signature=s3cr3t", "Cookie": "a=b", "Accept": "text/plain\r\nX: y"],
        token: token)
      let response = try await capture.capturing(transport(answer)).send(request)
      #expect(response.body == answer.body)
      _ = try await capture.capturing(transport(answer)).send(
        .form("https://a.example/oauth/token", [("code", "c0de")]))
    }
    for secret in ["very-secret", "zzz", "session=abc", "s3cr3t", "a=b", "word", "c0de", "oauth/token"] {
      #expect(!file.contains(secret), "\(secret)")
    }
    #expect(file.contains("WARC-Target-URI: https://a.example/api?q=cats\r\n"))
    #expect(file.contains("GET /api?q=cats HTTP/1.1\r\nHost: a.example\r\nAccept: text/plain  X: y\r\n\r\n"))
    let kept = body.replacingOccurrences(of: "very-secret-token-0123456789", with: "<secret>")
    let head =
      "HTTP/1.1 200 \r\nContent-Type: application/json\r\nDate: today\r\nContent-Length: \(kept.utf8.count)\r\n\r\n"
    #expect(file.contains(head + kept + "\r\n\r\n"))
    #expect(file.contains("Content-Length: \((head + kept).utf8.count)\r\n\r\nHTTP/1.1 200"))
    let digest = WARCRecord.base32(BlobID(hashing: Array(kept.utf8)).hex)
    #expect(file.contains("WARC-Payload-Digest: sha256:\(digest)"))
    #expect(file.components(separatedBy: "WARC/1.1\r\n").count == 4)
  }

  @Test func `a download is kept as its last attempt brought it, and one that nobody wanted is not`() async throws {
    let sink = Collected()
    let answer = Response(
      status: 200, headers: ["Content-Type": "image/png"], body: Array("0123456789".utf8),
      url: "https://a.example/1.png")
    let file = try await captured { capture in
      _ = try await capture.capturing(transport(answer)).download(Request(.get, "https://a.example/1.png"), sink)
      var refused = answer
      refused.status = 403
      _ = try await capture.capturing(transport(refused)).download(
        Request(.get, "https://a.example/2.png"), Collected())
    }
    #expect(sink.bytes.withLock(\.self) == answer.body)
    #expect(file.contains("Content-Type: image/png\r\nContent-Length: 10\r\n\r\n0123456789\r\n\r\n"))
    #expect(!file.contains("2.png"))
    #expect(file.contains("WARC-Payload-Digest: sha256:\(WARCRecord.base32(BlobID(hashing: answer.body).hex))"))
  }

  @Test func `a download that was continued is a resource`() async throws {
    let answer = Response(
      status: 206, headers: ["Content-Type": "image/png"], body: Array("0123456789".utf8),
      url: "https://a.example/1.png")
    let file = try await captured { capture in
      _ = try await capture.capturing(transport(answer)).download(Request(.get, "https://a.example/1.png"), Collected())
    }
    #expect(file.contains("WARC-Type: resource") && !file.contains("WARC-Type: response"))
    #expect(file.contains("Content-Type: image/png\r\nContent-Length: 10\r\n\r\n0123456789\r\n\r\n"))
  }

  @Test func `a POST that only reads is kept with what it asks for, another one is not`() async throws {
    let text = try await captured { capture in
      let transport = capture.capturing(transport(Response(status: 200, body: Array("[1]".utf8))))
      var request = Request(.post, "https://a.example/api/notes", token: token, body: Array(#"{"tag":"cats"}"#.utf8))
      _ = try await transport.send(request)
      request.isSafePost = true
      request.body = Array(#"{"tag":"birds"}"#.utf8)
      _ = try await transport.send(request)
    }
    #expect(text.contains("POST /api/notes HTTP/1.1") && text.contains(#"{"tag":"birds"}"#))
    #expect(!text.contains("cats") && !text.contains("very-secret"))
  }
}
