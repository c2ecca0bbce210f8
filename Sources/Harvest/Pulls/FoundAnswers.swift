import HTTP
import Synchronization

/// The answers by which new feeds were found. Each is the first page of its feed: no server is asked for it twice.
package final class FoundAnswers: Sendable {
  private let answers = Mutex([String: Response]())
  private let kept: KeptAnswers

  /// None.
  ///
  /// - Parameter kept: Those of earlier processes, for servers that have no time for the pull.
  package init(_ kept: KeptAnswers) { self.kept = kept }

  /// A transport that keeps what it finds at an address.
  package func keeping(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        let response = try await transport.send(request)
        if request.isPlain, (200..<400).contains(response.status) {
          self.answers.withLock { $0[request.digest] = response }
        }
        return response
      }, download: transport.download)
  }

  /// A transport that gives each answer once that this process found, and asks the network for others. If the server accepts no
  /// request now, what an earlier process found is the answer. `counter` counts those, too.
  package func answering(_ transport: Transport, counter: RequestCounter) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        guard request.isPlain else { return try await transport.send(request) }
        if let found = self.answers.withLock({ $0.removeValue(forKey: request.digest) }) {
          counter.add()
          return found
        }
        return try await self.live(request, transport, counter)
      }, download: transport.download)
  }

  private func live(
    _ request: Request, _ transport: Transport, _ counter: RequestCounter
  ) async throws(TransportError) -> Response {
    do {
      let response = try await transport.send(request)
      let earlier = response.status < 500 ? kept.take(request.digest) : nil
      return response.status == 429 ? earlier ?? response : response
    } catch {
      guard case .rateLimited = error, let earlier = kept.take(request.digest) else { throw error }
      counter.add()
      return earlier
    }
  }

  /// Keeps what was found for a later process.
  package func keep() {
    for (digest, response) in answers.withLock({ $0 }) { kept.keep(response, to: digest) }
  }
}

extension Request {
  /// Whether the answer is the whole one.
  fileprivate var isPlain: Bool {
    method == .get && headers["If-None-Match"] == nil && headers["If-Modified-Since"] == nil
  }

  /// A name of what is asked and by whom, from which neither can be told.
  fileprivate var digest: String {
    Digest.sha256("\(url)\n\(token?.reveal() ?? "")".utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
