import CCurl
import Glibc
import Synchronization

/// The sockets that libcurl had made, for another thread to look at and to shut while libcurl uses them.
///
/// libcurl closes them and does not always say so, and a number that was closed may be anybody's file a moment later. So
/// each is known by its inode, and whoever touches one holds a descriptor of its own, whose inode is looked at first.
final class OpenSockets: Sendable {
  private let inodes = Mutex<[Int32: ino_t]>([:])
  private let bytesRead: @Sendable (Int32) -> UInt64?

  /// No sockets yet. `bytesRead` tells how many bytes were read from a socket; nil where the kernel does not tell.
  init(bytesRead: @escaping @Sendable (Int32) -> UInt64? = OpenSockets.bytesRead(of:)) { self.bytesRead = bytesRead }

  /// Makes the socket that libcurl asks for; below zero where there is none.
  func open(_ address: curl_sockaddr) -> curl_socket_t {
    let made = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
    if made >= 0 { note(made) }
    return made
  }

  /// Takes a socket that was made.
  func note(_ socket: Int32) { inodes.withLock { $0[socket] = Self.inode(of: socket) } }

  /// How many bytes were read from each since it was connected.
  func read() -> [Int32: UInt64] {
    var all: [Int32: UInt64] = [:]
    for (socket, inode) in inodes.withLock({ $0 }) {
      all[socket] = withOwn(socket, inode, bytesRead) ?? nil
    }
    return all
  }

  /// Shuts those of these that are open, so that whoever reads or writes them comes to their end; their local ports.
  func shut(_ sockets: some Collection<Int32>) -> Set<Int> {
    let known = inodes.withLock { $0 }
    let ports = sockets.compactMap { socket -> Int? in
      guard let inode = known[socket] else { return nil }
      return withOwn(socket, inode) { own in
        let port = Self.localPort(of: own)
        _ = shutdown(own, Int32(SHUT_RDWR))
        return port
      }
    }
    return Set(ports)
  }

  /// All that may be open.
  var all: [Int32] { inodes.withLock { Array($0.keys) } }

  /// Does something with a second descriptor of a socket; nil where it was closed, which is then forgotten.
  private func withOwn<Value>(_ socket: Int32, _ inode: ino_t, _ body: (Int32) -> Value) -> Value? {
    let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    defer { if own >= 0 { close(own) } }
    if own >= 0, Self.inode(of: own) == inode { return body(own) }
    inodes.withLock { if $0[socket] == inode { $0[socket] = nil } }
    return nil
  }

  private static func inode(of file: Int32) -> ino_t {
    var facts = stat()
    return fstat(file, &facts) == 0 ? facts.st_ino : 0
  }

  /// What came less what waits to be read; nil where the kernel does not tell. Its own `tcp_info` is longer than the one
  /// that glibc declares: `tcpi_bytes_received` begins at byte 128 (linux/tcp.h, since Linux 4.1).
  static func bytesRead(of socket: Int32) -> UInt64? {
    let place = 128
    var waiting: Int32 = 0
    guard ioctl(socket, UInt(FIONREAD), &waiting) == 0 else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { facts in
      var size = socklen_t(facts.count)
      guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, facts.baseAddress, &size) == 0, size >= place + 8
      else { return nil }
      let came = facts.load(fromByteOffset: place, as: UInt64.self)
      return came - min(came, UInt64(max(0, waiting)))
    }
  }

  private static func localPort(of socket: Int32) -> Int {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) == 0 }
    }
    // sin_port and sin6_port lie at one place.
    return isKnown
      ? withUnsafeBytes(of: &address) { Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))) } : 0
  }
}
