import Posts
import Storage

/// The attachment has no stored bytes.
struct NotStored: ExplainedError, Equatable {
  let post: Int64
  let number: Int
  let state: PictureState

  var summary: String { "attachment \(number) of post \(post) is not stored (\(state.rawValue))" }
  var cure: String? { "\"media pictures \(post)\" downloads it" }
  var exitCode: ExitCode { .storage }
}
