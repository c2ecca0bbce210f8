import Dispatch
import FoundationEssentials
import Synchronization

/// The live network: one session per process, with one thread that owns every transfer. Connections are kept and
/// reused.
///
/// Nothing is loaded and no thread runs before the first request. A session reads
/// proxies (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`), certificates (`CURL_CA_BUNDLE`, `SSL_CERT_FILE`,
/// `SSL_CERT_DIR`) and `~/.netrc` (`NETRC`) from the environment as the `curl` command does. Only a GET by `send`
/// without credentials, at the origin that it was made for, uses `.netrc`. So no host that a stranger's post names
/// receives its logins.
public final class Session: Sendable {
  /// The maximum numbers of concurrent transfers.
  public struct Limits: Sendable {
    /// Concurrent downloads.
    public var downloads: Int
    /// Concurrent downloads from one host.
    public var downloadsPerHost: Int
    /// Concurrent requests. They have a queue of their own, so that none waits for pictures.
    public var requests: Int
    /// The minimum throughput of each download.
    public var pace: MinimumThroughput

    /// Limits. The defaults are 16 downloads, which may all be from one host, and 6 requests in addition.
    public init(downloads: Int = 16, downloadsPerHost: Int = 16, requests: Int = 6, pace: MinimumThroughput = .slowest)
    {
      self.downloads = max(1, downloads)
      self.downloadsPerHost = max(1, downloadsPerHost)
      self.requests = max(1, requests)
      self.pace = pace
    }
  }

  private let inbox: DriverQueue
  private let pace: MinimumThroughput
  private let sessionEnvironment: SessionEnvironment

  /// A session with the user agent `agent` (`media/1.0 (+https://…)`).
  ///
  /// - Parameter hosts: What is set for single hosts, by their names in ASCII, with a port or for any port.
  public init(
    agent: String, limits: Limits = Limits(), hosts: [String: HostOptions] = [:],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    pace = limits.pace
    sessionEnvironment = SessionEnvironment(agent: agent, hosts: hosts, environment: environment)
    inbox = DriverQueue(limits: limits, sessionEnvironment: sessionEnvironment)
  }

  deinit { inbox.close() }

  /// The transport of this session. The session lives as long as a copy of it.
  public var transport: Transport {
    Transport(
      send: { (request: Request) async throws(TransportError) -> Response in
        try await self.run(Transfer(request, sink: nil))
      },
      download: { (request: Request, sink: any ByteSink) async throws(TransportError) -> Response in
        try await self.run(Transfer(request, sink: sink, pace: self.pace))
      })
  }

  /// A client of this session for threads that may block. The session lives as long as a copy of it.
  public var blockingClient: BlockingClient {
    BlockingClient { request, sink throws(TransportError) in
      try self.wait(for: Transfer(request, sink: sink, pace: sink == nil ? nil : self.pace))
    }
  }

  /// Opens a WebSocket (RFC 6455). It blocks until the server agreed. The connection is not one of the session's transfers: it
  /// belongs to the caller.
  ///
  /// - Parameters:
  ///   - request: A GET whose http or https address takes WebSockets. Its fields are not sent.
  ///   - random: Unpredictable bytes, as many as asked for.
  /// - Returns: The connection.
  /// - Throws: `WebSocketError`.
  public func webSocket(
    _ request: Request, random: @escaping @Sendable (Int) -> [UInt8] = { randomBytes($0) }
  ) throws(WebSocketError) -> WebSocket {
    try WebSocket(request, sessionEnvironment, random: random)
  }

  /// Loads libcurl for a request that is expected soon. Loading takes as long as opening a library.
  public func prepare() { inbox.start() }

  /// Ends all transfers as cancelled, then ends the thread and waits for it. Later requests are cancelled.
  public func shutdown() async {
    inbox.close()
    await inbox.ended()
  }

  /// Waits on this thread. The session's own thread ends the wait, so that no other thread has to be free.
  private func wait(for transfer: Transfer) throws(TransportError) -> Response {
    let ended = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Response, TransportError>?>(nil)
    inbox.submit(transfer) { outcome in
      result.withLock { $0 = outcome }
      ended.signal()
    }
    ended.wait()
    return try (result.withLock(\.self) ?? .failure(.cancelled)).get()
  }

  private func run(_ transfer: Transfer) async throws(TransportError) -> Response {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in inbox.submit(transfer) { continuation.resume(returning: $0) } }
    } onCancel: {
      inbox.cancel(transfer)
    }
    return try result.get()
  }
}

extension Transport {
  /// A transport with a session of its own. The session ends with the last copy of the transport.
  public static func live(agent: String, limits: Session.Limits = Session.Limits()) -> Transport {
    Session(agent: agent, limits: limits).transport
  }
}
