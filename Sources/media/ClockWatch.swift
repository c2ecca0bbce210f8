import Foundation
import HTTP
import Terminal

/// Says, once a process, that this machine's clock and a server's differ by more than answers take.
///
/// Nothing else hangs on it: waits are reckoned from the answer's own time, whosever clock is wrong.
struct ClockWatch: Sendable {
  let time: Timekeeper
  let once: Once
  let say: @Sendable (Inert) -> Void

  /// More seconds than this are said.
  private static let most: TimeInterval = 300

  /// A transport whose answers are looked at; downloads are not.
  func watching(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        let answer = try await transport.send(request)
        self.look(at: answer, to: request)
        return answer
      }, download: transport.download)
  }

  private func look(at answer: Response, to request: Request) {
    guard let ahead = answer.clockDifference(from: time.now()), abs(ahead) > Self.most, once.isFirst("clock"),
      let host = URLComponents(string: request.url)?.host
    else { return }
    let side = "\(Words.span(abs(ahead))) \(ahead > 0 ? "behind" : "ahead of")"
    say("media: this machine's clock is \(side) that of \(host): check which one is wrong")
  }
}
