import Harvest
import Posts
import Terminal

/// That pictures of a feed were put off.
enum PutOffText {
  /// `12 pictures of tag cats at … were put off until 2026-11-21 23:52: files.example takes no more requests before`
  static func line(_ putOff: PicturesPutOff, of feed: String, _ times: TimeText) -> Inert {
    let was = putOff.count == 1 ? "was" : "were"
    return """
      \(Words.count(putOff.count, "picture")) of \(Feed.spoken(feed)) \(was) put off until \(times.short(putOff.until)): \
      \(putOff.host) takes no more requests before
      """
  }
}
