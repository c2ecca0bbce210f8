import Dispatch
import FoundationEssentials

/// Why a request failed without a usable answer.
public enum TransportError: Error, Equatable {
  /// The host cannot be resolved.
  case unknownHost(String)
  /// Nothing listens, the network is down, or the connection broke before the answer.
  case unreachable(host: String, reason: String)
  /// The server answers without TLS. It may be reached by http.
  case noTLS(host: String)
  /// What answers does not speak HTTP, or the way there is not set up. Another try would change nothing.
  case noHTTP(host: String, reason: String)
  /// Nothing arrived within the request's patience, or too little within its time limit.
  case timedOut(host: String)
  /// The certificate is not trusted, or the handshake failed.
  case untrusted(host: String, reason: String)
  /// The body ended before its announced length or could not be decompressed, or a POST was sent and no answer came.
  case cut(host: String)
  /// The server sent without end what completes nothing. Another try would be as long.
  case endless(host: String)
  /// The body is longer than the request allows.
  case tooLarge(limit: Int)
  /// A redirect led to another server, where the request must not follow.
  case redirectRefused(to: String)
  /// The URL leads to this machine or a private network, and a server elsewhere named it.
  case privateNetwork(host: String)
  /// A redirect led from https to http.
  case redirectDowngraded
  /// A redirect led to nothing that has a web address: its target is empty, a file, or holds a login.
  case redirectInvalid
  /// More redirects than are followed.
  case tooManyRedirects
  /// Redirects led back to a request that was sent before.
  case redirectLoop
  /// The URL is not an http or https URL.
  case invalidURL
  /// The body was not stored: the sink failed (the disk is full, for example), or a download came encoded.
  case sink(String)
  /// Nothing was sent: the host accepts no requests before `until`. `asked` is when the request was to be sent.
  case rateLimited(host: String, until: Date, asked: Date)
  /// The task was cancelled.
  case cancelled
}

/// Receives a body as it arrives. The transport calls it on its own thread, one call after another. It must not block.
public protocol ByteSink: AnyObject, Sendable {
  /// An answer begins. A second call means a retry: discard the bytes so far.
  ///
  /// - Returns: false to refuse the body.
  func begin(_ head: Response) -> Bool
  /// The next bytes, valid only during the call.
  func write(_ bytes: UnsafeRawBufferPointer) throws
}

/// Access to the network: two functions, so that a test can pass its own.
public struct Transport: Sendable {
  /// Sends a request and returns the whole answer, whatever its status.
  public var send: @Sendable (Request) async throws(TransportError) -> Response
  /// Sends a request and streams the body of a 2xx answer to the sink, byte for byte.
  ///
  /// A download asks for an uncompressed body and refuses a compressed one: a few bytes on the wire cannot fill a disk,
  /// and the announced length is the body's.
  public var download: @Sendable (Request, any ByteSink) async throws(TransportError) -> Response

  /// A transport from its two functions.
  public init(
    send: @escaping @Sendable (Request) async throws(TransportError) -> Response,
    download: @escaping @Sendable (Request, any ByteSink) async throws(TransportError) -> Response
  ) {
    self.send = send
    self.download = download
  }
}

/// Access to the network for threads that may block, such as those that read files: one function, as in `Transport`.
public struct BlockingClient: Sendable {
  /// Sends a request and waits for the answer. With a sink, the body of a 2xx answer goes there.
  public var send: @Sendable (Request, (any ByteSink)?) throws(TransportError) -> Response

  /// A client from its function.
  public init(send: @escaping @Sendable (Request, (any ByteSink)?) throws(TransportError) -> Response) {
    self.send = send
  }
}

/// Time and randomness for threads that may block, passed in.
public struct BlockingTime: Sendable {
  /// The wall clock.
  public var now: @Sendable () -> Date
  /// Waits on this thread.
  public var pause: @Sendable (Duration) -> Void
  /// A number in 0..<1 for jitter.
  public var chance: @Sendable () -> Double

  /// Creates a clock for code that blocks its thread.
  public init(
    now: @escaping @Sendable () -> Date, pause: @escaping @Sendable (Duration) -> Void,
    chance: @escaping @Sendable () -> Double
  ) {
    (self.now, self.pause, self.chance) = (now, pause, chance)
  }

  /// The machine's clock and randomness.
  public static let system = BlockingTime(
    now: { Date() },
    pause: { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + $0 / .seconds(1)) },
    chance: { Double.random(in: 0..<1) })
}

/// Time and randomness, passed in.
public struct TimeSource: Sendable {
  /// The wall clock.
  public var now: @Sendable () -> Date
  /// Sleeps. Throws `CancellationError` if the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// A number in 0..<1 for jitter.
  public var chance: @Sendable () -> Double

  /// Creates a clock of these functions, such as a controlled one in tests.
  public init(
    now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void,
    chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.chance = chance
  }

  /// The machine's clock and randomness.
  public static let system = TimeSource(
    now: { Date() }, sleep: { try await Task.sleep(for: $0) }, chance: { Double.random(in: 0..<1) })
}
