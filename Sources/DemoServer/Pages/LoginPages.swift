import Web

/// First page of a login: who are you?
enum LoginPage {
  static func html(_ asked: AuthorizationRequest, app: Registry.App, trouble: String? = nil) -> HTML {
    DemoPage.html(
      "Log in",
      """
      <section class="card"><h1>Log in to the demo</h1>\(AllowPage.warning(trouble))
      <p><strong>\(app.name)</strong> wants to be let in. Choose whom you want to be;
      everybody's password is <code>\(AuthorizeRoutes.password)</code>.</p>
      <form method="post" action="/oauth/authorize">\(hidden(asked))
      \(AllowPage.whom)
      <button>Log in</button></form></section>
      """
    )
  }

  static func hidden(_ asked: AuthorizationRequest) -> HTML {
    HTML.joined(
      asked.fields.map { name, value in
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
      })
  }
}

/// Second page: may the app?
enum ConsentPage {
  static func html(_ asked: AuthorizationRequest, app: Registry.App, person: Person, ticket: String) -> HTML {
    let scopes: [HTML] = asked.scopes.map { "<li><code>\($0)</code> — \(meaning(of: $0))</li>" }
    return DemoPage.html(
      "Authorize",
      """
      <section class="card"><h1>Let \(app.name) in?</h1>
      <p class="who"><img src="/avatars/\(person.id).png" width="48" height="48" alt="">
      <span>You are <strong>\(person.name)</strong><br>
      <span class="soft">@\(person.acct)</span></span></p>
      <p>It asks to:</p><ul>\(HTML.joined(scopes))</ul>
      <form method="post" action="/oauth/authorize">\(LoginPage.hidden(asked))
      <input type="hidden" name="ticket" value="\(ticket)">
      <button name="decision" value="approve">Authorize</button>
      <button class="plain" name="decision" value="deny">Deny</button></form></section>
      """
    )
  }

  private static func meaning(of scope: String) -> HTML {
    switch scope.prefix(while: { $0 != ":" }) {
    case "read": scope.contains(":") ? "see what you see (\(scope.dropFirst(5)))" : "see what you see"
    case "profile": "know who you are"
    default: "change what you wrote; nothing else can be changed here"
    }
  }
}

/// Last page: the code to copy.
enum CodePage {
  static func html(_ code: String) -> HTML {
    DemoPage.html(
      "Your code",
      """
      <section class="card"><h1>Almost there</h1><p>Copy this code and paste it where you came from.
      It works once, within ten minutes.</p><code id="code">\(code)</code>
      <p class="soft">A click selects all of it.</p></section>
      """
    )
  }
}
