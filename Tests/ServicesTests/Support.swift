import Foundation
import HTTP
import Machine
import Posts
import Services
import Synchronization
import Testing

/// A file of the fixtures of a source.
func fixture(_ name: String, of source: SourceName = .mastodon) throws -> [UInt8] {
  let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/\(source.rawValue)")
  return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
}

extension Request {
  /// All that it asks for: its address and its body.
  var asked: String { "\(url) \(String(decoding: body ?? [], as: UTF8.self))" }
}

/// A transport that gives answers in turn, the last one for good, and keeps what it was asked.
final class Answering: Sendable {
  private let answers: [Result<Response, TransportError>]
  private let asked = Mutex<[Request]>([])

  init(_ answer: Result<Response, TransportError>) { answers = [answer] }

  init(inTurn answers: [Response]) { self.answers = answers.map { .success($0) } }

  convenience init(_ status: Int, _ body: [UInt8], headers: Headers = [:]) {
    self.init(.success(Response(status: status, headers: headers, body: body)))
  }

  var requests: [Request] { asked.withLock { $0 } }

  var transport: Transport {
    let send: @Sendable (Request) async throws(TransportError) -> Response = { [self] request throws(TransportError) in
      let turn = asked.withLock {
        $0.append(request)
        return $0.count - 1
      }
      return try answers[min(turn, answers.count - 1)].get()
    }
    return Transport(send: send, download: { request, _ throws(TransportError) in try await send(request) })
  }
}

extension TimeSource {
  /// A clock that stands still.
  static func fixed(at text: String) -> TimeSource {
    let date = UTC.date(text) ?? .distantPast
    return TimeSource(now: { date }, sleep: { _ in }, chance: { 0 })
  }
}
