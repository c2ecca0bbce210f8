import Synchronization

/// The server's ids of accounts by their names, as far as they were looked up.
final class KnownAccounts: Sendable {
  private let ids = Mutex<[String: String]>([:])

  /// The id of a name; nil where it was not looked up.
  subscript(name: String) -> String? {
    get { ids.withLock { $0[name] } }
    set { ids.withLock { $0[name] = newValue } }
  }
}
