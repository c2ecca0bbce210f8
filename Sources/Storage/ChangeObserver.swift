/// Hands over what changed. Nothing is lost to a reader that is slow: it is told that everything may have changed.
struct ChangeObserver {
  typealias Changes = AsyncThrowingStream<LibraryChange, any Error>

  /// How many changes wait for a reader.
  static let patience = 64

  let changes: Changes.Continuation

  func follow(_ change: LibraryChange) {
    if case .dropped = changes.yield(change) { changes.yield(.everything) }
  }

  func finish(_ error: (any Error)? = nil) { changes.finish(throwing: error) }
}
