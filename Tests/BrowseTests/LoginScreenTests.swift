import Foundation
import Terminal
import Testing

@testable import Browse

/// Login without leaving the list.
struct LoginPageTests {
  private let url = "https://social.example/oauth/authorize?client_id=\(String(repeating: "k", count: 90))&state=s"

  /// A list whose pull was refused.
  private func refused(_ columns: Int = 80, _ rows: Int = 24) throws -> Stage {
    var stage = try Stage(columns, rows)
    _ = stage.done()
    stage.send(
      .login(.wanted(server: "social.example")),
      .pull(.ended(.new, new: 0, isEnd: false, failure: "social.example shows this only to people who are logged in")))
    return stage
  }

  @Test func `a refused refresh names the key, and interrupts nobody`() throws {
    var stage = try refused()
    #expect(stage.lines[22].hasSuffix(" · L logs in, r tries again"))
    #expect(stage.lines[23].contains("L log in"))
    #expect(stage.done() == [])
    stage.type("L")
    #expect(stage.done() == [.logIn])
    #expect(stage.text.contains("Log in at social.example"))
    #expect(stage.text.contains("Asking the server for its page"))
  }

  @Test func `opening a list that needs a login asks for it at once`() throws {
    var stage = try Stage()
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.type("tcats@social.example")
    stage.press(.enter)
    _ = stage.done()
    stage.send(.scope(ListScope(title: "#cats", origin: "social.example", canRefresh: true)))
    #expect(stage.done() == [.pull(.new)])
    stage.send(.login(.wanted(server: "social.example")))
    #expect(stage.done() == [.logIn])
    #expect(stage.text.contains("Log in at social.example"))
  }

  @Test func `the whole address stands there to be marked, and the code is handed over`() throws {
    var stage = try refused()
    stage.type("L")
    stage.send(.login(.page(url: url, message: "")))
    let start = try #require(stage.lines.firstIndex { $0.hasPrefix("https://") })
    #expect(stage.lines[start...].prefix(2).joined() == url)
    _ = stage.done()
    stage.press(.enter)
    #expect(stage.done() == [])
    stage.send(.input(.paste(" the-code\n")))
    #expect(stage.lines[22].hasPrefix(" Code ▸"))
    #expect(stage.lines[22].contains("the-code"))
    stage.press(.enter)
    #expect(stage.done() == [.finishLogIn("the-code")])
    stage.press(.enter)
    #expect(stage.done() == [])
  }

  @Test func `waiting work goes on after a login`() throws {
    var stage = try refused()
    stage.type("L")
    stage.send(.login(.page(url: url, message: "")))
    _ = stage.done()
    stage.send(.login(.done(handle: "ada@social.example")))
    #expect(stage.done() == [.pull(.new)])
    #expect(stage.lines[22] == " Logged in as ada@social.example.")
    #expect(!stage.lines[23].contains("L log in"))
  }

  @Test func `a wrong code is said, and another one can be pasted`() throws {
    var stage = try refused()
    stage.type("L")
    stage.send(.login(.page(url: url, message: "")))
    stage.type("nope")
    stage.press(.enter)
    stage.send(.login(.failed("social.example does not take the code: open the page again")))
    #expect(stage.text.contains("does not take the code"))
    #expect(stage.text.contains("https://social.example"))
    stage.type("good")
    stage.press(.enter)
    #expect(stage.done().last == .finishLogIn("good"))
  }

  @Test func `the keys of an app are typed on the login screen, the secret unseen`() throws {
    var stage = try refused()
    stage.type("L")
    stage.send(.login(.keysWanted("social.example lets people in with keys of their own alone")))
    _ = stage.done()
    #expect(stage.text.contains("keys of their own alone"))
    stage.type("my-app")
    #expect(stage.lines[22] == " Client ID ▸ my-app")
    stage.press(.enter)
    #expect(stage.done() == [])
    stage.send(.input(.paste("app-secret-1\n")))
    #expect(stage.lines[22] == " Client secret ▸ •••••••••••••")
    #expect(!stage.text.contains("app-secret"))
    stage.press(.enter)
    #expect(stage.done() == [.logInWith(LoginKeys(id: "my-app", secret: "app-secret-1"))])
    #expect(!"\(stage.screen)\(LoginKeys(id: "a", secret: "app-secret-1"))".contains("app-secret"))
    stage.send(.login(.page(url: url, message: "")))
    #expect(stage.lines[22].hasPrefix(" Code ▸"))
  }

  @Test func `Esc leaves it, and a list that is left wants no login`() throws {
    var stage = try refused()
    stage.type("L")
    stage.press(.escape)
    #expect(stage.lines[0].contains("#cats"))
    stage.send(.scope(ListScope(title: "#dogs", origin: "dogs.example")))
    stage.type("L")
    #expect(stage.lines[22] == " Nothing here waits for a log-in.")
  }

  @Test func `an address too long for the screen is shown before all else`() throws {
    var stage = try refused(40, 8)
    stage.type("L")
    stage.send(.login(.page(url: url, message: "")))
    #expect(stage.lines.contains { $0.hasPrefix("https://social.example") })
  }
}
