import CCurl
import Glibc

/// A WebSocket (RFC 6455) on which a server sends texts and this program only answers pings. libcurl makes the connection: TLS,
/// proxies and certificates are those of all requests.
///
/// Its functions block. It belongs to whoever made it, on one thread at a time.
public final class WebSocket {
  /// The most bytes of a message.
  static let longestMessage = 1 << 20
  private static let longestAnswer = 16 << 10

  private let curl: Curl
  private let easy: UnsafeMutableRawPointer
  /// Owns what libcurl was given.
  private let transfer: Transfer
  private let random: @Sendable (Int) -> [UInt8]
  private var frames = WebSocketFrames(limit: longestMessage)
  private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
  private var host: String { transfer.host }
  /// The bytes that arrived.
  public private(set) var received = 0

  /// Connects, and shakes hands (RFC 6455, 4).
  init(
    _ request: Request, _ environment: SessionEnvironment, random: @escaping @Sendable (Int) -> [UInt8]
  ) throws(WebSocketError) {
    guard let curl = Curl.library, let easy = curl_shim_easy(curl.shim) else {
      throw .transport(.unreachable(host: "", reason: "libcurl cannot be loaded"))
    }
    (self.curl, self.easy, self.random) = (curl, easy, random)
    transfer = Transfer(request, sink: nil)
    guard transfer.locate(curl) else { throw .transport(.invalidURL) }
    transfer.prepare(easy, curl, environment)
    curl_shim_set_long(curl.shim, easy, CURLOPT_CONNECT_ONLY, 1)
    curl_shim_set_long(curl.shim, easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    let code = curl_shim_easy_perform(curl.shim, easy)
    guard code == CURLE_OK else {
      if case .ended(.failure(let error)) = transfer.outcome(code, easy, curl) { throw .transport(error) }
      throw .transport(.unreachable(host: transfer.host, reason: curl.message(code)))
    }
    try shakeHands(request, as: environment.agent, until: .now + request.patience)
  }

  deinit {
    curl_shim_free_easy(curl.shim, easy)
    transfer.releaseFields(curl)
    space.deallocate()
  }

  // MARK: Messages

  /// What comes next.
  public enum Event: Sendable {
    /// A whole text.
    case text([UInt8])
    /// Nothing was complete in time.
    case silence
    /// The server ended the connection.
    case ended
  }

  /// Waits for the next text.
  ///
  /// - Parameter patience: How long.
  /// - Returns: What came.
  /// - Throws: `WebSocketError`.
  public func next(within patience: Duration) throws(WebSocketError) -> Event {
    let end = ContinuousClock.now + patience
    while true {
      let message: WebSocketFrames.Message?
      do { message = try frames.next() } catch { throw .broken(host: host, error.reason) }
      switch message {
      case .text(let text): return .text(text)
      case .ping(let payload): try send(WebSocketFrames.frame(0xA, payload, mask: random(4)), until: end)
      case .close:
        close()
        return .ended
      case nil:
        guard let arrived = try receive(until: end) else { return .silence }
        if arrived.isEmpty { return .ended }
        frames.append(arrived)
      }
      // What is no text must not keep the caller waiting, however much of it comes.
      if ContinuousClock.now >= end { return .silence }
    }
  }

  /// Ends the connection (RFC 6455, 7.1.1). The server need not answer.
  public func close() {
    try? send(WebSocketFrames.frame(0x8, [0x03, 0xE8], mask: random(4)), until: .now + .seconds(1))
  }

  // MARK: The handshake

  private func shakeHands(
    _ request: Request, as agent: String, until end: ContinuousClock.Instant
  ) throws(WebSocketError) {
    let key = Digest.base64(random(16))
    let bare = request.url.firstRange(of: "://").map { request.url[$0.upperBound...] } ?? request.url[...]
    let authority = bare.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let target = bare[authority.endIndex...].prefix { $0 != "#" }
    let lines = [
      "GET \(target.hasPrefix("/") ? "" : "/")\(target) HTTP/1.1", "Host: \(authority)", "Upgrade: websocket",
      "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)", "User-Agent: \(agent)",
    ]
    try send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8), until: end)
    var head: [UInt8] = []
    while true {
      guard let arrived = try receive(until: end) else { throw .transport(.timedOut(host: host)) }
      guard !arrived.isEmpty else { throw .transport(.cut(host: host)) }
      head.append(contentsOf: arrived)
      if let gap = Self.end(of: head) {
        try check(String(decoding: head[..<gap], as: UTF8.self), key)
        head.withUnsafeBytes { frames.append(UnsafeRawBufferPointer(rebasing: $0[(gap + 4)...])) }
        return
      }
      guard head.count <= Self.longestAnswer else { throw .broken(host: host, "its answer does not end") }
    }
  }

  private static func end(of head: [UInt8]) -> Int? {
    head.indices.dropLast(3).first { head[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
  }

  /// A field's value (RFC 9110, 5.5).
  private static func trimmed(_ value: Substring) -> String {
    let start = value.drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  /// Throws if an answer does not begin a WebSocket.
  private func check(_ head: String, _ key: String) throws(WebSocketError) {
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw .transport(.noHTTP(host: host, reason: "it does not answer in HTTP"))
    }
    guard status == 101 else { throw .refused(host: host, status: status) }
    var headers = Headers()
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      if halves.count == 2 { headers.fields.append((String(halves[0]), Self.trimmed(halves[1]))) }
    }
    let accepted = Digest.base64(Digest.sha1(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    guard headers["Upgrade"]?.lowercased() == "websocket", headers["Sec-WebSocket-Accept"] == accepted,
      headers["Sec-WebSocket-Extensions"] == nil, headers["Sec-WebSocket-Protocol"] == nil
    else { throw .broken(host: host, "its handshake does not fit") }
  }

  // MARK: Bytes

  /// What arrived; empty if the server closed the connection, nil if nothing came in time.
  private func receive(until end: ContinuousClock.Instant) throws(WebSocketError) -> UnsafeRawBufferPointer? {
    while true {
      var count = 0
      let code = curl_shim_recv(curl.shim, easy, space.baseAddress, space.count, &count)
      switch code {
      case CURLE_OK:
        received += count
        return UnsafeRawBufferPointer(rebasing: space[..<count])
      case CURLE_AGAIN: guard wait(for: POLLIN, until: end) else { return nil }
      default: throw .transport(.cut(host: host))
      }
    }
  }

  private func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(WebSocketError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      var count = 0
      let code = rest.withUnsafeBytes { curl_shim_send(curl.shim, easy, $0.baseAddress, $0.count, &count) }
      rest = rest.dropFirst(count)
      guard code == CURLE_OK || code == CURLE_AGAIN && wait(for: POLLOUT, until: end) else {
        throw .transport(.cut(host: host))
      }
    }
  }

  private func wait(for event: Int32, until end: ContinuousClock.Instant) -> Bool {
    let left = Int32(max(0, min((end - .now) / .milliseconds(1), 60_000)))
    var polled = pollfd(fd: curl_shim_socket(curl.shim, easy), events: Int16(event), revents: 0)
    return poll(&polled, 1, left) > 0
  }
}
