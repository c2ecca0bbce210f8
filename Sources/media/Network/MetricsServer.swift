import Glibc
import HTTP
import LibraryMetrics
import Posts
import Serving

/// Answers `GET /metrics` at an address of this machine alone. It needs no web server: it takes one connection after another,
/// each for a bounded time, reads one head of bounded length, answers, and closes.
final class MetricsServer: Sendable {
  private let listener: Int32
  private let authorities: Set<String>
  private let text: @Sendable (MetricsForm) -> String

  /// How long a request may take, and its answer.
  private static let patience = Duration.seconds(2)

  /// Listens, and answers until `close`.
  ///
  /// - Parameters:
  ///   - endpoint: Where it listens.
  ///   - text: The metrics in a form.
  /// - Throws: `MetricsServerError` if the address cannot be had.
  init(at endpoint: MetricsEndpoint, text: @escaping @Sendable (MetricsForm) -> String) throws(MetricsServerError) {
    authorities = Set(["127.0.0.1", "localhost", "[::1]", endpoint.hostName].map { "\($0):\(endpoint.port)" })
    self.text = text
    listener = Self.listener(at: endpoint)
    guard listener >= 0 else { throw MetricsServerError(endpoint: endpoint, code: errno) }
    guard DetachedThread.start("metrics", { [self] in work() }) else {
      Glibc.close(listener)
      throw MetricsServerError(endpoint: endpoint, code: EAGAIN)
    }
  }

  /// Listens no more. The thread ends with the connection that it answers.
  func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func listener(at endpoint: MetricsEndpoint) -> Int32 {
    let family = endpoint.isVersion6 ? AF_INET6 : AF_INET
    let listener = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { return -1 }
    var yes: Int32 = 1
    // What the last worker answered keeps its port for a minute otherwise.
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    if endpoint.withSocketAddress({ bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 { return listener }
    let code = errno
    Glibc.close(listener)
    errno = code
    return -1
  }

  private func work() {
    while true {
      let connection = accept(listener, nil, nil)
      if connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        answer(connection)
        Glibc.close(connection)
      } else if errno == EINVAL {
        // It was closed.
        break
      } else if errno != EINTR, errno != ECONNABORTED {
        // Without a free file number it would be asked again at once, and again.
        _ = poll(nil, 0, 100)
      }
    }
    Glibc.close(listener)
  }

  private func answer(_ connection: Int32) {
    guard let request = request(on: connection, until: .now + Self.patience) else { return }
    let deadline = ContinuousClock.now + Self.patience
    var rest = request.answer(text)[...]
    while !rest.isEmpty, wait(for: connection, POLLOUT, until: deadline) {
      let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent > 0 { rest = rest.dropFirst(sent) } else if errno != EAGAIN, errno != EINTR { return }
    }
    // To close it before all is read that was sent would take the answer back.
    shutdown(connection, Int32(SHUT_WR))
    var piece = [UInt8](repeating: 0, count: 2048)
    while wait(for: connection, POLLIN, until: deadline), recv(connection, &piece, piece.count, 0) > 0 {}
  }

  /// What is asked; nil if whoever asks has gone.
  private func request(on connection: Int32, until deadline: ContinuousClock.Instant) -> MetricsRequest? {
    var head: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 2048)
    while wait(for: connection, POLLIN, until: deadline) {
      let count = recv(connection, &piece, piece.count, 0)
      if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return nil }
      // The end may lie across two pieces.
      let start = max(0, head.count - 3)
      head += piece.prefix(max(0, count))
      if let end = head[start...].firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
        return MetricsRequest(head: Array(head[..<end]), authorities: authorities)
      }
      if head.count >= MetricsRequest.mostBytes { return MetricsRequest(status: 431) }
    }
    return MetricsRequest(status: 408)
  }

  /// Waits until a connection can be used. Returns false at the deadline.
  private func wait(for connection: Int32, _ event: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = Int32(clamping: Int(ContinuousClock.now.duration(to: deadline) / .milliseconds(1)))
      guard left > 0 else { return false }
      var one = pollfd(fd: connection, events: Int16(event), revents: 0)
      if poll(&one, 1, left) > 0 { return true }
    }
  }
}

/// No server of metrics listens at an address.
struct MetricsServerError: ExplainedError, Equatable {
  let endpoint: MetricsEndpoint
  /// The system's reason.
  let code: Int32

  var summary: String {
    code == EADDRINUSE
      ? "port \(endpoint.port) is taken by another program"
      : "\(endpoint.hostName) cannot be listened on (\(String(cString: strerror(code))))"
  }
  var cure: String? { code == EADDRINUSE ? "choose another one with --metrics" : nil }
  var exitCode: Posts.ExitCode { .unavailable }
}
