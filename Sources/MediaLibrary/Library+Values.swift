import Storage

extension Library {
  /// What a reading of the library returns: its value now, and each value that differs from the last one, whichever
  /// process changes the library.
  ///
  /// ```swift
  /// for try await deleted in library.values(of: { try $0.deletedPosts().count }) { badge.text = "\(deleted)" }
  /// ```
  ///
  /// The library is read after each commit that changes posts, authors or pictures. Commits that change only settings,
  /// followed feeds or coverage do not count. A slow reader skips values. Only one iterator at a time may read the
  /// stream.
  ///
  /// - Parameter read: Reads a value from the store. It runs on none of the caller's actors.
  /// - Returns: A stream. It ends when the library is closed or the reading task is cancelled. It throws what `read`
  ///   throws, and `StorageError` if the library cannot be read.
  public func values<Value: Sendable & Equatable>(
    of read: @escaping @Sendable (Store) throws -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    let values = ObservedValue(store, read)
    return AsyncThrowingStream { try await values.next() }
  }
}

/// A reading that is repeated when the library changes.
private actor ObservedValue<Value: Sendable & Equatable> {
  private let store: Store
  private let read: @Sendable (Store) throws -> Value
  private let changes: AsyncThrowingStream<LibraryChange, any Error>
  private var last: Value?

  init(_ store: Store, _ read: @escaping @Sendable (Store) throws -> Value) {
    (self.store, self.read) = (store, read)
    changes = store.changes(startsWithEverything: true)
  }

  func next() async throws -> Value? {
    // All iterators of the stream share the same changes.
    var iterator = changes.makeAsyncIterator()
    while try await iterator.next(isolation: self) != nil {
      let value: Value
      do { value = try read(store) } catch {
        // A change may still wait for its reader when the library is closed.
        if store.isClosed { return nil }
        throw error
      }
      guard value != last else { continue }
      last = value
      return value
    }
    return nil
  }
}
