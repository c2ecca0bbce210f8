import FoundationEssentials
import HTTP
import Posts
import Synchronization
import Terminal

/// Records which messages were shown.
final class Once: Sendable {
  private let said = Mutex<Set<String>>([])

  /// Returns whether it is the first time.
  func isFirst(_ text: String) -> Bool { said.withLock { $0.insert(text).inserted } }
}

/// Reports each request: method and address, result, duration. Never a query, which may hold a secret.
struct RequestLog: Sendable {
  let console: Console
  let time: TimeSource

  /// A transport that reports its requests.
  func logging(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        try await self.timed(request) { () async throws(TransportError) in try await transport.send(request) }
      },
      download: { request, sink throws(TransportError) in
        try await self.timed(request) { () async throws(TransportError) in try await transport.download(request, sink) }
      })
  }

  private func timed(
    _ request: Request, _ work: () async throws(TransportError) -> Response
  ) async throws(TransportError) -> Response {
    let start = time.now()
    do {
      let response = try await work()
      say(request, "\(response.status)", start)
      return response
    } catch {
      say(request, "no answer", start)
      throw error
    }
  }

  private func say(_ request: Request, _ outcome: String, _ start: Date) {
    let address = Substring(request.url.unicodeScalars.prefix { $0 != "?" && $0 != "#" })
    let milliseconds = Int(max(0, time.now().timeIntervalSince(start)) * 1000)
    console.request(
      "\(request.method.rawValue) \(address): \(outcome), \(milliseconds) ms", to: WebAddress.host(of: request.url),
      seconds: Double(milliseconds) / 1000)
  }
}
