import Synchronization

/// The server's ids of the account names looked up so far.
final class KnownAccounts: Sendable {
  private let ids = Mutex<[String: String]>([:])

  /// The id of a name; nil if it was not looked up.
  subscript(name: String) -> String? {
    get { ids.withLock { $0[name] } }
    set { ids.withLock { $0[name] = newValue } }
  }
}
