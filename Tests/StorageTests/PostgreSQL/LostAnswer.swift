import Folders
import Foundation
import Glibc
import Synchronization
import Testing

/// Stands between a store and its PostgreSQL server, and cuts one connection at its commit.
final class LostAnswer: Sendable {
  /// When it cuts the connection.
  enum Moment: CaseIterable {
    /// The server never hears of the commit, and the transaction's connection ends.
    case beforeCommit
    /// The same, and the server does not notice at once that the connection has ended.
    case beforeCommitUnnoticed
    /// The server has committed.
    case afterCommit
  }

  private let scratch: Scratch
  private let server: String
  private let moment: Moment
  private let listener: Int32
  private let isArmed = Atomic(false)

  /// The connection string of the way through it.
  let address: String

  init(of address: String, _ moment: Moment) throws {
    (scratch, self.moment) = (try Scratch(), moment)
    let folder = try #require(address.firstMatch(of: /host=(\S+)/)?.1)
    server = "\(folder)/.s.PGSQL.5432"
    self.address = address.replacing(folder, with: scratch.path)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let own = listener
    guard Self.with("\(scratch.path)/.s.PGSQL.5432", { Glibc.bind(own, $0, $1) }) == 0, listen(listener, 16) == 0 else {
      throw POSIXError(.EADDRINUSE)
    }
    Thread.detachNewThread { [self] in
      while case let client = accept(listener, nil, nil), client >= 0 { forward(client) }
    }
  }

  /// Lets it cut the next commit.
  func arm() { isArmed.store(true, ordering: .releasing) }

  func end() { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private func forward(_ client: Int32) {
    let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.with(server, { connect(upstream, $0, $1) }) == 0 else { return end(client, upstream) }
    let cut = Shared()
    Thread.detachNewThread { [self] in
      Self.pump(client, upstream) { bytes in
        guard bytes.contains("COMMIT"), isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return true }
        if moment == .afterCommit {
          cut.isCut.store(true, ordering: .releasing)
          return true
        }
        shutdown(client, Int32(SHUT_RDWR))
        if moment == .beforeCommitUnnoticed { usleep(300_000) }
        return false
      }
      shutdown(upstream, Int32(SHUT_RDWR))
    }
    Thread.detachNewThread { [self] in
      Self.pump(upstream, client) { bytes in !(cut.isCut.load(ordering: .acquiring) && bytes.contains("COMMIT")) }
      end(client, upstream)
    }
  }

  /// What both directions of a connection share.
  private final class Shared: Sendable {
    let isCut = Atomic(false)
  }

  private func end(_ client: Int32, _ upstream: Int32) {
    for file in [client, upstream] { shutdown(file, Int32(SHUT_RDWR)) }
  }

  /// Passes bytes on for as long as `isPassed` says.
  private static func pump(_ source: Int32, _ target: Int32, _ isPassed: (String) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
      guard isPassed(String(decoding: buffer[..<count], as: UTF8.self)) else { return }
      var sent = 0
      while sent < count {
        let written = buffer.withUnsafeBytes {
          send(target, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { return }
        sent += written
      }
    }
  }
}
