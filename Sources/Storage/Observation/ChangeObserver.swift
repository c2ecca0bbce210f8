/// Delivers changes. A slow reader loses nothing: it gets `everything`.
struct ChangeObserver {
  typealias Changes = AsyncThrowingStream<LibraryChange, any Error>

  /// Maximum number of changes that wait for a reader.
  static let patience = 64

  let changes: Changes.Continuation

  func follow(_ change: LibraryChange) {
    if case .dropped = changes.yield(change) { changes.yield(.everything) }
  }

  func finish(_ error: (any Error)? = nil) { changes.finish(throwing: error) }
}
