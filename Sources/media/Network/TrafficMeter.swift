import FoundationEssentials
import HTTP
import Harvest
import Synchronization

/// Measures a whole command's traffic: page requests, received bytes, and the time requests waited before retries.
final class TrafficMeter: Sendable {
  /// The measurements so far.
  struct Traffic: Sendable {
    var requests = 0
    var bytes: Int64 = 0
    /// Overlapping waits of concurrent requests count once.
    var waited = Duration.zero
  }

  private let state = Mutex(Traffic())
  /// Where waits are told; nil if nobody keeps them.
  let events: RunEvents?

  init(events: RunEvents? = nil) { self.events = events }

  /// The measurements so far.
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

  /// Records the start of a wait.
  func waits(_ notice: WaitNotice, from now: Date) {
    let wait = max(0, notice.until.timeIntervalSince(now))
    state.withLock { $0.waited += .milliseconds(Int64(wait * 1000)) }
  }

  private func add(_ bytes: Int) { state.withLock { $0.bytes += Int64(bytes) } }
}

/// Passes bytes on and counts them.
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
