import Foundation
import HTTP
import Posts
import Services
import Synchronization
import Testing

/// Random numbers that a seed gives again (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// One small change at a place that chance chooses.
func mutate(_ bytes: inout [UInt8], _ random: inout Seeded) {
  guard !bytes.isEmpty else { return }
  let place = Int.random(in: 0..<bytes.count, using: &random)
  switch Int.random(in: 0..<4, using: &random) {
  case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
  case 1: bytes.remove(at: place)
  case 2: bytes.insert("[]{}\"\\,: 0\n".utf8.randomElement(using: &random)!, at: place)
  default:
    bytes.insert(contentsOf: Array(bytes[place...].prefix(9)), at: Int.random(in: 0...bytes.count, using: &random))
  }
}

/// A file of the fixtures of a source.
func fixture(_ name: String, of source: SourceName = .mastodon) throws -> [UInt8] {
  let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/\(source.rawValue)")
  return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
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

extension Timekeeper {
  /// A clock that stands still.
  static func fixed(at text: String) -> Timekeeper {
    let date = UTC.date(text) ?? .distantPast
    return Timekeeper(now: { date }, sleep: { _ in }, chance: { 0 })
  }
}
