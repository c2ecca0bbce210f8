import FoundationEssentials
import Posts
import Storage
import Web
import Wording

/// Pulls posts without knowing the names of feeds: a form, what runs, and what is followed.
struct PullPage {
  let fields: Fields
  let feeds: [Feed]
  let follows: [Follow]
  let isReadOnly: Bool
  let now: Date

  var html: HTML {
    PageFrame.html(
      "Pull", .pull, scripts: isReadOnly ? [] : ["pull.js"],
      """
      <main class="page"><h1>Pull posts</h1>\(isReadOnly ? LoginPage.refusal : form)
      <section id="jobs" hidden aria-label="Pulls"><h2>Pulls</h2><ol class="jobs"></ol></section>
      <section id="follows"><h2>Followed feeds</h2>\(followed)</section></main>
      """)
  }

  private static let kinds: [(value: HTML, name: HTML, example: HTML)] = [
    ("tag", "Tag", "cats"), ("user", "User", "birds@photos.example"), ("search", "Search", "red panda"),
    ("feed", "Web feed or page", "https://blog.example.org"),
  ]
  private static let sources: [(value: HTML, name: HTML)] = [
    ("", "Find out"), ("mastodon", "Mastodon, Pixelfed and the like"), ("misskey", "Misskey and its kin"),
    ("lemmy", "Lemmy, PieFed"), ("instagram", "Instagram"), ("x", "X"), ("tumblr", "Tumblr"), ("flickr", "Flickr"),
    ("bluesky", "Bluesky"),
  ]
  private static let paces: [(value: HTML, name: HTML)] = [
    ("", "as often as it brings something"), ("15m", "every 15 minutes"), ("1h", "every hour"), ("6h", "every 6 hours"),
    ("1d", "every day"),
  ]

  private var form: HTML {
    let kinds: [HTML] = Self.kinds.map { kind in
      let mark: HTML = kind.value == "tag" ? " checked" : ""
      return """
        <label><input type="radio" name="kind" value="\(kind.value)" data-example="\(kind.example)"\(mark)> \
        \(kind.name)</label>
        """
    }
    let servers: [HTML] = Set(feeds.filter { $0.kind != .url }.map(\.server.name)).sorted().map {
      "<option value=\"\($0)\">"
    }
    return """
      <form id="pull" class="card fields">
      <fieldset class="choices"><legend>What</legend>\(HTML.joined(kinds, separator: " "))</fieldset>
      <div><label for="value">Name</label>
      <input id="value" name="value" required placeholder="cats" value="\(fields["value"] ?? "")" autocapitalize="none" \
      autocomplete="off" spellcheck="false" dir="auto"></div>
      <div class="row where"><div><label for="server">Server</label>
      <input id="server" name="server" placeholder="mastodon.social" list="servers" autocapitalize="none" \
      autocomplete="off" spellcheck="false" inputmode="url">
      <datalist id="servers">\(HTML.joined(servers))</datalist>
      <p class="soft">If empty, the one you are logged in at.</p></div>
      <div><label for="source">Kind of service</label><select id="source" name="source">\(Self.options(Self.sources))\
      </select></div></div>
      <div class="row"><div><label for="pages">Pages</label>
      <input id="pages" name="pages" type="number" min="1" max="1000" value="3" required></div>
      <div><label class="check"><input type="checkbox" name="follow"> Follow it afterwards</label>
      <select name="every" aria-label="How often" hidden>\(Self.options(Self.paces))</select></div></div>
      <p><button class="primary">Pull</button></p>
      <noscript><p class="notice bad">This form needs JavaScript. In a terminal: \
      <code>media tag cats --server mastodon.social</code>.</p></noscript>
      </form>
      """
  }

  private static func options(_ choices: [(value: HTML, name: HTML)]) -> HTML {
    HTML.joined(choices.map { "<option value=\"\($0.value)\">\($0.name)</option>" })
  }

  private var followed: HTML {
    guard !follows.isEmpty else { return "<p class=\"soft\">None yet. A followed feed is pulled again and again.</p>" }
    let all: HTML = isReadOnly ? "" : "<p><button type=\"button\" data-refresh=\"\">Refresh all</button></p>"
    return all + "<ul class=\"follows\">\(HTML.joined(follows.map(row)))</ul>"
  }

  private func row(_ follow: Follow) -> HTML {
    let name = follow.feed.name
    let buttons: HTML =
      isReadOnly
      ? ""
      : """
      <span class="buttons"><button type="button" data-refresh="\(name)">Refresh</button>
      <button type="button" data-unfollow="\(name)">Unfollow</button></span>
      """
    let trouble: HTML = follow.schedule.failure.map { "<span class=\"bad\" dir=\"auto\">\($0)</span>" } ?? ""
    return """
      <li class="card"><span><a href="/?feed=\(name.queryEncoded)" dir="auto">\(FeedTitle.of(follow.feed))</a>
      <span class="soft">\(words(follow))</span>\(trouble)</span>\(buttons)</li>
      """
  }

  private func words(_ follow: Follow) -> String {
    let text = FollowText(follow)
    switch follow.schedule.state {
    case .gone: return text.state
    case .new, .login, .limited: return "\(text.pace) · \(text.state)"
    case .well, .failing:
      let due = follow.schedule.dueAt.map {
        $0 <= now ? "due now" : "due in \(NumberText.span($0.timeIntervalSince(now)))"
      }
      return [text.pace, due].compactMap(\.self).joined(separator: " · ")
    }
  }
}
