import Harvest
import Posts
import Terminal
import Wording

/// The messages that a pull does not take all files of a feed.
enum LimitText {
  /// `https://…/feed: its files are 15.2 GB as it declares, and a pull takes 1 GB: the others wait, unless --max-total says more`
  static func declared(_ bytes: Int64, most: Int64, of feed: SafeText) -> SafeText {
    """
    \(feed): its files are \(NumberText.bytes(Int(bytes))) as it declares, and a pull takes \(FileLimits.size(most)): the others \
    wait, unless --max-total says more
    """
  }

  /// `2 posts are longer than is kept`
  static func shortened(_ posts: Int) -> SafeText {
    "\(NumberText.count(posts, "post")) \(posts == 1 ? "is" : "are") longer than is kept"
  }

  /// `3 files of https://…/feed wait, past the first 1 GB of its pull: --max-total takes more, "media pictures" single ones`
  static func waiting(_ summary: PullSummary, most: Int64?) -> SafeText? {
    let count = summary.media.pastTotal
    guard count > 0 else { return nil }
    return """
      \(NumberText.count(count, "file")) of \(Feed.spoken(summary.feed)) \(count == 1 ? "waits" : "wait"), past the first \
      \(FileLimits.size(most ?? FileLimits.usualTotal)) of its pull: --max-total takes more, \
      "media pictures" takes those of single posts
      """
  }
}
