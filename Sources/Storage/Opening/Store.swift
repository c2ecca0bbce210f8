// The library's rows. Every write is one transaction: all of a call's changes are stored, or none.

/// The posts, authors, picture states and coverage of one library. It is a value: copies use the same connections.
///
/// A library is kept by one of two engines. In a SQLite file, pulls are written with `synchronous = NORMAL`: a killed
/// process loses nothing, and a power loss may lose the last pages, each with its cursor, so that they are pulled again.
/// What a person did is synced to the disk before the call returns. In PostgreSQL the server's settings decide.
///
/// Each call says what it promises. Calls of one subject also promise this:
///
/// - Reading: every call reads one snapshot. A commit by another process is in it whole, or not at all. All counts are
///   exact, and leave out deleted posts unless the list shows them.
/// - Numbers of posts are opaque. They name rows of this store, are never used twice, and another store of the same posts
///   has others. A key (`PostKey`) stays valid when its post leaves the list.
/// - Pulls: a page is stored whole with its coverage and the pull's cursor, or not at all. A process that is killed at any
///   moment leaves no posts without coverage, and no coverage without posts. Coverage claims only what the server's order
///   proves. One pull of a feed writes at a time: the caller holds the feed's lock, and a pull that was overtaken
///   nevertheless throws `StorageError.overtaken` and changes nothing.
/// - A gap is named by its two ends (`Gap`). One that another pull has closed meanwhile yields nil, not an error.
/// - Pictures are pending, stored, failed with a time to try again, skipped, or gone. A task (`PictureTask`) is a snapshot.
///   A result for a picture that changed meanwhile is dropped, so a late result never replaces a newer picture.
/// - A person's changes are on disk when their call returns, and survive a loss of power. No pull undoes a deletion.
/// - Budgets: no two processes interleave a change. What one reserved, no other can spend.
/// - An import is a feed of kind `import`. It claims no coverage: what it brought says nothing about what it did not bring.
/// - Records name things by their identity: feeds by name, authors and posts by source and URI, pictures by hash. The
///   numbers of a library may differ from those of another; the relations do not.
/// - All times are the caller's, but those of leases.
public struct Store: Sendable {
  let writer: any StoreConnections
  /// Where the library is, as messages say it: the path of a file, or an address without its password.
  let path: String
  /// Whether writes are refused, although the connection could write.
  private let isForReading: Bool
  /// Whether a check of the whole library is due: the last process to write exited without closing, and the library is
  /// too large to be checked while a command waits.
  public let isUnchecked: Bool
  /// Limits how many rows of the feeds' records move in one transaction.
  var moves = MoveLimit()
  let watcher: LibraryWatcher
  let postMonths: PostMonthIndex

  /// The store of connections to a library that has the newest schema.
  init(_ writer: any StoreConnections, path: String, isUnchecked: Bool = false, isForReading: Bool = false) {
    self.writer = writer
    self.path = path
    self.isUnchecked = isUnchecked
    self.isForReading = isForReading
    watcher = LibraryWatcher(writer, path: path)
    postMonths = PostMonthIndex(of: writer)
  }

  /// The same library with another watcher.
  init(watching store: Store, _ watcher: LibraryWatcher) {
    (writer, path, isUnchecked) = (store.writer, store.path, store.isUnchecked)
    (isForReading, moves, postMonths) = (store.isForReading, store.moves, store.postMonths)
    self.watcher = watcher
  }

  /// Whether the library was closed.
  public var isClosed: Bool { watcher.registry.isClosed }

  /// Closes the library. If no other process has it open, everything that was written is durable then, and in one file.
  ///
  /// Every later read or write throws, and the streams of observers end. Closing it again does nothing.
  public func close() {
    guard watcher.stop() else { return }
    writer.close()
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    do { return try writer.read(body) } catch { throw explained(error) }
  }

  /// Reads what `body` hands out before it has ended. It runs at most once.
  func stream<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    do { return try writer.stream(body) } catch { throw explained(error) }
  }

  /// Reads by one statement.
  func readOnce<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    do { return try writer.readOnce(body) } catch { throw explained(error) }
  }

  /// Runs one transaction that writes. It may run more than once.
  func write<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    try refuseWhereRead()
    do { return try writer.write { try $0.indexing(body) } } catch { throw explained(error) }
  }

  /// Runs one statement that writes and may run more than once.
  func writeOnce<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    try refuseWhereRead()
    do { return try writer.writeOnce(body) } catch { throw explained(error) }
  }

  /// Runs one transaction that writes, which is durable before this returns. It may run more than once.
  func writeDurably<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    try refuseWhereRead()
    do { return try writer.write(durably: true) { try $0.indexing(body) } } catch { throw explained(error) }
  }

  /// Runs one transaction that writes, and rolls it back, also where the store is open to be read.
  func trial<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    do { return try writer.trial(body) } catch { throw explained(error) }
  }

  /// Uses the writing connection without a transaction.
  func alone<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    try refuseWhereRead()
    return try aside(body)
  }

  /// Uses the writing connection for what stores nothing, also where the store is open to be read.
  func aside<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    do { return try writer.use(body) } catch { throw explained(error) }
  }

  private func refuseWhereRead() throws(StorageError) {
    if isForReading { throw .openedForReading(path: path) }
  }

  func explained(_ error: any Error) -> StorageError { StorageError(error, path: path) }
}
