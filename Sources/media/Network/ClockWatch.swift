import FoundationEssentials
import HTTP
import Posts
import Terminal
import Wording

/// Warns once per process if this machine's clock and a server's differ by more than response times explain.
///
/// The warning has no other effect: delays are computed from the response's own time, whichever clock is wrong.
struct ClockWatch: Sendable {
  let time: TimeSource
  let once: Once
  let say: @Sendable (SafeText) -> Void

  /// The tolerated difference, in seconds.
  private static let most: TimeInterval = 300

  /// A transport that checks responses; downloads are not checked.
  func watching(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        let answer = try await transport.send(request)
        self.check(answer, to: request)
        return answer
      }, download: transport.download)
  }

  private func check(_ answer: Response, to request: Request) {
    guard let ahead = answer.clockDifference(from: time.now()), abs(ahead) > Self.most, once.isFirst("clock"),
      let host = URLComponents(webAddress: request.url)?.hostName
    else { return }
    let side = "\(NumberText.span(abs(ahead))) \(ahead > 0 ? "behind" : "ahead of")"
    say("media: this machine's clock is \(side) that of \(host): check which one is wrong")
  }
}
