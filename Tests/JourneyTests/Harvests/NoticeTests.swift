import Foundation
import HTTP
import Login
import Machine
import Posts
import SQLite
import ScriptedOrigin
import Terminal
import Testing
import Wording

@testable import Storage
@testable import media

/// Notices of harvests.
@Suite(.timeLimit(.minutes(10))) struct NoticeTests {
  private static let now = Date(timeIntervalSince1970: 1_763_640_000)
  private static let day: TimeInterval = 86_400

  private func notices(
    disk: DiskRoom? = nil, accounts: [Account] = [], failing: [Follow] = []
  ) throws -> [HarvestNotice] {
    let times = MomentText(try #require(TimeZone(identifier: "UTC")))
    return Notices(now: Self.now, times: times)
      .all(disk: disk, library: "/home/ann/media", accounts: accounts, failing: failing)
  }

  private func account(
    _ source: SourceName = .mastodon, endsIn days: Double?, isRenewable: Bool = false
  ) throws -> Account {
    Account(
      source: source, server: try #require(Server("social.example")), handle: "ann@social.example", name: "Ann",
      token: Secret("hush"), scopes: [], created: Self.now.addingTimeInterval(-50 * Self.day),
      expires: days.map { Self.now.addingTimeInterval($0 * Self.day) },
      refreshToken: isRenewable ? Secret("more") : nil, clientID: isRenewable ? "1" : nil,
      clientSecret: isRenewable ? Secret("2") : nil)
  }

  private func follow(failingFor days: Double?) throws -> Follow {
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: try #require(Server("social.example")))
    let since = days.map { Self.now.addingTimeInterval(-$0 * Self.day) }
    return Follow(
      feed: feed, every: nil,
      schedule: .init(interval: .seconds(900), dueAt: nil, failingSince: since, failure: "social.example is down"))
  }

  @Test func `a login that ends within a week is reported, with what to type`() throws {
    #expect(
      try notices(accounts: [account(endsIn: 6.9)]).map(\.message) == [
        #"the login of ann@social.example ends at 2025-11-27 09:36: run "media login social.example""#
      ])
    #expect(try notices(accounts: [account(endsIn: 7.1), account(endsIn: nil)]).isEmpty)
    #expect(try notices(accounts: [account(endsIn: -1)]).first?.message.contains("ended at 2025-11-19") == true)
    #expect(try notices(accounts: [account(.x, endsIn: 1)]).first?.message.contains("--source x --app-only") == true)
  }

  @Test func `a login that renews itself is reported once it has ended`() throws {
    #expect(try notices(accounts: [account(endsIn: 1, isRenewable: true)]).isEmpty)
    #expect(try notices(accounts: [account(endsIn: -1, isRenewable: true)]).count == 1)
  }

  @Test func `a token of hours that renews itself is not reported, for it ends between two pulls`() throws {
    for (isRenewable, count) in [(true, 0), (false, 1)] {
      var login = try account(endsIn: -1, isRenewable: isRenewable)
      login.renewed = login.expires?.addingTimeInterval(-7200)
      #expect(try notices(accounts: [login]).count == count)
    }
  }

  @Test func `a feed that has failed for three days is reported`() throws {
    #expect(try notices(failing: [follow(failingFor: 2.9), follow(failingFor: nil)]).isEmpty)
    #expect(
      try notices(failing: [follow(failingFor: 3)]).map(\.message) == [
        "tag:cats@social.example has failed since 2025-11-17 12:00, for social.example is down; "
          + "\"media unfollow tag:cats@social.example\" stops asking"
      ])
  }

  @Test(
    arguments: [
      (999_999_999, 2_000_000_000, true), (1_000_000_000, 49_000_000_000, false),
      (1_000_000_000, 51_000_000_000, true), (30_000_000_000, 4_000_000_000_000, true),
      (100_000_000_000, 4_000_000_000_000, false),
    ] as [(Int64, Int64, Bool)])
  func `a disk is nearly full below a gigabyte or two hundredths`(free: Int64, size: Int64, isFull: Bool) throws {
    let found = try notices(disk: DiskRoom(free: free, size: size))
    #expect((found.map(\.kind) == [.disk]) == isFull)
  }

  @Test func `the most urgent comes first, and no token is in any`() throws {
    let found = try notices(
      disk: DiskRoom(free: 1, size: 100), accounts: [account(endsIn: 3), account(.x, endsIn: 2)],
      failing: [follow(failingFor: 9)])
    #expect(found.map(\.kind) == [.disk, .login, .login, .feed])
    #expect(found[1].about.hasPrefix("x "))
    #expect(!found.contains { $0.message.contains("hush") })
  }

  // MARK: The command

  /// A library that follows a feed that has failed for four days, and an origin that still fails.
  private func withFailing(_ body: @Sendable (Origin, Sandbox) async throws -> Void) async throws {
    let troubles: [Trouble] = [.every("/api/v1/timelines", .status(404))]
    try await withOrigin(Script(posts: 5, troubles: troubles)) { origin in
      let sandbox = try Sandbox()
      #expect(try await sandbox.media("follow", "cats@\(origin.url)", "--unchecked").status == 0)
      _ = try await sandbox.media("harvest")
      let long = UTC.text(Date().addingTimeInterval(-4 * Self.day))
      try await edit(sandbox, "UPDATE follow SET failing_since = ?", long)
      try await body(origin, sandbox)
    }
  }

  private func edit(_ sandbox: Sandbox, _ sql: String, _ value: String) async throws {
    try await sandbox.sql(sql.replacing("?", with: "'\(value)'"))
  }

  private func said(_ sandbox: Sandbox) -> [String] {
    let text = String(decoding: FileManager.default.contents(atPath: "\(sandbox.folder)/told") ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `a notice comes after the summary, in the ledger, and once a day through one's own command`() async throws
  {
    try await withFailing { origin, sandbox in
      let set = try await sandbox.media("settings", "notify", "cat >> \"\(sandbox.folder)/told\"")
      #expect(set.output == "cat >> \"\(sandbox.folder)/told\"\n")
      let ended = try await sandbox.media("harvest")
      #expect(ended.errors.contains("media: tag:cats@\(origin.url) has failed since "), "\(ended.errors)")
      #expect(said(sandbox).count { $0.contains("media unfollow") } == 1)
      #expect(!said(sandbox).contains { $0.hasPrefix("media: ") })
      let run = try #require(try await sandbox.media("runs", "--json").objects().first)
      let kept = try #require(run["notices"] as? [[String: any Sendable]])
      #expect(kept.contains { $0["kind"] as? String == "feed" })
      #expect(try await sandbox.media("runs", "--last").output.contains("notice      tag:cats"))
      let before = said(sandbox)
      _ = try await sandbox.media("harvest")
      #expect(said(sandbox) == before)
      let old = UTC.text(Date().addingTimeInterval(-1.1 * Self.day))
      try await edit(sandbox, "UPDATE run_notice SET told_at = ? WHERE told_at IS NOT NULL", old)
      let quiet = try await sandbox.media("harvest", "--quiet")
      #expect(!quiet.errors.contains("has failed since"))
      #expect(said(sandbox).count == 2 * before.count)
    }
  }

  @Test(.inFolders) func `commands in a library that are off are not warned of`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_CONFIG"] = nil
    let gift = "\(sandbox.library)/config"
    try FileManager.default.createDirectory(atPath: gift, withIntermediateDirectories: true)
    try Data("notify = \"off\"\n".utf8).write(to: URL(filePath: "\(gift)/config.toml"))
    try Data("off\n".utf8).write(to: URL(filePath: "\(gift)/opener"))
    #expect(try await sandbox.media("settings").errors.isEmpty)
    try Data("notify = \"cat\"\n".utf8).write(to: URL(filePath: "\(gift)/config.toml"))
    #expect(try await sandbox.media("settings").errors.contains("notify in \(gift) runs nothing, since it lies in the"))
    sandbox.environment["HOME"] = nil
    sandbox.environment["XDG_CONFIG_HOME"] = nil
    expect(
      try await sandbox.media("settings", "notify", "cat"), fails: 78,
      saying: "set HOME, XDG_CONFIG_HOME or MEDIA_CONFIG to a folder that is not the library's", output: true)
  }

  @Test(.inFolders) func `a library that somebody handed on runs nothing of its own, and says so once`() async throws {
    try await withFailing { origin, sandbox in
      var sandbox = sandbox
      let library = sandbox.library
      sandbox.environment["MEDIA_CONFIG"] = nil
      let gift = "\(library)/config"
      try FileManager.default.createDirectory(atPath: gift, withIntermediateDirectories: true)
      let theirs =
        "notify = \"cat >> '\(sandbox.folder)/told'\"\nview = \"grid\"\ncolour = 1\n[libraries]\nw = \"/w\"\n"
      try Data(theirs.utf8).write(to: URL(filePath: "\(gift)/config.toml"))
      try Data("cat >> '\(sandbox.folder)/told'".utf8).write(to: URL(filePath: "\(gift)/opener"))
      let ended = try await sandbox.media("harvest")
      #expect(said(sandbox).isEmpty)
      let own = "\(sandbox.environment["HOME"] ?? "")/.config/media"
      let warning = "media: notify and opener in \(gift) run nothing, since they lie in the library"
      #expect(ended.errors.components(separatedBy: warning).count == 2, "\(ended.errors)")
      #expect(ended.errors.contains("\"colour\" and [libraries] in \(gift)/config.toml are not settings of a library"))
      let settings = try await sandbox.media("settings", "--json").object()
      #expect(settings["notify"] as? String == "off" && settings["opener"] as? String == "off")
      #expect(settings["view"] as? String == "grid")

      #expect(try await sandbox.media("settings", "notify", "cat >> \"\(sandbox.folder)/told\"").status == 0)
      #expect(FileManager.default.fileExists(atPath: "\(own)/notify"))
      #expect(!FileManager.default.fileExists(atPath: "\(gift)/notify"))
      // Nobody reads the output of a scheduled harvest.
      #expect(try await !sandbox.media("harvest", "--quiet").errors.contains("since they lie"))
      #expect(said(sandbox).count { $0.contains("media unfollow") } == 1)
      #expect(said(sandbox).count { $0.contains("notify and opener in \(gift) run nothing") } == 1)
      try Data("opener = \"feh\"\nview = \"list\"\n".utf8).write(to: URL(filePath: "\(own)/config.toml"))
      let mine = try await sandbox.media("settings", "--json").object()
      #expect(mine["opener"] as? String == "feh" && mine["view"] as? String == "grid")

      // What was set goes before the file, until it is forgotten.
      #expect(try await sandbox.media("settings", "opener", "eog").output == "eog\n")
      #expect(try await sandbox.media("settings", "opener", "--reset").output == "feh\n")
      #expect(try await sandbox.media("settings", "notify", "--reset").output == "off\n")
      #expect(!FileManager.default.fileExists(atPath: "\(own)/notify"))
      expect(
        try await sandbox.media("settings", "--reset"), fails: 64, saying: "--reset goes with the name of a setting")
    }
  }

  @Test func `a command's file that others can read is refused, with what it holds`() async throws {
    let sandbox = try Sandbox()
    try sandbox.configure("notify", "mail ann", mode: 0o644)
    let path = "\(sandbox.configuration)/notify"
    expect(
      try await sandbox.media("settings"), fails: 78, saying: "\(path) holds your command and others can read it",
      "chmod 600 \(path)")
  }

  @Test(arguments: ["exit 3", "nothing-of-that-name"])
  func `a failing command is itself reported, and fails nothing`(command: String) async throws {
    try await withFailing { origin, sandbox in
      #expect(try await sandbox.media("settings", "notify", command).status == 0)
      origin.change { $0.troubles = [] }
      let ended = try await sandbox.media("harvest", "--no-pictures")
      #expect(ended.status == 0)
      #expect(!ended.errors.contains("notify"))
      let account = Account(
        server: try #require(Server(origin.url)), handle: "ann@127.0.0.1", name: "Ann", token: Secret("scripted-token"),
        scopes: ["read"], created: Date(), expires: Date().addingTimeInterval(3 * Self.day))
      try Accounts(folder: sandbox.configuration).keep(account)
      let warned = try await sandbox.media("harvest", "--no-pictures")
      #expect(warned.status == 0, "\(warned.errors)")
      #expect(warned.errors.contains("the login of ann@127.0.0.1"), "\(warned.errors)")
      let status = command == "exit 3" ? 3 : 127
      #expect(warned.errors.contains("the command of \"notify\" failed with status \(status)"), "\(warned.errors)")
    }
  }

  @Test func `more notices than fit are counted`() {
    let text = NoticeCommand.text(of: Array(repeating: SafeText(String(repeating: "a", count: 999)), count: 5)).text
    #expect(text.split(separator: "\n").count == 4)
    #expect(text.hasSuffix("a\nand 2 more: \"media runs --last\" shows them\n"))
    #expect(NoticeCommand.text(of: ["one", "two"]) == "one\ntwo\n")
  }

  @Test func `a command is one line for the shell, or none`() throws {
    #expect(try SettingKey.notify.canonical("  Mail -s Media ann ") == "Mail -s Media ann")
    #expect(try SettingKey.notify.canonical("OFF") == "off")
    #expect(Settings(stored: [:], commands: [.notify: "off"]).notify == nil)
    #expect(Settings(stored: [:], commands: [.notify: "mail ann"]).notify == "mail ann")
    // The receiver of a library runs none of its commands.
    #expect(Settings(stored: ["notify": "mail ann"]).notify == nil)
    #expect(throws: SettingError.self) { try SettingKey.notify.canonical("a\nb") }
  }
}
