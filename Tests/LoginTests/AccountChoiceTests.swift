import Foundation
import HTTP
import Login
import Posts
import Testing

@Suite struct `choosing an account` {
  private let folder = Folder()

  private func accounts(_ handles: String...) throws -> Accounts {
    let accounts = Accounts(folder: folder.path)
    for handle in handles {
      let host = handle.split(separator: "@", maxSplits: 1)[1]
      let server = Server(String(host))!
      try accounts.keep(
        Account(
          server: server,
          handle: "\(handle.prefix { $0 != "@" })@\(server.host)",
          name: "",
          token: Secret("t"),
          scopes: [],
          created: Date(timeIntervalSince1970: 0)
        )
      )
    }
    return accounts
  }

  @Test func `the only account needs no name`() throws {
    #expect(try accounts("ann@cats.example").choose().handle == "ann@cats.example")
  }

  @Test(
    arguments: [
      ("ann@cats.example", "ann@cats.example"), ("@Ann@Cats.example", "ann@cats.example"),
      ("dogs.example", "bob@dogs.example"), ("https://dogs.example/", "bob@dogs.example"), ("bob", "bob@dogs.example"),
      ("http://127.0.0.1:8080", "cleo@127.0.0.1:8080"), ("cleo@http://127.0.0.1:8080", "cleo@127.0.0.1:8080"),
      ("127.0.0.1:8080", "cleo@127.0.0.1:8080"),
    ])
  func `handle, host and address find it`(wanted: String, found: String) throws {
    let accounts = try accounts("ann@cats.example", "bob@dogs.example", "cleo@http://127.0.0.1:8080")
    #expect(try accounts.choose(wanted).handle == found)
  }

  @Test func `several that fit are named`() throws {
    let accounts = try accounts("ann@cats.example", "bob@cats.example")
    let error = #expect(throws: AccountsError.self) { try accounts.choose("cats.example") }
    #expect(
      error?.description
        == "several accounts fit cats.example (ann@cats.example, bob@cats.example): name one of them"
    )
    #expect(error?.exitCode == .usage)
    let nameless = #expect(throws: AccountsError.self) { try accounts.choose() }
    #expect(
      nameless?.description
        == "several accounts are logged in (ann@cats.example, bob@cats.example): name one of them"
    )
  }

  @Test func `without a terminal, the account that logged in first is used`() throws {
    let accounts = try accounts("ann@cats.example", "bob@cats.example")
    let server = try #require(Server("cats.example"))
    #expect(try accounts.firstAccount(at: server)?.handle == "ann@cats.example")
    #expect(throws: AccountsError.self) { try accounts.account(at: server) }
    #expect(try accounts.firstAccount(at: try #require(Server("dogs.example"))) == nil)
  }

  @Test func `several logins with one handle are named with their servers, and found by these names`() throws {
    let accounts = try accounts("ann@cats.example:80", "ann@http://cats.example:80", "ann@http://cats.example:443")
    try accounts.keep(
      Account(
        server: Server("https://cats.example")!, handle: "Ann@cats.example", name: "", token: Secret("t"), scopes: [],
        created: Date(timeIntervalSince1970: 0)))
    let error = #expect(throws: AccountsError.self) { try accounts.choose("ann") }
    guard case .several(_, let names) = error else { return }
    #expect(
      names == [
        "ann@cats.example:80", "ann@http://cats.example", "ann@cats.example:443", "Ann@https://cats.example",
      ]
    )
    for name in names { #expect(throws: Never.self) { try accounts.choose(name) } }
  }

  @Test func `if no login fits, the message says which command to type`() throws {
    let nobody = #expect(throws: AccountsError.self) { try accounts().choose() }
    #expect(nobody?.description == "not logged in anywhere: run \"media login SERVER\"")
    #expect(nobody?.exitCode == .needsLogin)
    let stranger = #expect(throws: AccountsError.self) { try accounts("ann@cats.example").choose("bob@dogs.example") }
    #expect(
      stranger?.description == "not logged in as or at bob@dogs.example: run \"media login dogs.example\""
    )
  }

  @Test func `a server's account is found by the server alone`() throws {
    let accounts = try accounts("ann@cats.example", "bob@dogs.example", "cleo@dogs.example")
    #expect(try accounts.account(at: Server("cats.example")!)?.handle == "ann@cats.example")
    #expect(try accounts.account(at: Server("http://cats.example")!) == nil)
    #expect(throws: AccountsError.self) { try accounts.account(at: Server("dogs.example")!) }
  }
}
