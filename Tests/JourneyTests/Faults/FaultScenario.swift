import Foundation
import ScriptedOrigin
import Testing

/// A user's action during which a fault occurs: its setup, the action, and what follows.
struct FaultScenario: Sendable, CustomTestStringConvertible {
  typealias UserAction = @Sendable (Sandbox, Origin) async throws -> Ended

  let name: String
  var script = Script()
  /// The setup.
  var prepare: @Sendable (Sandbox, Origin) async throws -> Void = { _, _ in }
  /// The action, which meets the fault.
  let action: UserAction
  /// What the user does once afterwards.
  let recovery: UserAction
  var likeness: @Sendable (Sandbox) async throws -> Likeness = { try Likeness(library: $0.library) }

  var testDescription: String { name }

  /// An action of one command, which is repeated after a fault.
  init(_ name: String, _ script: Script = Script(), again command: @escaping @Sendable (Origin) -> [String]) {
    self.init(name, script, action: { try await $0.run(command($1)) }, recovery: { try await $0.run(command($1)) })
  }

  init(_ name: String, _ script: Script = Script(), action: @escaping UserAction, recovery: @escaping UserAction) {
    (self.name, self.script, self.action, self.recovery) = (name, script, action, recovery)
  }
}

extension FaultScenario {
  static let all = [
    first, pull, delete, mark, restore, lateSteps, garbage, login, harvest, backup, imported, folder, copy,
  ]

  /// The first command of all, which creates the library.
  private static let first = FaultScenario("first") { ["follow", "cats@\($0.url)", "--unchecked"] }

  private static let pull = {
    // The third page is known to be the last only after a fourth, empty one.
    let flags = ["--page-size", "4", "--json"]
    var scenario = FaultScenario(
      "pull", small(11),
      action: { try await $0.run(["tag", "cats", "--all", "--server", $1.url] + flags) },
      recovery: { try await $0.run(["tag", "cats", "--resume", "--pages", "9", "--server", $1.url] + flags) })
    scenario.prepare = { sandbox, _ in
      try await expectDone(sandbox.media("settings", "view", "list"))
      // Each page is stored with what a rule makes of its posts, or not at all.
      try await expectDone(sandbox.media("album", "create", "Kept"))
      let marks = ["--tag", "+boat", "--rating", "3", "--album", "Kept"]
      try await expectDone(sandbox.run(["rules", "add", "boats", "tag:cats"] + marks))
    }
    return scenario
  }()

  private static let delete = {
    var scenario = FaultScenario("delete", small(6)) { _ in ["delete", "1", "2", "3"] }
    scenario.prepare = { sandbox, origin in try await pulled(sandbox, origin) }
    return scenario
  }()

  private static let mark = {
    var scenario = FaultScenario("mark", small(6)) { _ in
      ["mark", "1", "2", "3", "--favourite", "--rating", "4", "--tag", "print", "--note", "a heron"]
    }
    scenario.prepare = { sandbox, origin in try await pulled(sandbox, origin) }
    return scenario
  }()

  private static let restore = {
    var scenario = FaultScenario("restore", small(6)) { _ in ["restore", "1", "2"] }
    scenario.prepare = { sandbox, origin in
      try await pulled(sandbox, origin)
      try await expectDone(sandbox.media("delete", "1", "2", "3"))
    }
    return scenario
  }()

  private static let garbage = {
    var scenario = FaultScenario("gc", small(6)) { _ in ["gc"] }
    scenario.prepare = { sandbox, origin in
      try await pulled(sandbox, origin)
      try await expectDone(sandbox.media("delete", "1", "2", "3"))
      for setting in ["trash", "gc-grace"] { try await expectDone(sandbox.media("settings", setting, "0s")) }
    }
    return scenario
  }()

  /// A second backup, after some posts came and some pictures went.
  private static let backup = {
    let all = small(9)
    let folder: @Sendable (Sandbox) -> String = { "\($0.configuration)/backup" }
    let run: UserAction = { sandbox, _ in try await sandbox.media("backup", folder(sandbox)) }
    var scenario = FaultScenario("backup", all, action: run, recovery: run)
    scenario.prepare = { sandbox, origin in
      origin.change { $0.posts = Array(all.posts.dropFirst(5)) }
      try await pulled(sandbox, origin)
      try sandbox.configure("config.toml", "")
      try await expectDone(sandbox.media("backup", folder(sandbox)))
      for setting in ["trash", "gc-grace"] { try await expectDone(sandbox.media("settings", setting, "0s")) }
      try await expectDone(sandbox.media("delete", "1"))
      try await expectDone(sandbox.media("gc"))
      origin.change { $0.posts = all.posts }
      try await pulled(sandbox, origin)
    }
    scenario.likeness = { sandbox in
      let check = try await sandbox.media("check", "--json", "--library", folder(sandbox))
      try expectDone(check)
      let kinds = try check.objects().compactMap { $0["kind"] as? String }
      try #require(kinds.allSatisfy { $0 == "orphan" }, "\(kinds)")
      return try Likeness(library: folder(sandbox))
    }
    return scenario
  }()

