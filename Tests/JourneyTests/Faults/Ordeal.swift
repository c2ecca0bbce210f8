import Foundation
import ScriptedOrigin
import Testing

/// A user's action during which a fault occurs: its setup, the action, and what follows.
struct Ordeal: Sendable, CustomTestStringConvertible {
  typealias UserAction = @Sendable (Household, Origin) async throws -> Ended

  let name: String
  var script = Script()
  /// The setup.
  var prepare: @Sendable (Household, Origin) async throws -> Void = { _, _ in }
  /// The action, which meets the fault.
  let action: UserAction
  /// What the user does once afterwards.
  let recovery: UserAction
  var likeness: @Sendable (Household) async throws -> Likeness = { try Likeness(library: $0.library) }

  var testDescription: String { name }

  /// An action of one command, which is repeated after a fault.
  init(_ name: String, _ script: Script = Script(), again command: @escaping @Sendable (Origin) -> [String]) {
    self.init(name, script, action: { try await $0.run(command($1)) }, recovery: { try await $0.run(command($1)) })
  }

  init(_ name: String, _ script: Script = Script(), action: @escaping UserAction, recovery: @escaping UserAction) {
    (self.name, self.script, self.action, self.recovery) = (name, script, action, recovery)
  }
}

extension Ordeal {
  static let all = [first, pull, delete, restore, migration, garbage, login, harvest, backup, imported, folder, copy]

  /// The first command of all, which creates the library.
  private static let first = Ordeal("first") { ["follow", "cats@\($0.url)", "--unchecked"] }

  private static let pull = {
    // The third page is known to be the last only after a fourth, empty one.
    let flags = ["--page-size", "4", "--json"]
    var ordeal = Ordeal(
      "pull", small(11),
      action: { try await $0.run(["tag", "cats", "--all", "--server", $1.url] + flags) },
      recovery: { try await $0.run(["tag", "cats", "--resume", "--pages", "9", "--server", $1.url] + flags) })
    ordeal.prepare = { house, _ in try await expectDone(house.media("settings", "view", "list")) }
    return ordeal
  }()

  private static let delete = {
    var ordeal = Ordeal("delete", small(6)) { _ in ["delete", "1", "2", "3"] }
    ordeal.prepare = { house, origin in try await pulled(house, origin) }
    return ordeal
  }()

  private static let restore = {
    var ordeal = Ordeal("restore", small(6)) { _ in ["restore", "1", "2"] }
    ordeal.prepare = { house, origin in
      try await pulled(house, origin)
      try await expectDone(house.media("delete", "1", "2", "3"))
    }
    return ordeal
  }()

  private static let garbage = {
    var ordeal = Ordeal("gc", small(6)) { _ in ["gc"] }
    ordeal.prepare = { house, origin in
      try await pulled(house, origin)
      try await expectDone(house.media("delete", "1", "2", "3"))
      for setting in ["trash", "gc-grace"] { try await expectDone(house.media("settings", setting, "0s")) }
    }
    return ordeal
  }()

  /// A second backup, after some posts came and some pictures went.
  private static let backup = {
    let all = small(9)
    let folder: @Sendable (Household) -> String = { "\($0.configuration)/backup" }
    let run: UserAction = { house, _ in try await house.media("backup", folder(house)) }
    var ordeal = Ordeal("backup", all, action: run, recovery: run)
    ordeal.prepare = { house, origin in
      origin.change { $0.posts = Array(all.posts.dropFirst(5)) }
      try await pulled(house, origin)
      try house.configure("config.toml", "")
      try await expectDone(house.media("backup", folder(house)))
      for setting in ["trash", "gc-grace"] { try await expectDone(house.media("settings", setting, "0s")) }
      try await expectDone(house.media("delete", "1"))
      try await expectDone(house.media("gc"))
      origin.change { $0.posts = all.posts }
      try await pulled(house, origin)
    }
    ordeal.likeness = { house in
      let check = try await house.media("check", "--json", "--library", folder(house))
      try expectDone(check)
      let kinds = try check.objects().compactMap { $0["kind"] as? String }
      try #require(kinds.allSatisfy { $0 == "orphan" }, "\(kinds)")
      return try Likeness(library: folder(house))
    }
    return ordeal
  }()

