/// The connections of a store: one that writes, and some that read beside it. One thread at a time uses each.
protocol StoreConnections: AnyObject, Sendable {
  /// The engine.
  var engine: Engine { get }
  /// Whether no connection can write.
  var isReadOnly: Bool { get }
  /// The file that others may write as well; nil if there is none.
  var file: String? { get }
  /// The file's current path, even if its folder was renamed.
  var currentPath: String? { get }
  /// The current path of the file's folder.
  var folder: String? { get }

  /// Reads from a snapshot of the last commit. `body` may run again if the connection ends, so it has no other effect.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Reads from a snapshot of the last commit. `body` runs at most once, so it may hand out what it reads.
  func stream<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Reads by one statement, or by several that need not see the same.
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Runs one transaction that writes. `body` may run again if the transaction lost against another one, so it changes
  /// nothing but rows.
  ///
  /// - Parameter durably: Whether it is durable before this returns.
  func write<Value>(durably: Bool, _ body: (Database) throws -> Value) throws -> Value

  /// Runs one statement that writes, as a transaction of its own. `body` may run again, and does no harm then.
  func writeOnce<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Runs one transaction that writes, and rolls it back.
  func trial<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Uses the writing connection without a transaction. `body` must not call it again.
  func use<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Reads on a connection that blocks nobody, for as long as it takes.
  func audit<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// The library as a thread watches it that reads whenever somebody has committed.
  func watched() throws -> any WatchedLibrary

  /// Closes the connections when their users are done. Later calls fail; closing again does nothing.
  func close()

  /// Calls `notify` after each committed transaction of these connections that changed rows.
  func addListener(_ listener: AnyObject, _ notify: @escaping @Sendable () -> Void)

  func removeListener(_ listener: AnyObject)
}

extension StoreConnections {
  /// Reads what `body` hands out.
  func stream<Value>(_ body: (Database) throws -> Value) throws -> Value { try read(body) }

  /// Runs one transaction that writes.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value { try write(durably: false, body) }

  /// Reads by one statement.
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value { try read(body) }

  /// Runs one statement that writes.
  func writeOnce<Value>(_ body: (Database) throws -> Value) throws -> Value { try write(body) }
}

/// The library as the watching thread reads it.
protocol WatchedLibrary: AnyObject {
  /// Whether another connection has committed since the last call.
  ///
  /// - Parameter hasOwnCommits: Whether this process has committed.
  func hasCommits(_ hasOwnCommits: Bool) -> Bool

  /// Reads from a snapshot of the last commit.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Whether a sign of another process's commit comes when the commit can be read, not before.
  var signalsCommits: Bool { get }

  /// Waits for a sign of a commit, or for the watcher.
  ///
  /// - Returns: Whether it was woken before the timeout, in milliseconds.
  func wait(_ watcher: DirectoryWatcher, milliseconds: Int32) -> Bool

  /// Whether a later read may succeed although this one failed.
  func mayRecover(from error: any Error) -> Bool
}

extension WatchedLibrary {
  var signalsCommits: Bool { false }
  func wait(_ watcher: DirectoryWatcher, milliseconds: Int32) -> Bool { watcher.wait(milliseconds: milliseconds) }
  func mayRecover(from error: any Error) -> Bool { false }
}
