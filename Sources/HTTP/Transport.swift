import Foundation

/// Why no answer came.
public enum TransportError: Error, Equatable {
  /// The name has no address.
  case unknownHost(String)
  /// Nothing listens, the network is down, or the connection broke before an answer.
  case unreachable(host: String, reason: String)
  /// Nothing came for as long as the request had patience, or too little in the time there was.
  case timedOut(host: String)
  /// The certificate is not to be trusted, or the handshake failed.
  case untrusted(host: String, reason: String)
  /// The body ended before its announced length, or could not be decompressed; or a POST was sent and no answer came.
  case cut(host: String)
  /// The body is longer than the request allows.
  case tooLarge(limit: Int)
  /// A redirect led where it is not followed.
  case redirectRefused(to: String)
  /// The way leads into this machine or a network around it, and a server elsewhere told of it.
  case privatePlace(host: String)
  /// More hops than are followed.
  case tooManyRedirects
  /// The URL is no http or https URL.
  case invalidURL
  /// The body went no further: the sink took no more (the disk is full, say), or a download came encoded.
  case sink(String)
  /// Nothing was sent: the host takes no more requests until then; and when it was to be asked.
  case rateLimited(host: String, until: Date, asked: Date)
  /// The task was cancelled.
  case cancelled
}

/// Takes a body as it arrives. Called on the transport's own thread, one call after another; it must not block.
public protocol ByteSink: AnyObject, Sendable {
  /// An answer begins; false refuses its body. A second call (a retry) throws away what came before.
  func begin(_ head: Response) -> Bool
  /// The next bytes, valid during the call.
  func write(_ bytes: UnsafeRawBufferPointer) throws
}

/// The door to the network: two functions, so that a test hands in its own.
public struct Transport: Sendable {
  /// Sends a request and returns the whole answer, whatever its status.
  public var send: @Sendable (Request) async throws(TransportError) -> Response
  /// Sends a request and streams the body of a 2xx answer to the sink, byte for byte as it comes.
  ///
  /// A download asks that nothing be compressed, and refuses what comes so all the same: a few bytes on the wire cannot
  /// fill a disk, and the announced length is that of the body.
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

/// Time and chance, handed in.
public struct Timekeeper: Sendable {
  /// The wall clock.
  public var now: @Sendable () -> Date
  /// Waits; throws `CancellationError` when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// A number in 0..<1 for jitter.
  public var chance: @Sendable () -> Double

  /// A timekeeper from its parts.
  public init(
    now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void,
    chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.chance = chance
  }

  /// The machine's clock and randomness.
  public static let system = Timekeeper(
    now: { Date() }, sleep: { try await Task.sleep(for: $0) }, chance: { Double.random(in: 0..<1) })
}
