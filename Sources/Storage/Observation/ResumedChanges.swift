// Changes for readers that come back.

extension Store {
  /// The position of the last commit that changed something shown. Whoever reads it first, then a list, and then follows
  /// the changes after it, misses none.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func changePosition() throws(StorageError) -> ChangePosition {
    try read { try PositionReader($0, of: writer).current() }
  }

  /// The commits after a position, each with the position from which a later reader continues, also in another process.
  ///
  /// A slow reader gets several commits as one change, and misses none.
  ///
  /// - Parameter position: Where an earlier reader stopped. If the changes after it are no longer listed, or the library
  ///   is not the one to which it belongs, the first element is `everything`; also if it is nil.
  /// - Returns: A stream. It ends when the store is closed, and throws if the library cannot be read.
  public func changes(after position: ChangePosition?) -> AsyncThrowingStream<PositionedChange, any Error> {
    let reader = ResumedChanges(after: position, signs: changes(startsWithEverything: true), of: watcher.registry)
    return AsyncThrowingStream { try await reader.next() }
  }
}

/// Reads what comes after a position whenever the library changed. A slow reader gets several commits as one change.
private actor ResumedChanges {
  private var signs: ChangeObserver.Changes.AsyncIterator
  private var position: ChangePosition?
  /// The store itself would never be deallocated while somebody reads.
  private let registry: ObserverRegistry

  init(after position: ChangePosition?, signs: ChangeObserver.Changes, of registry: ObserverRegistry) {
    self.signs = signs.makeAsyncIterator()
    (self.position, self.registry) = (position, registry)
  }

  func next() async throws -> PositionedChange? {
    var signs = signs
    // The first sign says that commits are watched: what is read after it misses none.
    while try await signs.next(isolation: self) != nil, !registry.isClosed {
      guard let change = try changes() else { continue }
      position = change.position
      return change
    }
    return nil
  }

  private func changes() throws -> PositionedChange? {
    let writer = registry.writer
    do {
      return try writer.read { try PositionReader($0, of: writer).changes(after: position) }
    } catch {
      if registry.isClosed { return nil }
      throw registry.explained(error)
    }
  }
}
