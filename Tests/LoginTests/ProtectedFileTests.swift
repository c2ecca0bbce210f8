import Foundation
import HTTP
import Posts
import Testing

@testable import Login

@Suite struct `a file of accounts that is elsewhere, another's, or full` {
  private let folder = Folder()
  private let other = Folder()
  private var accounts: Accounts { Accounts(folder: folder.path) }

  private func account(_ user: String, name: String = "", token: String = "t") -> Account {
    Account(
      server: Server("cats.example")!, handle: "\(user)@cats.example", name: name, token: Secret(token), scopes: [],
      created: Date(timeIntervalSince1970: 0))
  }

  private func link(to target: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    #expect(symlink(target, folder.file) == 0)
  }

  @Test func `behind a link the file itself is replaced, and a login that is forgotten leaves no token there`() throws {
    try Accounts(folder: other.path).keep(account("ann", token: "hush"))
    let real = "\(other.path)/logins.json"
    try FileManager.default.moveItem(atPath: other.file, toPath: real)
    try link(to: real)
    try accounts.keep(account("bob"))
    #expect(try accounts.all().map(\.handle) == ["ann@cats.example", "bob@cats.example"])
    try accounts.forget(account("ann"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file) == real)
    #expect(try !String(contentsOfFile: real, encoding: .utf8).contains("hush"))
    #expect(try accounts.all().map(\.handle) == ["bob@cats.example"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["accounts.json"])
    chmod(real, 0o644)
    #expect(throws: AccountsError.readableByOthers(path: realPath(real), content: "tokens")) { try accounts.all() }
  }

  @Test func `a link that leads nowhere, or round in circles, is left as it is`() throws {
    try link(to: "\(other.path)/nothing.json")
    let error = #expect(throws: AccountsError.self) { try accounts.keep(account("ann")) }
    #expect(error?.description == "cannot read \(folder.file) (it is a link that leads nowhere)")
    #expect(unlink(folder.file) == 0)
    try link(to: folder.file)
    let circle = #expect(throws: AccountsError.self) { try accounts.all() }
    #expect(circle?.description == "cannot read \(folder.file) (Too many levels of symbolic links)")
  }

  @Test(.enabled(if: geteuid() == 0)) func `a file of another user is refused, and not replaced`() throws {
    try accounts.keep(account("ann"))
    #expect(chown(folder.file, 12345, 12345) == 0)
    for attempt in [{ _ = try accounts.all() }, { try accounts.keep(account("bob")) }] {
      let error = #expect(throws: AccountsError.self) { try attempt() }
      #expect(error?.description == "cannot read \(folder.file) (it belongs to another user)")
      #expect(error?.exitCode == .configuration)
    }
  }

  @Test func `a file that could not be read again is not written`() throws {
    try accounts.keep(account("ann"))
    let endless = account("bob", name: String(repeating: "a", count: ProtectedFile.limit))
    let error = #expect(throws: AccountsError.self) { try accounts.keep(endless) }
    #expect(error?.description == "cannot write \(folder.file) (it would be too large to be read again)")
    #expect(error?.exitCode == .storage)
    #expect(try accounts.all().map(\.handle) == ["ann@cats.example"])
  }

  private func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
