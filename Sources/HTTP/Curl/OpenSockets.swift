import CCurl
import Glibc
import Synchronization

/// The sockets that libcurl created. Another thread can inspect them and shut them down while libcurl uses them.
///
/// libcurl closes sockets and does not always say so, and a closed descriptor number may be any other file a moment
/// later. So each socket is known by its inode. Each use duplicates its descriptor first and checks the inode
/// of the duplicate.
final class OpenSockets: Sendable {
  private let inodes = Mutex<[Int32: ino_t]>([:])
  private let bytesRead: @Sendable (Int32) -> UInt64?

  /// No sockets yet. `bytesRead` returns the number of bytes read from a socket, nil if the kernel does not report it.
  init(bytesRead: @escaping @Sendable (Int32) -> UInt64? = OpenSockets.bytesRead(of:)) { self.bytesRead = bytesRead }

  /// Creates the socket that libcurl asks for. Returns a negative number on failure.
  func open(_ address: curl_sockaddr) -> curl_socket_t {
    let created = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
    if created >= 0 { note(created) }
    return created
  }

  /// Records a socket that was created.
  func note(_ socket: Int32) { inodes.withLock { $0[socket] = Self.inode(of: socket) } }

  /// The number of bytes read from each socket since it was connected.
  func read() -> [Int32: UInt64] {
    var all: [Int32: UInt64] = [:]
    for (socket, inode) in inodes.withLock({ $0 }) {
      all[socket] = withDuplicate(socket, inode, bytesRead) ?? nil
    }
    return all
  }

  /// Shuts down those of the sockets that are open, so that reads and writes on them end. Returns their local ports.
  func shut(_ sockets: some Collection<Int32>) -> Set<Int> {
    let known = inodes.withLock { $0 }
    let ports = sockets.compactMap { socket -> Int? in
      guard let inode = known[socket] else { return nil }
      return withDuplicate(socket, inode) { duplicate in
        let port = Self.localPort(of: duplicate)
        _ = shutdown(duplicate, Int32(SHUT_RDWR))
        return port
      }
    }
    return Set(ports)
  }

  /// All sockets that may be open.
  var all: [Int32] { inodes.withLock { Array($0.keys) } }

  /// Calls `body` with a duplicate descriptor of a socket. If the socket was closed, forgets it and returns nil.
  private func withDuplicate<Value>(_ socket: Int32, _ inode: ino_t, _ body: (Int32) -> Value) -> Value? {
    let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    defer { if duplicate >= 0 { close(duplicate) } }
    if duplicate >= 0, Self.inode(of: duplicate) == inode { return body(duplicate) }
    inodes.withLock { if $0[socket] == inode { $0[socket] = nil } }
    return nil
  }

  private static func inode(of file: Int32) -> ino_t {
    var info = stat()
    return fstat(file, &info) == 0 ? info.st_ino : 0
  }

  /// The bytes received less those not read yet; nil if the kernel does not report them. The kernel's `tcp_info` is
  /// longer than the one that glibc declares: `tcpi_bytes_received` begins at byte 128 (linux/tcp.h, since Linux 4.1).
  static func bytesRead(of socket: Int32) -> UInt64? {
    let offset = 128
    var waiting: Int32 = 0
    guard ioctl(socket, UInt(FIONREAD), &waiting) == 0 else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { info in
      var size = socklen_t(info.count)
      guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, info.baseAddress, &size) == 0, size >= offset + 8
      else { return nil }
      let received = info.load(fromByteOffset: offset, as: UInt64.self)
      return received - min(received, UInt64(max(0, waiting)))
    }
  }

  private static func localPort(of socket: Int32) -> Int {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) == 0 }
    }
    // sin_port and sin6_port have the same offset.
    return isKnown
      ? withUnsafeBytes(of: &address) { Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))) } : 0
  }
}
