import Web

/// Logs in at a server: a form, then the page that allows access, then the code it shows.
struct LoginPage {
  let server: String
  let isReadOnly: Bool

  var html: HTML {
    PageFrame.html(
      "Log in", .pull, scripts: isReadOnly ? [] : ["login.js"],
      """
      <main class="page"><h1>Log in at a server</h1>
      <p class="soft">Some servers show tags, users or searches only to people who are logged in. What is kept here is \
      permission to read, never your password.</p>\(isReadOnly ? Self.refusal : form)
      <p><a href="/pull">Pull posts</a></p></main>
      """)
  }

  static let refusal: HTML = """
    <p class="notice bad">This gallery is served for reading only. To change something, start "media serve" without \
    --read-only.</p>
    """

  private var form: HTML {
    """
    <form id="login" class="card fields">
    <div><label for="server">Server</label>
    <input id="server" name="server" value="\(server)" placeholder="mastodon.social" required autocapitalize="none" \
    autocomplete="off" spellcheck="false" inputmode="url"></div>
    <p><button class="primary">Log in</button></p>
    </form>
    <div id="step" aria-live="polite"></div>
    <details class="soft"><summary>Instagram and X</summary>
    <p>They want keys of an app of your own, which a page should not see. Type this in a terminal:</p>
    <p><code>media login x.com --client-id ID --client-secret-stdin</code></p>
    <p><code>media login instagram.com --client-id ID --client-secret-stdin</code></p></details>
    <noscript><p class="notice bad">This page needs JavaScript. In a terminal: <code>media login SERVER</code>.</p></noscript>
    """
  }
}
