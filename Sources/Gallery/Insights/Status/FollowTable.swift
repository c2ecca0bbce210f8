import FoundationEssentials
import Storage
import Web
import Wording

/// The followed feeds: when each is due, when it was last read, and why it fails.
struct FollowTable {
  let reading: StatusReading

  private var times: MomentText { MomentText(reading.zone) }

  var html: HTML {
    guard !reading.follows.isEmpty else {
      return """
        <section class="card"><h2>Followed feeds</h2><p class="soft">None. <a href="/pull">Pull a feed and follow it</a>, or run \
        <code>media follow tag:cats@mastodon.social</code>.</p></section>
        """
    }
    // What needs a person comes first.
    let follows = reading.follows.sorted { rank($0) < rank($1) }
    return """
      <section class="card"><h2>Followed feeds</h2><table class="follows"><thead><tr><th scope="col">Feed</th>\
      <th scope="col">State</th><th scope="col">Next</th><th scope="col">Last success</th></tr></thead>
      <tbody>\(HTML.joined(follows.map(row), separator: "\n"))</tbody></table></section>
      """
  }

  private func rank(_ follow: Follow) -> (Int, String) {
    let order: [Follow.State] = [.login, .gone, .failing, .limited, .new, .well]
    return (order.firstIndex(of: follow.schedule.state) ?? order.count, reading.label(follow.feed).lowercased())
  }

  private func row(_ follow: Follow) -> HTML {
    let (schedule, words) = (follow.schedule, FollowText(follow))
    let label = reading.label(follow.feed)
    let name: HTML = label == follow.feed.name ? "" : "<br><span class=\"soft\"><bdi>\(follow.feed.name)</bdi></span>"
    let since: HTML = schedule.failingSince.map { " <span class=\"soft\">since \(times.html($0))</span>" } ?? ""
    let why: HTML = schedule.failure.map { "<br><span dir=\"auto\">\($0)</span>" } ?? ""
    let cure: HTML = words.cure.map { "<br><span class=\"soft\">To try:</span> <code>\($0)</code>" } ?? ""
    let pace = words.pace
    return """
      <tr><th scope="row"><a href="/?feed=\(follow.feed.name.queryEncoded)"><bdi>\(label)</bdi></a>\(name)</th>\
      <td data-label="State"><span class="state \(schedule.state.tone)">\(words.state)</span>\(since)\(why)\(cure)</td>\
      <td data-label="Next">\(due(schedule))<br><span class="soft">\(pace)</span></td>\
      <td data-label="Last success">\(schedule.pulledAt.map(times.html) ?? "never")</td></tr>
      """
  }

  private func due(_ schedule: Follow.Schedule) -> HTML {
    guard let due = schedule.dueAt else { return "never" }
    return Countdown.html(due, at: reading.now)
  }
}

/// The time until something is due, or since it was. A script counts on.
enum Countdown {
  /// A harvest that comes by itself each minute would have begun by then. In seconds.
  static let patience: TimeInterval = 120

  static func html(_ due: Date, at now: Date) -> HTML {
    "<span data-due=\"\(seconds(due))\">\(words(due.timeIntervalSince(now)))</span>"
  }

  private static func words(_ left: TimeInterval) -> String {
    if left > 0 { return "due in \(NumberText.span(left))" }
    return left > -patience ? "due now" : "was due \(NumberText.span(-left, units: 1)) ago"
  }

  fileprivate static func seconds(_ moment: Date) -> Int { Int(moment.timeIntervalSince1970.rounded(.up)) }
}

/// How to pull what is due, shown once it seems that nothing else does. The gallery does not pull by itself, and does not
/// know what is scheduled.
struct OverdueNote {
  let due: Date
  let reading: StatusReading
  /// Whether the gallery is served for reading only.
  let isReadOnly: Bool

  var html: HTML {
    let start = due + Countdown.patience
    let hidden: HTML = reading.now < start ? " hidden" : ""
    let now: HTML = isReadOnly ? "" : " Press <kbd>r</kbd> in <a href=\"/\">all posts</a> to pull it now."
    return """
      <p class="overdue" data-overdue="\(Countdown.seconds(start))"\(hidden)>Nothing has pulled what is due since \
      \(MomentText(reading.zone).html(due)).\(now) If no harvests are scheduled, \(schedule)</p>
      """
  }

  private var schedule: HTML {
    reading.space.store == nil
      ? "let a service manager run <code>media harvest --workers 4</code>."
      : "<code>media schedule install</code> schedules them."
  }
}
