import Foundation
import ScriptedOrigin
import Testing

@testable import media

/// What commands print with `--json`, held to the shapes of the manual.
@Suite(.timeLimit(.minutes(10))) struct ManualShapesTests {
  /// A sandbox whose commands print what the manual says.
  private final class Held {
    let sandbox: Sandbox
    let groups = ManualShapes.all.map { title, lines in
      (title: title.dropFirst("media ".count), shapes: Shape.read(lines.joined()))
    }
    /// The shapes that nothing was printed in, by their titles' first words and their places below them.
    var unmet: [String]

    init(_ sandbox: Sandbox) {
      self.sandbox = sandbox
      unmet = groups.flatMap { group in group.shapes.indices.map { Self.name(group.title, $0) } }
    }

    static func name(_ title: Substring, _ index: Int) -> String {
      (title.split { !$0.isLetter }.prefix(2) + ["\(index)"]).joined(separator: " ")
    }

    /// Runs commands, each behind the beginning of the title whose shapes its lines have.
    func run(_ commands: String...) async throws {
      for command in commands {
        let parts = command.split(separator: ": ", maxSplits: 1)
        let group = try #require(groups.first { $0.title.hasPrefix(parts[0]) }, "\(command)")
        let ended = try await sandbox.run(parts[1].split(separator: " ").map(String.init) + ["--json"])
        #expect(ended.status <= 1 && !ended.output.isEmpty, "\(command): \(ended.status) \(ended.errors)")
        for line in ended.lines {
          let misfits = group.shapes.map { $0.misfit(Shape.read(line)[0]) }
          if let index = misfits.firstIndex(of: nil) { unmet.removeAll { $0 == Self.name(group.title, index) } }
          #expect(misfits.contains(nil), "\(command): \(misfits.compactMap(\.self)) in \(line)")
        }
      }
    }
  }

  @Test(.inFolders) func `commands print the keys and the kinds of values that the manual says`() async throws {
    let all = Script(posts: 45).posts
    try await withOrigin(Script(posts: Array(all.dropFirst(25)))) { origin in
      let sandbox = try Sandbox()
      let (held, there) = (Held(sandbox), sandbox.folder)
      _ = try GalleryDLFolder(at: "\(there)/cats", madeUp: 2)
      let feed = "tag:cats@\(origin.url)"
      try await held.run("list: add A_kingfisher --tag birds", "list: edit 1 --text A_heron", "undo: undo")
      try await sandbox.media("login", origin.url, "--token-stdin", input: "scripted-token\n")
      try await held.run("login: accounts", "tag: tag \(feed) --page-size 5", "tag: user user1@\(origin.url)")
      origin.change { $0.posts = all }
      try await held.run("tag: tag \(feed) --new --pages 1 --page-size 10", "gaps, one: gaps")
      try await held.run("follow: follow \(feed) --every 1h", "follow: follows --all")
      try await held.run("tag: gaps --fill", "tag: harvest", "runs: runs", "runs: runs 1", "recheck: recheck")
      try await held.run("get: get --explain \(origin.url)/tags/cats", "get: get \(origin.url)/@user3/\(all[3].id)")
      try await held.run("pictures: pictures 2 3 4")
      try await held.run("look: look", "same: same", "list: plan Walk --start 2040-01-01T10:00", "list: show 2")
      try await held.run("album create: album create Best", "album create: searches save fine is:favourite")
      try await held.run(
        "album create: rules add good is:favourite --rating 5", "delete: delete 2 6", "delete: restore 2",
        "delete: mark 3 --favourite", "delete: album add Best 3 4", "delete: album remove Best 4",
        "delete: hide tag:birds", "delete: unhide 5", "delete: rules run good",
        "delete: rules add more is:favourite --rating 4 --dry-run", "hidden: hidden", "undo: undo")
      try await held.run(
        "list: list --limit 500", "list: list --deleted", "list: album show Best",
        "album list: album list", "searches: searches", "rules: rules", "share add: share add Best",
        "share add: share add Best --until never", "share list: share list", "share revoke: share revoke all")
      try await held.run(
        "export: export --out \(there)/all.ndjson", "export: export --format html --out \(there)/site",
        "export: export --format zip --out \(there)/all.zip", "export: export --files \(there)/files",
        "export: export --format opml --out \(there)/feeds.opml", "import: import \(there)/all.ndjson",
        "import: import \(there)/cats --check", "import: import \(there)/feeds.opml")
      try await held.run(
        "stats: stats", "settings: settings", "settings: settings refresh 5m", "backup: backup \(there)/backup",
        "copy: copy \(sandbox.library) \(there)/copy", "doctor: doctor", "gc: gc --dry-run")
      try await sandbox.media("delete", "2", "--library", "\(there)/copy")
      try await sandbox.media("add", "a wren", "--library", "\(there)/copy")
      try await held.run("check: check --against \(there)/copy")
      try FileManager.default.removeItem(atPath: "\(sandbox.library)/blobs")
      try await held.run("check: check", "unfollow: unfollow \(feed)", "logout: logout")
      // What needs a verdict, a crontab, an unreachable server or a person. That of "library" is of servers of databases.
      let unmet = held.unmet.filter { !$0.hasPrefix("library") }
      #expect(unmet == ["same one 1", "look and 1", "schedule show 0", "copy and 1", "login and 1", "demo 0"])
    }
  }

  @Test(arguments: [
    ("{\"a\":1}", true), ("{\"a\":1,\"b\":null}", true), ("{}", false), ("{\"a\":null}", false),
    ("{\"a\":\"1\"}", false),
    ("{\"a\":1,\"c\":2}", false),
  ])
  func `a key too many or too few and a value of another kind are seen`(value: String, fits: Bool) {
    let shape = Shape.read("{\"a\":N,\"b\"?:TEXT?}")[0]
    #expect((shape.misfit(Shape.read(value)[0]) == nil) == fits)
  }

  @Test func `the manual has the shape of every command that prints JSON`() {
    let words = Set(ManualShapes.all.flatMap { $0.title.split { !$0.isLetter } }.map(String.init))
    let others = HelpTests.commands.filter { !words.contains($0) }
    #expect(others == ["open", "serve", "completions", "manual"])
  }
}

