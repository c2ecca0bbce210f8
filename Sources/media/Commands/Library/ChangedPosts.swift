import FoundationEssentials
import Storage
import Terminal

/// The posts that a command changed, and the numbers that no post has.
struct ChangedPosts {
  var changed: [Int64] = []
  var unknown: [Int64] = []
  /// When they were deleted or restored, if not now.
  var time: Date?

  /// What is said where all was so already.
  static let unchanged: SafeText = "It was so before: nothing changed."

  /// Says that nothing was changed, because no post fits or the person said no.
  static func sayNone(_ key: String, _ console: Console, json: Bool) throws {
    if json { try console.result(try JSONText.line([key: [Int64]()])) } else { console.message("Nothing was changed.") }
  }

  /// Reports the changes. Throws if no post has one of the ids.
  func say(_ key: String, _ console: Console, json: Bool, changed text: SafeText, unchanged: SafeText) throws {
    if json {
      try console.result(try JSONText.line([key: changed]))
    } else if !changed.isEmpty || unknown.isEmpty {
      console.message(changed.isEmpty ? unchanged : text)
    }
    try sayUnknown(console, isAll: changed.isEmpty)
  }

  /// Reports the numbers that no post has.
  ///
  /// - Parameter isAll: Whether nothing else was changed.
  func sayUnknown(_ console: Console, isAll: Bool) throws {
    guard !unknown.isEmpty else { return }
    let error = StorageError.unknownPosts(unknown)
    if isAll { throw error }
    console.error("media: \(error)")
    throw ExitHandling.Quiet(code: .partial)
  }
}
