import Foundation
import Synchronization

/// The live network: one session a process, one thread that owns every transfer, connections kept and reused.
///
/// Nothing is loaded and no thread runs before the first request, or the first task of its executor. Proxies
/// (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`), certificates (`CURL_CA_BUNDLE`, `SSL_CERT_FILE`,
/// `SSL_CERT_DIR`) and `~/.netrc` (`NETRC`) of the environment are honoured as the `curl` command does. Only a GET by
/// `send` that brings no credentials and stays at its origin looks into `.netrc`: no host that a stranger's post names
/// is told what it holds.
public final class Session: Sendable {
  /// How much is under way at once.
  public struct Limits: Sendable {
    /// Downloads at once.
    public var downloads: Int
    /// Downloads at once from one host.
    public var downloadsPerHost: Int
    /// Requests at once: a lane of their own, so that none waits behind pictures.
    public var requests: Int
    /// What each download must bring.
    public var pace: Pace

    /// Limits; 16 downloads, all of them from one host if need be, and 6 requests beside them.
    public init(downloads: Int = 16, downloadsPerHost: Int = 16, requests: Int = 6, pace: Pace = .slowest) {
      self.downloads = max(1, downloads)
      self.downloadsPerHost = max(1, downloadsPerHost)
      self.requests = max(1, requests)
      self.pace = pace
    }
  }

  private let inbox: Inbox
  private let pace: Pace

  /// A session that names itself `agent` to servers (`media/1.0 (+https://…)`).
  public init(
    agent: String, limits: Limits = Limits(), environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    pace = limits.pace
    inbox = Inbox(limits: limits, surroundings: Surroundings(agent: agent, environment: environment))
  }

  deinit { inbox.close() }

  /// The door to this session; the session lives as long as a copy of it.
  public var transport: Transport {
    Transport(
      send: { (request: Request) async throws(TransportError) -> Response in
        try await self.run(Transfer(request, sink: nil))
      },
      download: { (request: Request, sink: any ByteSink) async throws(TransportError) -> Response in
        try await self.run(Transfer(request, sink: sink, pace: self.pace))
      })
  }

  /// The session's thread, for tasks that do little between their downloads: each that ends would wake another thread else.
  /// What such a task does holds up every transfer, so that a call that blocks belongs elsewhere.
  public var executor: any TaskExecutor { inbox }

  /// Gets ready for a request that is soon to come: what libcurl loads takes as long as a library takes to open.
  public func prepare() { inbox.start() }

  /// Ends what is under way as cancelled, then the thread; returns when it has ended. Later requests are cancelled.
  public func shutdown() async {
    inbox.close()
    await inbox.ended()
  }

  private func run(_ transfer: Transfer) async throws(TransportError) -> Response {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { inbox.submit(transfer, $0) }
    } onCancel: {
      inbox.cancel(transfer)
    }
    return try result.get()
  }
}

extension Transport {
  /// The live network behind a session of its own, which ends with the last copy of the transport.
  public static func live(agent: String, limits: Session.Limits = Session.Limits()) -> Transport {
    Session(agent: agent, limits: limits).transport
  }
}
