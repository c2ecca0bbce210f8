// Changes of a library while it is observed, by any process. One thread serves all streams of a store. The streams end when
// the store is closed or its last copy is gone, and with an error if the library cannot be read.

extension Store {
  /// The commits from now on, by this process and others.
  ///
  /// If too many changes wait for a slow reader, it gets `everything`. Commits that change nothing shown are skipped.
  ///
  /// - Parameter startsWithEverything: Whether the first element is `everything`, as soon as commits are watched. What
  ///   is read after it misses no commit.
  /// - Returns: A stream. It ends when the store is closed, and throws if the library cannot be read.
  public func changes(startsWithEverything: Bool = false) -> AsyncThrowingStream<LibraryChange, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: LibraryChange.self,
      bufferingPolicy: .bufferingNewest(ChangeObserver.patience)
    )
    let id = watcher.add(.changes(continuation, startsWithEverything: startsWithEverything))
    continuation.onTermination = { [registry = watcher.registry] _ in registry.remove(id) }
    return stream
  }

  /// A part of a list, as `window` reads it: the present reading first, then another whenever the rows, the sections or a
  /// count differ. A slow reader gets only the newest reading.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - anchor: The key around which rows are read, or nil for the list's start.
  ///   - before: Maximum number of rows before the anchor.
  ///   - after: Maximum number of rows after the anchor.
  /// - Returns: A stream. It ends when the store is closed, and throws if the library cannot be read.
  public func observe(
    _ list: PostListQuery,
    around anchor: PostKey? = nil,
    before: Int = 0,
    after: Int = 50
  ) -> AsyncThrowingStream<PostWindowReading, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: PostWindowReading.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let position = WindowPosition(anchor: anchor, before: before, after: after)
    let id = watcher.add(.window(list, position, continuation))
    continuation.onTermination = { [registry = watcher.registry] _ in registry.remove(id) }
    return stream
  }
}
