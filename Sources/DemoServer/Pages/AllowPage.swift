import Hummingbird
import Web

/// The page on which a person lets an app in, in one step.
enum AllowPage {
  /// Said where the name and the password are wrong.
  static let mismatch = "That name and password do not belong together."

  /// The answer to a person who does not let the app in.
  static let denied = Response(html: DemoPage.message("Denied", "The app gets nothing. You can close this page."))

  /// The person of a filled form; nil if the name and the password are wrong.
  static func person(_ fields: Fields) -> Person? {
    guard fields["password"] == AuthorizeRoutes.password else { return nil }
    return Person.residents.first { $0.username == fields["username"] }
  }

  static func html(
    to address: String, app: String, permission: String, hidden: [(name: String, value: String)], trouble: String?
  ) -> HTML {
    let fields: [HTML] = hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" }
    return DemoPage.html(
      "Allow access",
      """
      <section class="card"><h1>Let \(app) in?</h1>\(warning(trouble))
      <p>It asks for <code>\(permission)</code>. Choose whom you want to be;
      everybody's password is <code>\(AuthorizeRoutes.password)</code>.</p>
      <form method="post" action="\(address)">\(HTML.joined(fields))
      \(whom)
      <button name="decision" value="allow">Allow</button>
      <button class="plain" name="decision" value="deny">Deny</button></form></section>
      """
    )
  }

  /// What went wrong before.
  static func warning(_ trouble: String?) -> HTML { trouble.map { "<p class=\"trouble\">\($0)</p>" } ?? "" }

  /// The fields for a person's name and password.
  static var whom: HTML {
    let people: [HTML] = Person.residents.map { person in
      "<option value=\"\(person.username)\">\(person.name) (@\(person.username))</option>"
    }
    return """
      <label for="username">Who</label><select id="username" name="username">\(HTML.joined(people))</select>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" value="\(AuthorizeRoutes.password)" autocomplete="off">
      """
  }
}
