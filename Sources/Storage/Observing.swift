import Posts

// What becomes of a library while somebody looks at it, whichever process changes it. One thread watches for all
// streams of a store. They end when the store is closed, or its last copy is gone, and with an error where the library
// cannot be read.

extension Store {
  /// What is committed from now on, by this process and by others.
  ///
  /// Changes that wait for a slow reader are told as `everything` where there are too many. Commits that change nothing
  /// that is shown are not told.
  public func changes() -> AsyncThrowingStream<LibraryChange, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: LibraryChange.self,
      bufferingPolicy: .bufferingNewest(ChangeObserver.patience)
    )
    let id = watcher.add(.changes(continuation))
    continuation.onTermination = { [desk = watcher.desk] _ in desk.leave(id) }
    return stream
  }

  /// A part of a list, as `window` reads it: first the present reading, then another one whenever the rows, the
  /// sections or a count is another. A reader that is slow gets the newest reading alone.
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
    let place = WindowPlace(anchor: anchor, before: before, after: after, grouping: list.grouping)
    let id = watcher.add(.window(list, place, continuation))
    continuation.onTermination = { [desk = watcher.desk] _ in desk.leave(id) }
    return stream
  }
}
