import FoundationEssentials
import Web
import Wording

/// Gives a list as a feed: makes an address for a reader of feeds, and lists and revokes those that were made.
struct FeedsPage {
  let list: ListAddress
  let title: String
  let tokens: [ReadToken]
  let isReadOnly: Bool

  var html: HTML {
    PageFrame.html(
      "Feeds", nil, scripts: ["pages.js"],
      """
      <main class="page feeds"><h1>“<bdi>\(title)</bdi>” as a feed</h1>
      <p>A program that reads feeds gets new posts of <a href="/?\(list.query)">this list</a> by an address of its own. Whoever \
      has the address can read every list of the library and its pictures, until you revoke it. Posts that not everybody may \
      see, and your own, are left out.</p>
      \(form)\(made)</main>
      """)
  }

  private var form: HTML {
    guard !isReadOnly else {
      return "<p class=\"card\">This gallery is served for reading only, so it makes no addresses.</p>"
    }
    return """
      <form class="card find" data-feed="\(list.query)"><label for="name">What you call the reader</label><div class="row">\
      <input id="name" name="name" maxlength="100" required placeholder="NetNewsWire on my phone"><button class="primary">Make an \
      address</button></div><noscript><p>This needs scripts.</p></noscript><div role="status"></div></form>
      """
  }

  private var made: HTML {
    guard !tokens.isEmpty else {
      return "<section id=\"made\"><h2>Addresses</h2><p class=\"soft\">None was made yet.</p></section>"
    }
    let times = MomentText()
    let rows = tokens.reversed().map { token -> HTML in
      let button: HTML =
        isReadOnly
        ? "" : "<button type=\"button\" data-revoke=\"\(token.id)\" aria-label=\"Revoke \(token.name)\">Revoke</button>"
      return
        "<tr><th scope=\"row\"><bdi>\(token.name)</bdi></th><td>\(times.html(token.createdAt))</td><td class=\"number\">\(button)</td></tr>"
    }
    return """
      <section id="made"><h2>Addresses</h2><table class="card"><thead><tr><th scope="col">Reader</th><th scope="col">Made</th><th scope="col">\
      <span class="visually-hidden">Revoke</span></th></tr></thead><tbody>\(HTML.joined(rows))</tbody></table></section>
      """
  }
}
