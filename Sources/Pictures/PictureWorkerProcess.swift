import Glibc
import Machine

/// A running `media-picture`. `deinit` kills it and waits for its end.
package final class PictureWorkerProcess {
  /// Why the child can no longer be used.
  package enum Fault: Error, Equatable {
    /// It ended, or closed its output.
    case ended
    /// It sent nothing for too long.
    case timedOut
    /// It sent an invalid answer.
    case invalidAnswer
  }

  private let process: pid_t
  private let socket: Int32
  private let now: @Sendable () -> ContinuousClock.Instant
  private var unread: [UInt8] = []

  /// Starts the program; nil if the system cannot start it.
  ///
  /// - Parameter environment: The environment of this process. The child gets only the paths of libraries, decoders
  ///   and languages, and nothing else of the person's environment.
  package init?(
    _ program: String, _ arguments: [String], environment: [String: String],
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    let environment = ["LD_LIBRARY_PATH", "GDK_PIXBUF_MODULE_FILE", TextLanguages.folderVariable].compactMap { name in
      environment[name].map { "\(name)=\($0)" }
    }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    guard
      let process = try? Spawning.start(
        program, arguments, environment: environment, files: (ends[1], ends[1], nil))
    else {
      close(ends[0])
      return nil
    }
    (self.process, socket, self.now) = (process, ends[0], now)
  }

  deinit {
    close(socket)
    kill(process, SIGKILL)
    Spawning.wait(for: process)
  }

  /// The process id.
  package var number: pid_t { process }

  /// Waits for a greeting.
  package func greet(_ greeting: String, before deadline: ContinuousClock.Instant) throws(Fault) {
    guard try line(before: deadline) == Array(greeting.utf8.dropLast()) else { throw .invalidAnswer }
  }

  /// Waits for the answer to a request.
  func answer(
    to numbered: PictureProtocol.NumberedRequest, before deadline: ContinuousClock.Instant
  ) throws(Fault) -> Result<DrawnPicture, DrawingFailure> {
    let head = try head(of: numbered, before: deadline)
    if let failure = head.failure { return .failure(.refused(failure)) }
    let bytes = try read(head.bytes, before: deadline)
    guard PictureBytes.isPicture(bytes, numbered.request.format) else { throw .invalidAnswer }
    return .success(DrawnPicture(columns: head.columns, rows: head.rows, bytes: bytes))
  }

  private func head(
    of numbered: PictureProtocol.NumberedRequest, before deadline: ContinuousClock.Instant
  ) throws(Fault) -> PictureProtocol.Head {
    let line = try line(before: deadline)
    guard let head = try? PictureProtocol.value(PictureProtocol.Head.self, of: line), head.id == numbered.id else {
      throw .invalidAnswer
    }
    if head.failure != nil { return head }
    let request = numbered.request
    guard (1...request.columns).contains(head.columns), (1...request.rows).contains(head.rows),
      (1...PictureProtocol.mostBytes).contains(head.bytes)
    else { throw .invalidAnswer }
    return head
  }

  /// Sends a line.
  package func send(_ bytes: [UInt8]) throws(Fault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The child reads between pictures, and a request is smaller than the socket's buffer: this does not block.
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .ended }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for a line.
  package func line(before deadline: ContinuousClock.Instant) throws(Fault) -> [UInt8] {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(unread[..<end])
        unread.removeSubrange(...end)
        return line
      }
      guard unread.count < PictureProtocol.longestLine else { throw .invalidAnswer }
      unread += try receive(PictureProtocol.longestLine, before: deadline)
    }
  }

  /// Waits for the bytes that end an answer.
  package func read(_ count: Int, before deadline: ContinuousClock.Instant) throws(Fault) -> [UInt8] {
    while unread.count < count { unread += try receive(256 << 10, before: deadline) }
    guard unread.count == count else { throw .invalidAnswer }
    defer { unread = [] }
    return unread
  }

  private func receive(_ maxCount: Int, before deadline: ContinuousClock.Instant) throws(Fault) -> [UInt8] {
    while true {
      let left = now().duration(to: deadline)
      guard left > .zero else { throw .timedOut }
      // Wait briefly: `now` may be another clock than the system's.
      let wait = min(50, max(1, Int32(clamping: left.milliseconds)))
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, wait) > 0 else { continue }
      let bytes = [UInt8](unsafeUninitializedCapacity: maxCount) { buffer, count in
        count = max(0, recv(socket, buffer.baseAddress, maxCount, 0))
      }
      guard !bytes.isEmpty else { throw .ended }
      return bytes
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
