import Posts

// Changes of a library while it is observed, by any process. One thread serves all streams of a store. The streams end when
// the store is closed or its last copy is gone, and with an error if the library cannot be read.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func changes(startsWithEverything: Bool = false) -> AsyncThrowingStream<LibraryChange, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: LibraryChange.self,
      bufferingPolicy: .bufferingNewest(ChangeObserver.patience)
    )
    let id = watcher.add(.changes(continuation, startsWithEverything: startsWithEverything))
    continuation.onTermination = { [registry = watcher.registry] _ in registry.remove(id) }
    return stream
  }

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
    let position = WindowPosition(anchor: anchor, before: before, after: after, grouping: list.grouping)
    let id = watcher.add(.window(list, position, continuation))
    continuation.onTermination = { [registry = watcher.registry] _ in registry.remove(id) }
    return stream
  }
}
