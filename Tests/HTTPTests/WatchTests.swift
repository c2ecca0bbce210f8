import Foundation
import Synchronization
import Testing

@testable import HTTP

/// The watch beside the thread that calls libcurl.
@Suite(.timeLimit(.minutes(2))) struct WatchTests {
  /// Two connected sockets: one that is watched, and one that keeps it open.
  private struct Pair {
    let own: Int32
    let other: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
      (own, other) = (ends[0], ends[1])
    }

    /// Whether it reads as one that has ended.
    var isShut: Bool {
      var byte: UInt8 = 0
      return read(own, &byte, 1) == 0
    }

    func close() { for file in [own, other] { _ = Glibc.close(file) } }
  }

  private static func inode(of file: Int32) -> ino_t {
    var status = stat()
    return fstat(file, &status) == 0 ? status.st_ino : 0
  }

  /// Reads one of two sockets within one call until that socket is shut. `bytesRead` stands for the kernel, and is told
  /// whether it is asked about the socket that is read. Whether the busy and the idle one were shut.
  private func shut(bytesRead: @escaping @Sendable (_ isBusy: Bool) -> UInt64?) async throws -> [Bool] {
    let (busy, idle) = (try Pair(), try Pair())
    defer { for pair in [busy, idle] { pair.close() } }
    let inode = Self.inode(of: busy.own)
    let sockets = OpenSockets { bytesRead(Self.inode(of: $0) == inode) }
    for pair in [busy, idle] { sockets.note(pair.own) }
    let watch = CallWatchdog(sockets: sockets, longest: .milliseconds(20))
    defer { watch.end() }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        watch.watchThisThread()
        watch.setNeeded(true)
        watch.during { while !busy.isShut {} }
        continuation.resume()
      }
    }
    // It is noted what was shut when all of it is.
    while watch.drainShutPorts().isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    return [busy, idle].map(\.isShut)
  }

  @Test func `if the kernel reports reads, only the socket that holds the thread is shut`()
    async throws
  {
    let count = Mutex<UInt64>(0)
    let shut = try await shut { isBusy in
      guard isBusy else { return 0 }
      return count.withLock { count in
        count += 1
        return count
      }
    }
    #expect(shut == [true, false])
  }

  @Test func `if the kernel does not report reads, a long call loses all its sockets`() async throws {
    #expect(try await shut { _ in nil } == [true, true])
  }
}
