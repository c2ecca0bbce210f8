import Foundation
import HTTP
import Posts
import Testing

@testable import Login

@Suite struct `the file of accounts` {
  private let folder = Folder()
  private var accounts: Accounts { Accounts(folder: folder.path) }

  private func account(_ user: String, at host: String = "cats.example", token: String = "t") -> Account {
    let server = Server(host)!
    return Account(
      server: server,
      handle: "\(user)@\(server.host)",
      name: user,
      token: Secret(token),
      scopes: ["read"],
      created: Date(timeIntervalSince1970: 1_795_000_000)
    )
  }

  private func mode(_ name: String = "") -> Int {
    var facts = stat()
    return stat("\(folder.path)/\(name)", &facts) == 0 ? Int(facts.st_mode & 0o7777) : -1
  }

  private func write(_ text: String, mode: mode_t = 0o600) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try text.write(toFile: folder.file, atomically: false, encoding: .utf8)
    chmod(folder.file, mode)
  }

  private func fault(_ text: String) throws -> AccountsError? {
    try write(text)
    return #expect(throws: AccountsError.self) { try accounts.all() }
  }

  @Test func `a login at a source that this version lacks stays as it is`() throws {
    var vimeo = account("ann")
    vimeo.source = SourceName(rawValue: "vimeo")
    try accounts.keep(vimeo)
    try accounts.keep(account("bob", at: "dogs.example"))
    #expect(try accounts.all().map(\.source.rawValue) == ["vimeo", "mastodon"])
    #expect(try accounts.account(at: vimeo.server) == nil)
    #expect(try accounts.account(at: vimeo.server, source: vimeo.source) == vimeo)
  }

  @Test func `nothing is made by looking`() throws {
    #expect(try accounts.all().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `an account comes back whole`() throws {
    var kept = account("ann", at: "http://127.0.0.1:8080")
    kept.expires = kept.created + 356 * 86400
    kept.refreshToken = Secret("r")
    kept.clientID = "id"
    kept.clientSecret = Secret("s")
    try accounts.keep(kept)
    #expect(try accounts.all() == [kept])
  }

  @Test func `a second login of one person replaces the first, another's is added`() throws {
    try accounts.keep(account("ann", token: "old"))
    try accounts.keep(account("bob"))
    try accounts.keep(account("Ann", token: "new"))
    #expect(try accounts.all().map { $0.token.reveal() } == ["new", "t"])
    try accounts.forget(account("ann"))
    #expect(try accounts.all().map(\.name) == ["bob"])
  }

  @Test func `only the owner may read it, even where the umask forbids nothing`() throws {
    let before = umask(0)
    defer { umask(before) }
    try accounts.keep(account("ann"))
    #expect(mode() == 0o700)
    #expect(mode("accounts.json") == 0o600)
    #expect(mode("accounts.lock") == 0o600)
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o644] as [mode_t])
  func `a file that others can read is refused with its cure`(mode: mode_t) throws {
    try write(#"{"version":1,"accounts":[],"apps":[],"pending":[]}"#, mode: mode)
    let error = #expect(throws: AccountsError.self) { try accounts.all() }
    #expect(
      error?.description == "\(folder.file) holds tokens and others can read it: run \"chmod 600 \(folder.file)\""
    )
    #expect(error?.exitCode == .configuration)
    chmod(folder.file, 0o600)
    #expect(try accounts.all().isEmpty)
  }

  @Test func `what another process changed is read, and nothing is remembered of a file that may not be read`() throws {
    let known = accounts
    #expect(try known.all().isEmpty)
    try accounts.keep(account("ada", token: "first"))
    #expect(try known.all().map { $0.token.reveal() } == ["first"])
    try accounts.keep(account("ada", token: "later"))
    #expect(try known.all().map { $0.token.reveal() } == ["later"])
    #expect(try known.all().map { $0.token.reveal() } == ["later"])
    chmod(folder.file, 0o644)
    #expect(throws: AccountsError.self) { try known.all() }
    try write("")
    #expect(throws: AccountsError.self) { try known.all() }
    unlink(folder.file)
    #expect(try known.all().isEmpty)
    try write("")
    #expect(throws: AccountsError.self) { try known.all() }
  }

  @Test func `a broken file is reported with its line and never overwritten`() throws {
    let text = "{\n  \"version\": 1,\n  \"accounts\": [}\n}\n"
    let error = try fault(text)
    #expect(
      error?.description
        == "\(folder.file):3: it is not JSON: mend it, or move \(folder.file) away and log in again"
    )
    #expect(error?.exitCode == .configuration)
    #expect(throws: AccountsError.self) { try accounts.keep(account("ann")) }
    #expect(try String(contentsOfFile: folder.file, encoding: .utf8) == text)
  }

  @Test func `a value of the wrong kind is reported with its line and not repeated`() throws {
    let start = "{\n\"version\": 1, \"apps\": [], \"pending\": [],\n\"accounts\": [\n"
    let half = "{\"source\":\"mastodon\",\"server\":\"cats.example\",\"handle\":\"a@b\",\"name\":\"a\",\n"
    let error = try fault(start + half + "\"token\": 12345}\n]}")
    #expect(error?.summary == "\(folder.file):5: token is not of the kind it must be")
    #expect(try fault(start + half + "\"scopes\":[]}\n]}")?.summary == "\(folder.file):4: token is missing")
    let late = "\"token\":\"t\",\"scopes\":[],\n\"created\":\"yesterday\"}]}"
    #expect(try fault(start + half + late)?.summary.hasSuffix("cannot be read") == true)
    #expect(try fault("[]")?.summary == "\(folder.file):1: the file is not of the kind it must be")
    #expect(try fault("")?.summary == "\(folder.file):1: it is not JSON")
    #expect(try fault("{\"version\":1,\n\"accounts\":[],\"apps")?.summary == "\(folder.file):2: it is not JSON")
  }

  @Test func `a file of a newer version is left alone`() throws {
    let text = #"{"version":4,"accounts":{},"keys":"in a better form"}"#
    let error = try fault(text)
    #expect(
      error?.description
        == "\(folder.file) was written by a newer media (format 4): install the newer version"
    )
    #expect(error?.exitCode == .configuration)
    #expect(throws: AccountsError.self) { try accounts.keep(account("ann")) }
    #expect(try String(contentsOfFile: folder.file, encoding: .utf8) == text)
  }

  @Test func `anything but a regular file is refused`() throws {
    try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: true)
    let error = #expect(throws: AccountsError.self) { try accounts.all() }
    #expect(error?.description == "cannot read \(folder.file) (it is not a file)")
  }

  @Test func `a file that a crash left aside is harmless and is removed`() throws {
    try accounts.keep(account("ann"))
    let aside = "\(folder.path)/.accounts.json.new"
    try "{\"half\": \"a tok".write(toFile: aside, atomically: false, encoding: .utf8)
    #expect(try accounts.all().map(\.name) == ["ann"])
    try accounts.keep(account("bob"))
    #expect(try accounts.all().map(\.name) == ["ann", "bob"])
    #expect(!FileManager.default.fileExists(atPath: aside))
  }

  @Test func `a link laid where the file is written aside is not followed`() throws {
    try accounts.keep(account("ann"))
    let victim = "\(folder.path)/victim"
    try "untouched".write(toFile: victim, atomically: false, encoding: .utf8)
    symlink(victim, "\(folder.path)/.accounts.json.new")
    try accounts.keep(account("bob"))
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "untouched")
    #expect(try accounts.all().count == 2)
  }

  @Test func `many writers at once lose nothing`() async throws {
    let folder = folder.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<5 { try Accounts(folder: folder).keep(account("u\(writer)-\(number)")) }
        }
      }
      try await group.waitForAll()
    }
    let expected = Set((0..<8).flatMap { writer in (0..<5).map { "u\(writer)-\($0)" } })
    #expect(Set(try accounts.all().map(\.name)) == expected)
  }

  @Test func `a folder that cannot be written is an error of storage`() throws {
    try write("{}")
    let blocked = Accounts(folder: "\(folder.file)/below")
    let error = #expect(throws: AccountsError.self) { try blocked.keep(account("ann")) }
    #expect(error?.description == "cannot write \(folder.file)/below/accounts.json (Not a directory)")
    #expect(error?.exitCode == .storage)
  }
}

/// A folder of one test, not made until something is written.
final class Folder: Sendable {
  let path = NSTemporaryDirectory() + "accounts-\(UUID().uuidString)"
  var file: String { "\(path)/accounts.json" }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
