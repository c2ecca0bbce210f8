import HTTP
import Synchronization

/// Counts page requests.
package final class RequestCounter: Sendable {
  private let requests = Atomic(0)

  /// A counter at 0.
  package init() {}

  /// The number of requests sent.
  package var count: Int { requests.load(ordering: .relaxed) }

  /// Counts a request that was sent before.
  package func add() { requests.add(1, ordering: .relaxed) }

  /// A transport that counts calls of `send`, not downloads.
  package func counting(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        self.add()
        return try await transport.send(request)
      }, download: transport.download)
  }
}
