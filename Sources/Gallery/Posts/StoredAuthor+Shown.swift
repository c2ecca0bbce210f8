import Storage

extension StoredAuthor {
  /// The name as pages show it, or the handle of somebody without one. Whoever chose it may have written a book.
  var shownName: String { (name.isEmpty ? handle : name).beginning(bytes: Self.longest) }

  /// The handle as pages show it.
  var shownHandle: String { handle.beginning(bytes: Self.longest) }

  private static let longest = 120
}
