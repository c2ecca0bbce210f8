/// An open store. Copies of a store share its session.
public protocol StoreSession: Sendable {
  /// Whether the store was closed.
  var isClosed: Bool { get }

  /// Whether a check of the whole library is due: its last writer ended without closing, and opening did not check it.
  var isUnchecked: Bool { get }

  /// Closes the store. If no other process has the library open, everything that was written is durable then.
  ///
  /// Every later read or write throws, and the streams of observers end. Closing it again does nothing.
  func close()
}
