import Harvest
import Posts
import Terminal

/// The message that pictures were put off.
enum PutOffText {
  /// `12 pictures of tag cats at … were put off until 2026-11-21 23:52: files.example takes no more requests before`
  static func line(_ putOff: PicturesPutOff, of feed: String? = nil, _ times: TimeText) -> SafeText {
    let of = feed.map { " of \(Feed.spoken($0))" } ?? ""
    let was = putOff.count == 1 ? "was" : "were"
    return """
      \(TextFormat.count(putOff.count, "picture"))\(of) \(was) put off until \(times.short(putOff.until)): \
      \(putOff.host) takes no more requests before
      """
  }
}