  /// An export with its pictures, into a library that has some of it.
  private static let imported = {
    let folder: @Sendable (Sandbox) -> String = { "\($0.configuration)/export" }
    let file: @Sendable (Sandbox) -> String = { "\(folder($0))/all.ndjson" }
    let run: UserAction = { sandbox, _ in try await sandbox.media("import", file(sandbox)) }
    var scenario = FaultScenario("import", small(9), action: run, recovery: run)
    scenario.prepare = { sandbox, origin in
      try await other(sandbox, origin)
      try FileManager.default.createDirectory(atPath: folder(sandbox), withIntermediateDirectories: true)
      let flags = ["--raw", "--blobs", folder(sandbox), "--out", file(sandbox), "--library", otherLibrary(sandbox)]
      try await expectDone(sandbox.run(["export"] + flags))
    }
    return scenario
  }()

  /// A folder of gallery-dl.
  private static let folder = {
    let path: @Sendable (Sandbox) -> String = { "\($0.configuration)/gallery-dl" }
    let run: UserAction = { sandbox, _ in try await sandbox.media("import", path(sandbox)) }
    var scenario = FaultScenario("folder", Script(), action: run, recovery: run)
    scenario.prepare = { sandbox, _ in
      try sandbox.configure("config.toml", "")
      _ = try GalleryDLFolder(at: path(sandbox), madeUp: 7)
    }
    return scenario
  }()

  /// A library with other posts, and with others of the same posts deleted, into this one.
  private static let copy = {
    let run: UserAction = { sandbox, _ in try await sandbox.media("copy", otherLibrary(sandbox), sandbox.library) }
    var scenario = FaultScenario("copy", small(9), action: run, recovery: run)
    scenario.prepare = { sandbox, origin in
      try await other(sandbox, origin)
      try await expectDone(sandbox.media("add", "a kingfisher"))
    }
    return scenario
  }()

  private static let otherLibrary: @Sendable (Sandbox) -> String = { "\($0.configuration)/other" }

  private static func other(_ sandbox: Sandbox, _ origin: Origin) async throws {
    try sandbox.configure("config.toml", "")
    let library = ["--library", otherLibrary(sandbox)]
    try await expectDone(sandbox.run(["tag", "cats", "--server", origin.url] + library))
    try await expectDone(sandbox.run(["delete", "2"] + library))
  }

  private static let harvest = {
    let all = small(9)
    var scenario = FaultScenario("harvest", all) { _ in ["harvest"] }
    scenario.prepare = { sandbox, origin in
      origin.change { $0.posts = Array(all.posts.dropFirst(5)) }
      try await expectDone(sandbox.media("follow", "cats@\(origin.url)", "--unchecked"))
      try await expectDone(sandbox.media("harvest"))
      try await expectDone(sandbox.media("delete", "1"))
      origin.change { $0.posts = all.posts }
    }
    return scenario
  }()

  /// A library of an earlier version is opened, and what a migration leaves to steps is done. A list on a full disk leaves it
  /// to the next command.
  private static let lateSteps = {
    var scenario = FaultScenario(
      "steps", action: { sandbox, _ in try await sandbox.media("list", "--json") },
      recovery: { sandbox, _ in
        let ended = try await sandbox.media("list", "--json")
        #expect(try await sandbox.sql("SELECT count(*) FROM post WHERE visibility = 'pending'") == "0\n")
        return ended
      })
    scenario.prepare = { sandbox, _ in
      try EarlierLibrary.unpack("v025", into: sandbox)
      try await sandbox.sql("UPDATE post SET visibility = 'pending'")
      try await sandbox.sql("INSERT INTO setting (name, value) VALUES ('visibility-read', '0')")
    }
    return scenario
  }()

  private static let login = {
    var scenario = FaultScenario(
      "login", small(1), action: { try await logIn($0, $1) }, recovery: { try await logIn($0, $1) })
    scenario.prepare = { sandbox, origin in
      // The same server by another name: an account that must not disappear.
      let other = origin.url.replacing("127.0.0.1", with: "localhost")
      try await expectDone(sandbox.run(["login", other, "--token-stdin"], input: "scripted-token\n"))
    }
    scenario.likeness = { sandbox in
      let accounts = try await sandbox.media("accounts", "--json")
      try expectDone(accounts)
      return Likeness(try accounts.objects().compactMap { $0["server"] as? String }.sorted())
    }
    return scenario
  }()

  /// Most posts have pictures, few enough for a short test.
  private static func small(_ posts: Int) -> Script {
    var script = Script(posts: posts)
    script.accounts = 2
    for index in script.posts.indices {
      script.posts[index].attachments = Array(script.posts[index].attachments.prefix(1))
    }
    return script
  }

  private static func pulled(_ sandbox: Sandbox, _ origin: Origin) async throws {
    try await expectDone(sandbox.media("tag", "cats", "--server", origin.url))
  }

  private static func expectDone(_ ended: Ended) throws {
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
  }

  /// A login whose code is pasted as soon as the page's address is printed. The command may already be dead.
  private static func logIn(_ sandbox: Sandbox, _ origin: Origin) async throws -> Ended {
    let running = try sandbox.begin("login", origin.url, "--no-browser")
    while running.isRunning, page(in: running.output) == nil { try await Task.sleep(for: .milliseconds(5)) }
    if let page = page(in: running.output) { running.type("\(try origin.approve(page))\n") }
    running.endInput()
    return try await running.end()
  }

  private static func page(in output: String) -> String? {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first { $0.contains("/oauth/authorize") }
      .map(String.init)
  }
}
