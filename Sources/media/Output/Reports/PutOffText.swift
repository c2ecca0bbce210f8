import Harvest
import Posts
import Terminal
import Wording

/// The message that pictures were put off.
enum PutOffText {
  /// `12 pictures of tag cats at … were put off until 2026-11-21 23:52: files.example takes no more requests before`
  static func line(_ putOff: PicturesPutOff, of feed: String? = nil, _ times: MomentText) -> SafeText {
    let of = feed.map { " of \(Feed.spoken($0))" } ?? ""
    let was = putOff.count == 1 ? "was" : "were"
    return """
      \(NumberText.count(putOff.count, "picture"))\(of) \(was) put off until \(times.minute(putOff.until)): \
      \(putOff.host) takes no more requests before
      """
  }
}
