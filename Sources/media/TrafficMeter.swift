import Foundation
import HTTP
import Synchronization

/// Measures what goes over the network for a whole command: requests for pages, bytes that came, and how long requests
/// waited before another try.
final class TrafficMeter: Sendable {
  /// What was measured so far.
  struct Traffic: Sendable {
    var requests = 0
    var bytes: Int64 = 0
    /// Waits of requests that went on at once are taken together.
    var waited = Duration.zero
  }

  private let state = Mutex(Traffic())

  /// What was measured so far.
  var traffic: Traffic { state.withLock { $0 } }

  /// A transport that is measured.
  func measuring(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        self.state.withLock { $0.requests += 1 }
        let response = try await transport.send(request)
        self.add(response.body.count)
        return response
      },
      download: { request, sink throws(TransportError) in
        try await transport.download(request, MeasuredSink(sink) { self.add($0) })
      })
  }

  /// Takes note of a wait that begins.
  func waits(_ notice: WaitNotice, from now: Date) {
    let wait = max(0, notice.until.timeIntervalSince(now))
    state.withLock { $0.waited += .milliseconds(Int64(wait * 1000)) }
  }

  private func add(_ bytes: Int) { state.withLock { $0.bytes += Int64(bytes) } }
}

/// Hands bytes on and tells how many they were.
private final class MeasuredSink: ByteSink {
  private let sink: any ByteSink
  private let onBytes: @Sendable (Int) -> Void

  init(_ sink: any ByteSink, onBytes: @escaping @Sendable (Int) -> Void) {
    self.sink = sink
    self.onBytes = onBytes
  }

  func begin(_ head: Response) -> Bool { sink.begin(head) }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    onBytes(bytes.count)
    try sink.write(bytes)
  }
}
