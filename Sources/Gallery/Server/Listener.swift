import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

/// Listens on one address.
struct Listener: Sendable {
  let responder: RouterResponder<GalleryContext>
  let limits: ConnectionLimits
  let tls: TLSConfiguration?
  let host: String

  /// Serves in a task of the group.
  ///
  /// - Parameter port: The port; 0 for any free one.
  /// - Returns: The port, once requests can come.
  /// - Throws: `GalleryError` if the address cannot be used.
  func start(at port: Int, in group: inout ThrowingTaskGroup<Void, any Error>) async throws -> Int {
    let (ports, tell) = AsyncThrowingStream.makeStream(of: Int.self)
    let application = try application(at: port) { tell.yield($0) }
    let service = ServiceGroup(configuration: .init(services: [application], logger: Self.silent))
    group.addTask { [host] in
      do {
        try await Self.run(service)
        tell.finish()
      } catch {
        let reason = (error as? IOError).map { GalleryError($0, host: host, port: port) } ?? error
        tell.finish(throwing: reason)
        throw reason
      }
    }
    for try await port in ports { return port }
    throw CancellationError()
  }

  /// Runs until the task is cancelled, and then until the requests that have begun are answered.
  ///
  /// The server is asked to end, not cancelled: a cancelled one drops the connections that it has accepted and not yet
  /// served, and NIO ends the process over each.
  private static func run(_ service: ServiceGroup) async throws {
    // Awaited here, so that it ends with this call.
    let work = Task { try await service.run() }
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      // `work` ends when this is done.
      Task { await service.triggerGracefulShutdown() }
    }
  }

  private static var silent: Logger {
    var logger = Logger(label: "gallery")
    logger.logLevel = .critical
    return logger
  }

  private func application(
    at port: Int, _ onReady: @escaping @Sendable (Int) -> Void
  ) throws -> Application<RouterResponder<GalleryContext>> {
    let silent = Self.silent
    return Application(
      responder: responder, server: try server(),
      configuration: .init(
        address: .hostname(host, port: port), serverName: "media",
        availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: silent)),
      onServerRunning: { channel in channel.localAddress?.port.map(onReady) },
      logger: silent)
  }

  private func server() throws -> HTTPServerBuilder {
    let (limits, peers) = (limits, PeerConnections(most: limits.connectionsOfPeer))
    let plain = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [ConnectionGuard(limits: limits, peers: peers)],
        idleTimeout: TimeAmount(limits.idle),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.headerBytes / 2, maxHeaderListSize: limits.headerBytes,
          maxHeaderFieldCount: limits.headerFields)))
    return try tls.map { try .tls(plain, tlsConfiguration: $0) } ?? plain
  }
}

extension CertificateFiles {
  /// The settings of TLS with the certificate.
  ///
  /// - Throws: `GalleryError` if a file cannot be read, or the key is of another certificate.
  func configuration() throws -> TLSConfiguration {
    for path in [certificate, key] where access(path, F_OK) != 0 && errno == ENOENT { throw GalleryError.noFile(path) }
    guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate), !chain.isEmpty else {
      throw GalleryError.badCertificate(certificate)
    }
    guard let key = try? NIOSSLPrivateKey(file: key, format: .pem) else { throw GalleryError.badCertificate(key) }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    // Nothing else about it can be wrong by now.
    guard (try? NIOSSLContext(configuration: configuration)) != nil else { throw GalleryError.otherKey }
    return configuration
  }
}