/// A shape as the manual writes it, or a value as a command printed it.
private indirect enum Shape {
  typealias Member = (key: Substring, mayLack: Bool, shape: Shape)
  case word(Substring), list([Shape]), either([Shape]), object([Member])

  /// Where a value is of another shape, and what is there; nil if it fits.
  func misfit(_ value: Shape, _ path: String = "") -> String? {
    switch (self, value) {
    case (.either(let shapes), _):
      let misfits = shapes.map { $0.misfit(value, path) }
      return misfits.contains(nil) ? nil : misfits[0]
    case (.list(let shapes), .list(let values)):
      return values.lazy.compactMap { shapes[0].misfit($0, "\(path)[]") }.first
    case (.object(let members), .object(let values)): return Self.misfit(members, values, path)
    case (.word(let word), .word(let value)) where Self.stands(word, for: value): return nil
    default: return "\(path) is \(value)"
    }
  }

  private static func stands(_ word: Substring, for value: Substring) -> Bool {
    switch word {
    case "TEXT", "PATH": value.hasPrefix("\"")
    case "TIME": value.wholeMatch(of: /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/) != nil
    case "N", "SECONDS": Double(value) != nil
    case "BOOL": value == "true" || value == "false"
    default: word == value
    }
  }

  private static func misfit(_ members: [Member], _ values: [Member], _ path: String) -> String? {
    // A key without quotation marks stands for any.
    if let any = members.first, !any.key.hasPrefix("\"") {
      return values.lazy.compactMap { any.shape.misfit($0.shape, "\(path).\($0.key)") }.first
    }
    if let value = values.first(where: { value in !members.contains { $0.key == value.key } }) {
      return "\(path).\(value.key) is not in the manual"
    }
    return members.lazy.compactMap { member in
      guard let value = values.first(where: { $0.key == member.key }) else {
        return member.mayLack ? nil : "\(path).\(member.key) is left out"
      }
      return member.shape.misfit(value.shape, "\(path).\(member.key)")
    }.first
  }

  /// The shapes or values in a text.
  static func read(_ text: String) -> [Shape] {
    var tokens = text.matches(of: /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[A-Za-z]+|[{}\[\]:,|?]/).map(\.output)[...]
    func take(_ token: Substring) -> Bool {
      guard tokens.first == token else { return false }
      tokens.removeFirst()
      return true
    }
    func shape() -> Shape {
      var shapes = [one()]
      while take("|") { shapes.append(one()) }
      if take("?") { shapes.append(.word("null")) }
      return shapes.count == 1 ? shapes[0] : .either(shapes)
    }
    func all(until end: Substring, _ read: () -> Void) { while !take(end) { read(); _ = take(",") } }
    func one() -> Shape {
      var (list, members): ([Shape], [Member]) = ([], [])
      if take("[") {
        all(until: "]") { list.append(shape()) }
        return .list(list)
      }
      guard take("{") else { return .word(tokens.removeFirst()) }
      all(until: "}") {
        let (key, mayLack) = (tokens.removeFirst(), take("?"))
        precondition(take(":"), "\(key) has a value")
        members.append((key, mayLack, shape()))
      }
      return .object(members)
    }
    var shapes: [Shape] = []
    while !tokens.isEmpty { shapes.append(shape()) }
    return shapes
  }
}