  /// An export with its pictures, into a library that has some of it.
  private static let imported = {
    let folder: @Sendable (Household) -> String = { "\($0.configuration)/export" }
    let file: @Sendable (Household) -> String = { "\(folder($0))/all.ndjson" }
    let run: UserAction = { house, _ in try await house.media("import", file(house)) }
    var ordeal = Ordeal("import", small(9), action: run, recovery: run)
    ordeal.prepare = { house, origin in
      try await other(house, origin)
      try FileManager.default.createDirectory(atPath: folder(house), withIntermediateDirectories: true)
      let flags = ["--raw", "--blobs", folder(house), "--out", file(house), "--library", otherLibrary(house)]
      try await expectDone(house.run(["export"] + flags))
    }
    return ordeal
  }()

  /// A folder of gallery-dl.
  private static let folder = {
    let path: @Sendable (Household) -> String = { "\($0.configuration)/gallery-dl" }
    let run: UserAction = { house, _ in try await house.media("import", path(house)) }
    var ordeal = Ordeal("folder", Script(), action: run, recovery: run)
    ordeal.prepare = { house, _ in
      try house.configure("config.toml", "")
      _ = try GalleryDLFolder(at: path(house), madeUp: 7)
    }
    return ordeal
  }()

  /// A library with other posts, and with others of the same posts deleted, into this one.
  private static let copy = {
    let run: UserAction = { house, _ in try await house.media("copy", otherLibrary(house), house.library) }
    var ordeal = Ordeal("copy", small(9), action: run, recovery: run)
    ordeal.prepare = { house, origin in
      try await other(house, origin)
      try await expectDone(house.media("add", "a kingfisher"))
    }
    return ordeal
  }()

  private static let otherLibrary: @Sendable (Household) -> String = { "\($0.configuration)/other" }

  private static func other(_ house: Household, _ origin: Origin) async throws {
    try house.configure("config.toml", "")
    let library = ["--library", otherLibrary(house)]
    try await expectDone(house.run(["tag", "cats", "--server", origin.url] + library))
    try await expectDone(house.run(["delete", "2"] + library))
  }

  private static let harvest = {
    let all = small(9)
    var ordeal = Ordeal("harvest", all) { _ in ["harvest"] }
    ordeal.prepare = { house, origin in
      origin.change { $0.posts = Array(all.posts.dropFirst(5)) }
      try await expectDone(house.media("follow", "cats@\(origin.url)", "--unchecked"))
      try await expectDone(house.media("harvest"))
      try await expectDone(house.media("delete", "1"))
      origin.change { $0.posts = all.posts }
    }
    return ordeal
  }()

  private static let migration = {
    var ordeal = Ordeal("migration") { _ in ["list", "--json"] }
    ordeal.prepare = { house, _ in try OldHousehold.unpack("v001", into: house) }
    return ordeal
  }()

  private static let login = {
    var ordeal = Ordeal("login", small(1), action: { try await logIn($0, $1) }, recovery: { try await logIn($0, $1) })
    ordeal.prepare = { house, origin in
      // The same server by another name: an account that must not disappear.
      let other = origin.url.replacing("127.0.0.1", with: "localhost")
      try await expectDone(house.run(["login", other, "--token-stdin"], input: "scripted-token\n"))
    }
    ordeal.likeness = { house in
      let accounts = try await house.media("accounts", "--json")
      try expectDone(accounts)
      return Likeness(try accounts.objects().compactMap { $0["server"] as? String }.sorted())
    }
    return ordeal
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

  private static func pulled(_ house: Household, _ origin: Origin) async throws {
    try await expectDone(house.media("tag", "cats", "--server", origin.url))
  }

  private static func expectDone(_ ended: Ended) throws {
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
  }

  /// A login whose code is pasted as soon as the page's address is printed. The command may already be dead.
  private static func logIn(_ house: Household, _ origin: Origin) async throws -> Ended {
    let running = try house.begin("login", origin.url, "--no-browser")
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
