import Folders
import Foundation
import ScriptedOrigin
import Testing

/// `media doctor`: what it finds, and that what it advises helps.
@Suite(.inFolders, .timeLimit(.minutes(10))) struct DoctorTests {
  /// What it says of one examination, as states and messages with their cures.
  private func findings(_ sandbox: Sandbox, _ examination: String) async throws -> [[String]] {
    try await sandbox.media("doctor", "--json").objects().filter { $0["examination"] as? String == examination }.map {
      [$0["state"] as? String ?? "", $0["message"] as? String ?? "", $0["cure"] as? String ?? ""]
    }
  }

  private func harvested(_ origin: Origin) async throws -> Sandbox {
    let sandbox = try Sandbox()
    let login = ["login", origin.url, "--token-stdin", "--no-browser"]
    #expect(try await sandbox.run(login, input: "scripted-token\n").status == 0)
    #expect(try await sandbox.media("follow", "cats@\(origin.url)", "--quiet").status == 0)
    #expect(try await sandbox.media("harvest", "--quiet").status == 0)
    return sandbox
  }

  @Test func `a new machine has no library, and nothing is wrong with it`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("doctor")
    #expect(ended.status == 0, "\(ended.output)")
    #expect(ended.output.contains("notice   library        there is no library at \(sandbox.library) yet: "))
    #expect(ended.output.contains(" are free"))
    #expect(!FileManager.default.fileExists(atPath: sandbox.library))
    #expect(!FileManager.default.fileExists(atPath: sandbox.configuration))
  }

  @Test func `a library that is harvested is well, and is not changed`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try await harvested(origin)
      let dump = "SELECT group_concat(name || ' ' || value) FROM setting; SELECT max(id) FROM change"
      let before = try await sandbox.sql(dump)
      let ended = try await sandbox.media("doctor")
      #expect(ended.status == 0, "\(ended.output)")
      for line in [
        "ok       library        \(sandbox.library): 3 posts,", " stored, none is missing",
        "ok       feeds          1 followed, nothing is known to be missing",
        "notice   harvests       nothing harvests by itself: \"media schedule install\"",
        "ok       harvests       the last harvest began 20", "ok       logins         ",
        "ok       servers        \(origin.url) answers",
      ] { #expect(ended.output.contains(line), "\(line): \(ended.output)") }
      #expect(ended.errors == "1 notice\n")
      #expect(!ended.output.contains("scripted-token"))
      #expect(try await sandbox.sql(dump) == before)
    }
  }

  @Test func `a login that its server refuses is told, and a new one helps`() async throws {
    var script = Script(posts: 3)
    script.tokens = ["scripted-token", "another-token"]
    try await withOrigin(script) { origin in
      let sandbox = try await harvested(origin)
      origin.refuse(token: "scripted-token")
      let found = try await findings(sandbox, "logins")
      #expect(found.count == 1 && found[0][0] == "problem", "\(found)")
      #expect(found[0][1].contains("refused the token") && found[0][2] == "\"media login \(origin.url)\"", "\(found)")
      #expect(try await sandbox.media("doctor").status == 77)
      let login = ["login", origin.url, "--token-stdin", "--no-browser"]
      #expect(try await sandbox.run(login, input: "another-token\n").status == 0)
      #expect(try await findings(sandbox, "logins").map(\.first) == ["good"])
    }
  }

  @Test func `a feed that fails is told with its reason, and a harvest ends it once the server is well`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try await harvested(origin)
      origin.change { $0.troubles = [.every("/api/v1/timelines", .status(500))] }
      _ = try await sandbox.media("harvest", "--quiet")
      let found = try await findings(sandbox, "feeds")
      #expect(found.first?[0] == "problem" && found.first?[1].contains("failing") == true, "\(found)")
      origin.change { $0.troubles = [] }
      let cure = try #require(found.first?[2]).replacing("\"", with: "")
      #expect(try await sandbox.bash("$MEDIA \(cure.dropFirst("media ".count)) --quiet").status == 0)
      #expect(try await findings(sandbox, "feeds").map(\.first) == ["good"])
    }
  }

  @Test func `files that others may write are told, and chmod helps`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a bird", "--quiet")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: sandbox.library)
    let found = try await findings(sandbox, "library")
    #expect(found.map(\.first) == ["good", "notice"], "\(found)")
    let cure = try #require(found.last?[2]).replacing("\"", with: "")
    #expect(try await sandbox.bash(cure).status == 0)
    #expect(try await findings(sandbox, "library").map(\.first) == ["good"])
  }

  @Test func `logins that others may read are told, and chmod helps`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try await harvested(origin)
      let file = "\(sandbox.configuration)/accounts.json"
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      let found = try await findings(sandbox, "logins")
      #expect(found.first?[0] == "problem" && found.first?[2].contains("chmod 600") == true, "\(found)")
    }
  }

  @Test func `a server that never answers is told within the time, and the rest is told too`() async throws {
    let silent = try RawServer(Array(repeating: [.silence], count: 20))
    let sandbox = try Sandbox()
    #expect(try await sandbox.media("follow", "tag:cats@\(silent.url)", "--unchecked", "--quiet").status == 0)
    let ended = try await sandbox.bash("timeout 15 $MEDIA doctor")
    #expect(ended.status == 69, "\(ended.output)")
    let told = "\(silent.url) cannot be reached (it does not answer in time): check the address and the network"
    #expect(ended.output.contains("problem  servers        \(told)"), "\(ended.output)")
    #expect(ended.output.contains("ok       library"))
  }

  @Test(arguments: [("config.toml", "nonsense = 3 = 4", 78), ("accounts.json", "nonsense", 78)])
  func `a file that cannot be read is told with its name`(name: String, text: String, status: Int32) async throws {
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(atPath: sandbox.configuration, withIntermediateDirectories: true)
    let file = "\(sandbox.configuration)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let ended = try await sandbox.media("doctor")
    #expect(ended.status == status, "\(ended.output)\(ended.errors)")
    #expect(ended.output.contains("problem") && ended.output.contains(file), "\(ended.output)")
  }

  @Test func `a library that is none is told, and the rest is told too`() async throws {
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(atPath: sandbox.library, withIntermediateDirectories: true)
    try Data(repeating: 65, count: 9000).write(to: URL(filePath: "\(sandbox.library)/media.sqlite"))
    let ended = try await sandbox.media("doctor")
    #expect(ended.status == 74, "\(ended.output)")
    #expect(ended.output.contains("problem  library        \(sandbox.library)"), "\(ended.output)")
    #expect(ended.output.contains("ok       decoders       draws JPEG, PNG, GIF, WebP, videos"))
  }

  @Test func `a harvest that is long ago though a schedule stands is told`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      var sandbox = try await harvested(origin)
      try FileManager.default.createDirectory(atPath: "\(sandbox.folder)/bin", withIntermediateDirectories: true)
      let crontab = "\(sandbox.folder)/bin/crontab"
      try Data(
        """
        #!/bin/sh
        if [ "$1" = -l ]; then cat "$0.lines"; else cat > "$0.lines"; fi
        """.utf8
      ).write(to: URL(filePath: crontab))
      try Data().write(to: URL(filePath: "\(crontab).lines"))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: crontab)
      sandbox.environment["PATH"] = "\(sandbox.folder)/bin:/usr/bin:/bin"
      #expect(try await sandbox.media("schedule", "install", "--quiet").status == 0)
      try await sandbox.sql("UPDATE run SET started_at = '2020-01-01T00:00:00.000Z'")
      let found = try await findings(sandbox, "harvests")
      #expect(!found.contains { $0[1].contains("nothing harvests by itself") }, "\(found)")
      // Where no cron runs, as on a machine of tests, that is the reason, and is told first.
      #expect(found.contains { $0[0] == "problem" }, "\(found)")
    }
  }
}
