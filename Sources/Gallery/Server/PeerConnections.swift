import Synchronization

/// How many connections each peer has, so that no peer alone can take all of them.
final class PeerConnections: Sendable {
  private let most: Int
  private let counts = Mutex<[String: Int]>([:])

  /// - Parameter most: The maximum number for each peer.
  init(most: Int) { self.most = most }

  /// Counts a connection.
  ///
  /// - Returns: Whether the peer may have it. `left` must be called for it then.
  func admit(_ peer: String) -> Bool {
    counts.withLock { counts in
      guard counts[peer, default: 0] < most else { return false }
      counts[peer, default: 0] += 1
      return true
    }
  }

  /// A connection that was admitted has ended.
  func left(_ peer: String) {
    counts.withLock { counts in
      let rest = counts[peer, default: 1] - 1
      counts[peer] = rest > 0 ? rest : nil
    }
  }
}
