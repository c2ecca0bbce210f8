import HTTPTypes
import Hummingbird
import Web

/// The page of a browser that is not signed in: it says how to sign in, and has the form for the password if one is taken.
struct SignInPage {
  /// The target to go to afterwards.
  let to: String
  let takesPassword: Bool
  var note: Note?

  enum Note {
    case usedAddress, wrongPassword
    case tooManyGuesses(seconds: Int)

    fileprivate var words: HTML {
      switch self {
      case .usedAddress:
        "This address was used before, or is not one of this gallery. An address signs one browser in, once."
      case .wrongPassword: "The password is wrong."
      case .tooManyGuesses(let seconds): "Too many passwords were wrong. Try again in \(seconds) seconds."
      }
    }
  }

  func response(status: HTTPResponse.Status) -> Response {
    let page = Response(html: html, status: status)
    var answer = takesPassword ? page.withForm : page
    if case .tooManyGuesses(let seconds) = note { answer.headers[.retryAfter] = "\(seconds)" }
    return answer
  }

  private var html: HTML {
    let notice: HTML = note.map { "<p class=\"bad\" role=\"alert\">\($0.words)</p>" } ?? ""
    return PageFrame.html(
      "Sign in", nil,
      """
      <main class="message"><h1>Sign in</h1>\(notice)\(form)
      <p>Open the address that <code>media serve</code> printed, or run <code>media serve --new-address</code> for another \
      one. It signs this browser in for 30 days.</p>
      <p><a href="\(target)">Try again</a> if this browser is signed in already: a link on another page does not say so.</p></main>
      """)
  }

  private var target: String { RequestTarget.isOwn(to) ? to : "/" }

  private var form: HTML {
    guard takesPassword else { return "" }
    return """
      <form class="card" method="post" action="/sign-in"><input type="hidden" name="to" value="\(target)">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
      <button class="primary" type="submit">Sign in</button></form>
      """
  }
}
