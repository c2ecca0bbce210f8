import HTTP
import Terminal
import Wording

/// The message that a request waits.
enum Waiting {
  /// `mastodon.social asks for a pause until 14:05:10`, that it is rate limited, or that a failed request is tried again.
  static func message(for notice: WaitNotice) -> SafeText {
    let host = notice.host
    let time = MomentText().clock(notice.until)
    if notice.asked, notice.status == nil { return "\(host): rate limited until \(time)" }
    if notice.asked { return "\(host) asks for a pause until \(time)" }
    let why = notice.status.map { "answers \($0)" } ?? "does not answer"
    return "\(host) \(why), try \(notice.nextTry) follows at \(time)"
  }
}
