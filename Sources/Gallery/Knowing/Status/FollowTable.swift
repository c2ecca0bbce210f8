import FoundationEssentials
import Storage
import Web

/// The followed feeds: when each is due, when it was last read, and why it fails.
struct FollowTable {
  let reading: StatusReading

  private var times: MomentText { MomentText(reading.zone) }

  var html: HTML {
    guard !reading.follows.isEmpty else {
      return """
        <section class="card"><h2>Followed feeds</h2><p class="soft">None. <code>media follow tag:cats@mastodon.social</code> \
        lets harvests pull a feed.</p></section>
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
    let pace = (follow.every == nil ? "about every " : "every ") + NumberText.span(schedule.interval / .seconds(1))
    return """
      <tr><th scope="row"><a href="/?feed=\(follow.feed.name.queryEncoded)"><bdi>\(label)</bdi></a>\(name)</th>\
      <td data-label="State"><span class="state \(words.tone)">\(words.state)</span>\(since)\(why)\(cure)</td>\
      <td data-label="Next">\(due(schedule))<br><span class="soft">\(pace)</span></td>\
      <td data-label="Last success">\(schedule.pulledAt.map(times.html) ?? "never")</td></tr>
      """
  }

  private func due(_ schedule: Follow.Schedule) -> HTML {
    guard let due = schedule.dueAt else { return "never" }
    return Countdown.html(due, at: reading.now)
  }
}

/// The time until something is due. A script counts it down.
enum Countdown {
  static func html(_ due: Date, at now: Date) -> HTML {
    let seconds = due.timeIntervalSince(now)
    let at = Int(due.timeIntervalSince1970.rounded(.up))
    return "<span data-due=\"\(at)\">\(seconds <= 0 ? "now" : "in \(NumberText.span(seconds))")</span>"
  }
}
