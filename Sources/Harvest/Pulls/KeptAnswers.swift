import FoundationEssentials
import Glibc
import HTTP
import Machine

/// Answers in a library's folder, by which feeds were found that no pull has read yet. A server that answers one request an hour
/// has no time for the pull that comes next.
///
/// Nothing depends on them: a file that cannot be written or read is no answer.
package struct KeptAnswers: Sendable {
  private let folder: String
  private let now: @Sendable () -> Date
  /// How long, in seconds, an answer is kept.
  private static let longest: TimeInterval = 86_400

  private struct Head: Codable {
    let at: Date
    let status: Int
    let headers: [[String]]
    let url: String
    let hasLogin: Bool
  }

  /// - Parameters:
  ///   - folder: A folder of their own, which need not exist.
  ///   - now: The time.
  package init(in folder: String, now: @escaping @Sendable () -> Date) { (self.folder, self.now) = (folder, now) }

  /// Keeps an answer, without cookies, and removes those that nobody took.
  func keep(_ answer: Response, to digest: String) {
    let fields = answer.headers.fields.filter { $0.name.lowercased() != "set-cookie" }.map { [$0.name, $0.value] }
    let head = Head(at: now(), status: answer.status, headers: fields, url: answer.url, hasLogin: answer.hasLogin)
    guard let line = try? JSONEncoder().encode(head), makeFolders(folder) == nil else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      if self.head(of: name) == nil { unlink("\(folder)/\(name)") }
    }
    let path = "\(folder)/\(digest)"
    _ = replaceFile(path, by: line + [UInt8(ascii: "\n")] + answer.body, draft: "\(path).draft")
  }

  /// The answer that was kept, which is removed.
  func take(_ digest: String) -> Response? {
    let path = "\(folder)/\(digest)"
    guard access(path, F_OK) == 0 else { return nil }
    defer { unlink(path) }
    guard let (head, body) = head(of: digest) else { return nil }
    var answer = Response(status: head.status, body: Array(body), url: head.url)
    answer.headers.fields = head.headers.filter { $0.count == 2 }.map { (name: $0[0], value: $0[1]) }
    answer.hasLogin = head.hasLogin
    return answer
  }

  /// What a file holds; nil if it is none of these, or too old.
  private func head(of name: String) -> (head: Head, body: Data)? {
    guard let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)")),
      let end = data.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDecoder().decode(Head.self, from: data[..<end]),
      (-60..<Self.longest).contains(now().timeIntervalSince(head.at))
    else { return nil }
    return (head, data[(end + 1)...])
  }
}
