import HTTP
import Synchronization

/// The answers by which new feeds were found. Each is the first page of its feed: no server is asked for it twice.
package final class FoundAnswers: Sendable {
  private let answers = Mutex([String: Response]())

  /// None.
  package init() {}

  /// A transport that keeps what it finds at an address, without a login.
  package func keeping(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        let response = try await transport.send(request)
        if request.isPlain, (200..<400).contains(response.status) {
          self.answers.withLock { $0[request.url] = response }
        }
        return response
      }, download: transport.download)
  }

  /// A transport that gives each kept answer once, and asks the network for others. `counter` counts those, too.
  package func answering(_ transport: Transport, counter: RequestCounter) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        let kept = request.isPlain ? self.answers.withLock { $0.removeValue(forKey: request.url) } : nil
        guard let kept else { return try await transport.send(request) }
        counter.add()
        return kept
      }, download: transport.download)
  }
}

extension Request {
  /// Whether anybody gets the same answer.
  fileprivate var isPlain: Bool {
    method == .get && token == nil && headers["If-None-Match"] == nil && headers["If-Modified-Since"] == nil
  }
}
