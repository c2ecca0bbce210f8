import FoundationEssentials
import Storage
import Web
import Wording

/// Makes shares, and lists and revokes those that were made. Its forms need no scripts.
struct SharesPage {
  typealias Made = (address: String, text: ShareText)

  /// What the form begins with.
  let form: ShareForm
  let shares: [StoredShare]
  let now: Date
  /// The share that was just made. Its address is shown once.
  var made: Made?
  /// What is wrong with what was sent.
  var mistake: String?

  var html: HTML {
    PageFrame.html(
      "Shares", nil, scripts: ["pages.js"],
      """
      <main class="page"><h1>Shares</h1>\(notice)
      <p>A share is a page for friends: posts that everybody may see, in an album's order or newest first. Whoever has its address \
      sees it, until it ends or you revoke it. It never has notes, ratings, own tags, deleted posts and your own posts.</p>
      \(fields)\(list)</main>
      """)
  }

  private var notice: HTML {
    if let mistake { return "<p class=\"bad\" role=\"alert\">\(mistake)</p>" }
    guard let made else { return "" }
    return """
      <div class="card fields" role="status"><p>\(made.text.shared) \(made.text.leftOut ?? "")
      The address, which is not shown again:</p><input readonly aria-label="Address" value="\(made.address)"></div>
      """
  }

  private static let ends = [("7", "in a week"), ("30", "in 30 days"), ("365", "in a year"), ("never", "never")]

  private var fields: HTML {
    let ends = Self.ends.map { days, words -> HTML in
      "<option value=\"\(days)\"\(form.days == days ? " selected" : "")>\(words)</option>"
    }
    let extras = SharedExtra.allCases.map {
      Self.box("with", $0.rawValue, "Also \($0.rawValue) posts", isOn: form.shows.contains($0))
    }
    // It is not sent back, and must not be lost by that.
    let wasTyped = !form.password.isEmpty
    let required: HTML = wasTyped ? " required" : ""
    return """
      <form class="card fields" method="post" action="\(SharesRoutes.path)"><input type="hidden" name="token" value="\(form.token)">
      <label for="q">Posts</label><input id="q" name="q" value="\(form.filter)" maxlength="2000" required placeholder="in:Winter">
      <label for="title">Title</label><input id="title" name="title" value="\(form.title)" maxlength="100">
      <label for="days">Ends</label><select id="days" name="days">\(HTML.joined(ends))</select>
      <label for="password">\(wasTyped ? "Password, once more" : "Password, if it is to have one")</label>\
      <input id="password" name="password" type="password" autocomplete="new-password" maxlength="1024"\(required)>
      \(Self.box("live", "1", "Show later matches too (an album always does)", isOn: form.isLive))
      \(Self.box("originals", "1", "Full-size originals, without the place where they were taken", isOn: form.hasOriginals))
      \(HTML.joined(extras))
      <button class="primary">Make an address</button></form>
      """
  }

  private static func box(_ name: String, _ value: String, _ words: String, isOn: Bool) -> HTML {
    """
    <label class="check"><input type="checkbox" name="\(name)" value="\(value)"\(isOn ? " checked" : "")> \(words)</label>
    """
  }

  private var list: HTML {
    guard !shares.isEmpty else { return "<h2>Made</h2><p class=\"soft\">None was made yet.</p>" }
    return """
      <h2>Made</h2><div class="card"><table><thead><tr><th scope="col">Share</th><th scope="col">Made</th><th scope="col">Ends</th>\
      <th scope="col"><span class="visually-hidden">Revoke</span></th></tr></thead><tbody>\
      \(HTML.joined(shares.map(row)))</tbody></table></div>
      """
  }

  private func row(_ share: StoredShare) -> HTML {
    let times = MomentText()
    let isOpen = share.isOpen(at: now)
    let end: HTML = isOpen ? share.endsAt.map { times.html($0) } ?? "never" : "over"
    let button: HTML =
      isOpen
      ? """
      <form method="post" action="\(SharesRoutes.revokePath)"><input type="hidden" name="id" value="\(share.id)">\
      <button aria-label="Revoke \(share.title)">Revoke</button></form>
      """ : ""
    return """
      <tr><th scope="row"><bdi>\(share.title)</bdi> <span class="soft">\(about(share))</span></th>\
      <td>\(times.html(share.madeAt))</td><td>\(end)</td><td class="number">\(button)</td></tr>
      """
  }

  /// What it shows, unless its title says that, and how it differs from others.
  private func about(_ share: StoredShare) -> HTML {
    let source = share.album ?? share.filter ?? ""
    let marks: [(isOn: Bool, words: HTML)] = [
      (!source.isEmpty && source != share.title, "<bdi>\(source)</bdi>"), (share.hasPassword, "password"),
      (share.isLive && share.album == nil, "shows later matches"), (share.hasOriginals, "full size"),
    ]
    let extras = SharedExtra.allCases.filter(share.shows.contains).map { "also \($0.rawValue)" as HTML }
    return HTML.joined(marks.filter(\.isOn).map(\.words) + extras, separator: " · ")
  }
}
