import Foundation
import Testing

/// A served gallery, and what its pages ask of it.
struct GalleryVisitor: Sendable {
  let sandbox: Sandbox
  let serve: Running
  /// The origin.
  let base: String
  private let jar: String

  struct Answer {
    let status: Int
    let text: String

    var object: [String: any Sendable] {
      ((try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: any Sendable]) ?? [:]
    }
    var job: [String: any Sendable] { (object["jobs"] as? [[String: any Sendable]])?.first ?? [:] }
    var id: Int { (job["id"] ?? object["id"]) as? Int ?? 0 }
  }

  init(_ sandbox: Sandbox, _ words: String...) async throws {
    self.sandbox = sandbox
    serve = try sandbox.begin(["serve", "--port", "0", "--json"] + words)
    let line = try await serve.line("{\"url\":\"http://127.0.0.1:")
    let address = String(try #require(line.firstMatch(of: /http:[^"]+/)).0)
    base = String(try #require(address.firstMatch(of: /^http:\/\/[^\/]+/)).0)
    jar = "\(sandbox.folder)/cookies"
    // Signs in, where that is needed.
    _ = try await curl("-L", address)
  }

  func get(_ path: String) async throws -> Answer { try await curl(base + path) }

  /// Sends JSON as a page does.
  func post(_ path: String, _ json: String) async throws -> Answer {
    try await write(path, "-H", "Content-Type: application/json", "--data-binary", json)
  }

  /// Sends a form with files, by curl's words.
  func form(_ path: String, _ parts: String...) async throws -> Answer {
    try await write(path, parts.flatMap { ["-F", $0] })
  }

  private func write(_ path: String, _ more: String...) async throws -> Answer { try await write(path, more) }

  private func write(_ path: String, _ more: [String]) async throws -> Answer {
    try await curl(["-H", "X-Media: 1", "-H", "Origin: \(base)"] + more + [base + path])
  }

  private func curl(_ words: String...) async throws -> Answer { try await curl(words) }

  private func curl(_ words: [String]) async throws -> Answer {
    let curl = try sandbox.start("/usr/bin/curl", ["-s", "-b", jar, "-c", jar, "-w", "\n%{http_code}"] + words)
    curl.endInput()
    let output = try await curl.end().output
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    return Answer(status: Int(lines.last ?? "") ?? 0, text: lines.dropLast().joined(separator: "\n"))
  }

  /// Waits until a job is in one of some states, or prints something.
  func job(_ id: Int, _ isMeant: ([String: any Sendable]) -> Bool = { ended.contains($0["state"] as? String ?? "") })
    async throws -> [String: any Sendable]
  {
    while true {
      let jobs = try await get("/api/jobs").object["jobs"] as? [[String: any Sendable]] ?? []
      if let job = jobs.first(where: { $0["id"] as? Int == id }), isMeant(job) { return job }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private static let ended: Set = ["done", "failed", "cancelled"]

  /// Sends bytes as they are, ends the sending side, and returns the status of the answer.
  func exchange(_ text: String) async throws -> Int {
    let port = try #require(UInt16(base.split(separator: ":").last ?? ""))
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(file) }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var end = sockaddr_in()
    (end.sin_family, end.sin_port, end.sin_addr.s_addr) = (sa_family_t(AF_INET), port.bigEndian, inet_addr("127.0.0.1"))
    let connected = withUnsafePointer(to: &end) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0)
    let bytes = Array(text.utf8)
    _ = send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    shutdown(file, Int32(SHUT_WR))
    var (answer, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let count = recv(file, &piece, piece.count, 0), count > 0 { answer += piece[..<count] }
    let line = String(decoding: answer, as: UTF8.self).split(separator: " ")
    return line.count > 1 ? Int(line[1]) ?? 0 : 0
  }

  /// The Cookie field of the browser.
  var cookies: String {
    let lines = ((try? String(contentsOfFile: jar, encoding: .utf8)) ?? "").split(separator: "\n")
    let fields = lines.map { $0.split(separator: "\t") }.filter { $0.count == 7 }
    return fields.map { "\($0[5])=\($0[6])" }.joined(separator: "; ")
  }
}
