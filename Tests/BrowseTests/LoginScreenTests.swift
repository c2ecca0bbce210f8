import Foundation
import Terminal
import Testing

@testable import Browse

/// Login without leaving the list.
struct LoginPageTests {
  private let url = "https://social.example/oauth/authorize?client_id=\(String(repeating: "k", count: 90))&state=s"

  /// A list whose pull was refused.
  private func refused(_ columns: Int = 80, _ rows: Int = 24) throws -> ScreenTester {
    var tester = try ScreenTester(columns, rows)
    _ = tester.done()
    tester.send(
      .login(.wanted(server: "social.example")),
      .pull(.ended(.new, new: 0, isEnd: false, failure: "social.example shows this only to people who are logged in")))
    return tester
  }

  @Test func `a refused refresh names the key, and interrupts nobody`() throws {
    var tester = try refused()
    #expect(tester.lines[22] == " social.example shows this only to people who are logged in")
    #expect(tester.lines[23].hasPrefix(" · L logs in, r tries again  L log in"))
    #expect(tester.done() == [])
    tester.type("L")
    #expect(tester.done() == [.logIn])
    #expect(tester.text.contains("Log in at social.example"))
    #expect(tester.text.contains("Asking the server for its page"))
  }

  @Test func `opening a list that needs a login asks for it at once`() throws {
    var tester = try ScreenTester()
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.type("tcats@social.example")
    tester.press(.enter)
    _ = tester.done()
    tester.send(.scope(ListScope(title: "#cats", origin: "social.example", canRefresh: true)))
    #expect(tester.done() == [.pull(.new)])
    tester.send(.login(.wanted(server: "social.example")))
    #expect(tester.done() == [.logIn])
    #expect(tester.text.contains("Log in at social.example"))
  }

  @Test func `the whole address stands there to be marked, and the code is handed over`() throws {
    var tester = try refused()
    tester.type("L")
    tester.send(.login(.page(url: url, message: "")))
    let start = try #require(tester.lines.firstIndex { $0.hasPrefix("https://") })
    #expect(tester.lines[start...].prefix(2).joined() == url)
    _ = tester.done()
    tester.press(.enter)
    #expect(tester.done() == [])
    tester.send(.input(.paste(" the-code\n")))
    #expect(tester.lines[22].hasPrefix(" Code ▸"))
    #expect(tester.lines[22].contains("the-code"))
    tester.press(.enter)
    #expect(tester.done() == [.finishLogIn("the-code")])
    tester.press(.enter)
    #expect(tester.done() == [])
  }

  @Test func `a login that is confirmed on its page ends with Enter, and takes no code`() throws {
    var tester = try refused()
    tester.type("L")
    tester.send(.login(.page(url: url, message: "", isConfirmed: true)))
    _ = tester.done()
    #expect(tester.text.contains("Then press Enter."))
    #expect(!tester.text.contains("paste the code") && !tester.text.contains("Code ▸"))
    tester.press(.enter)
    #expect(tester.done() == [.finishLogIn("")])
    tester.press(.enter)
    #expect(tester.done() == [])
  }

  @Test func `waiting work goes on after a login`() throws {
    var tester = try refused()
    tester.type("L")
    tester.send(.login(.page(url: url, message: "")))
    _ = tester.done()
    tester.send(.login(.done(handle: "ada@social.example")))
    #expect(tester.done() == [.pull(.new)])
    #expect(tester.lines[22] == " Logged in as ada@social.example.")
    #expect(!tester.lines[23].contains("L log in"))
  }

  @Test func `a wrong code is said, and another one can be pasted`() throws {
    var tester = try refused()
    tester.type("L")
    tester.send(.login(.page(url: url, message: "")))
    tester.type("nope")
    tester.press(.enter)
    tester.send(.login(.failed("social.example does not take the code: open the page again")))
    #expect(tester.text.contains("does not take the code"))
    #expect(tester.text.contains("https://social.example"))
    tester.type("good")
    tester.press(.enter)
    #expect(tester.done().last == .finishLogIn("good"))
  }

  @Test func `the keys of an app are typed on the login screen, the secret unseen`() throws {
    var tester = try refused()
    tester.type("L")
    tester.send(.login(.keysWanted("social.example lets people in with keys of their own alone")))
    _ = tester.done()
    #expect(tester.text.contains("keys of their own alone"))
    tester.type("my-app")
    #expect(tester.lines[22] == " Client ID ▸ my-app")
    tester.press(.enter)
    #expect(tester.done() == [])
    tester.send(.input(.paste("app-secret-1\n")))
    #expect(tester.lines[22] == " Client secret ▸ •••••••••••••")
    #expect(!tester.text.contains("app-secret"))
    tester.press(.enter)
    #expect(tester.done() == [.logInWith(LoginKeys(id: "my-app", secret: "app-secret-1"))])
    #expect(!"\(tester.screen)\(LoginKeys(id: "a", secret: "app-secret-1"))".contains("app-secret"))
    tester.send(.login(.page(url: url, message: "")))
    #expect(tester.lines[22].hasPrefix(" Code ▸"))
  }

  @Test func `Esc leaves it, and a list that is left wants no login`() throws {
    var tester = try refused()
    tester.type("L")
    tester.press(.escape)
    #expect(tester.lines[0].contains("#cats"))
    tester.send(.scope(ListScope(title: "#dogs", origin: "dogs.example")))
    tester.type("L")
    #expect(tester.lines[22] == " Nothing here asks for a login: \"media login SERVER\" logs in.")
  }

  @Test func `an address too long for the screen is shown before all else`() throws {
    var tester = try refused(40, 8)
    tester.type("L")
    tester.send(.login(.page(url: url, message: "")))
    #expect(tester.lines.contains { $0.hasPrefix("https://social.example") })
  }
}
