import Foundation
import ScriptedOrigin
import Testing

/// A whole session, in a user's order, with an origin that records its requests.
@Suite(.timeLimit(.minutes(10))) struct WholeJourneyTests {
  @Test func `log in, pull, pull again, delete, pull, restore, add, look, log out; no secret is left anywhere`()
    async throws
  {
    var script = Script(posts: 130)
    script.requiresToken = true
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, at: origin)
      try await pull(sandbox, origin)
      try await pullAgain(sandbox, origin)
      let deleted = try await delete(sandbox)
      try await pullAfterDeletion(sandbox, origin, deleted)
      try await restore(sandbox, deleted)
      try await addByHand(sandbox)
      try await browse(sandbox)
      let secrets = try Secrets(in: sandbox)
      secrets.add(from: origin)
      #expect(secrets.count >= 4)
      try await logOut(sandbox, origin)
      #expect(try secrets.leaks().isEmpty)
      #expect(try mode(sandbox.configuration) == 0o700)
      #expect(try mode("\(sandbox.configuration)/accounts.json") == 0o600)
      #expect(try mode(sandbox.library) == 0o700)
      if !Sandbox.isShared { #expect(try mode("\(sandbox.library)/media.sqlite") == 0o600) }
      #expect((origin.requests(to: "/media") + origin.requests(to: "/avatars")).allSatisfy { $0.token == nil })
      #expect(origin.critique.isEmpty)
    }
  }

  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  private func logIn(_ sandbox: Sandbox, at origin: Origin) async throws {
    let early = try await sandbox.media("tag", "cats", "--server", origin.url)
    expect(early, fails: 77, saying: "run \"media login \(origin.url)\"", output: true)
    let login = try sandbox.begin("login", origin.url, "--no-browser", "--verbose")
    let page = try await login.line("\(origin.url)/oauth/authorize?")
    let code = try origin.approve(page)
    // As some pages give it, with the state appended.
    let state = try #require(URLComponents(string: page)?.queryItems?.first { $0.name == "state" }?.value)
    login.type("\(code)&state=\(state)\n")
    let ended = try await login.end()
    #expect(ended.status == 0, "\(ended.errors)")
    let account = try await sandbox.media("accounts", "--json").object()
    #expect((account["account"] as? String)?.hasPrefix("ada@") == true)
    #expect(account["server"] as? String == origin.url)
    let table = try await sandbox.media("accounts").output
    #expect(table.contains("ada@"))
  }

  private func pull(_ sandbox: Sandbox, _ origin: Origin) async throws {
    let ended = try await sandbox.media("tag", "cats", "--pages", "3", "--json", "--verbose")
    #expect(ended.status == 0, "\(ended.errors)")
    let summary = try ended.object()
    let posts = origin.script.posts.prefix(120)
    let distinct = Set(posts.flatMap(\.pictureHashes)).count
    #expect(summary["feed"] as? String == "tag:cats@\(origin.url)")
    #expect(summary["pages"] as? Int == 3)
    #expect(summary["requests"] as? Int == 3)
    for (kind, count) in ["new": 120, "updated": 0, "unchanged": 0, "deleted": 0, "unreadable": 0] {
      #expect(summary["posts", kind] == count, "\(kind)")
    }
    #expect(summary["media", "downloaded"] == distinct)
    #expect(summary["media", "deduplicated"] == posts.map(\.attachments.count).reduce(0, +) - distinct)
    #expect(summary["media", "failed"] == 0)
    #expect(summary["complete"] as? Bool == true)
    #expect(summary["next"] as? String == posts[119].id)
    #expect(ended.errors.contains("page 3 of 3"))
    for hash in Set(posts.flatMap(\.pictureHashes)) {
      let path = "\(sandbox.library)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2))"
      #expect(FileManager.default.contents(atPath: path).map { Picture.sha256(Array($0)) } == hash)
    }
  }

  private func pullAgain(_ sandbox: Sandbox, _ origin: Origin) async throws {
    let summary = try await sandbox.media("tag", "cats", "--pages", "3", "--json").object()
    #expect(summary["posts", "new"] == 0)
    #expect(summary["posts", "unchanged"] == 120)
    #expect(summary["media", "downloaded"] == 0)
    for prefix in ["/media", "/avatars"] {
      let paths = origin.requests(to: prefix).map(\.path)
      #expect(!paths.isEmpty)
      #expect(Set(paths).count == paths.count, "fetched twice below \(prefix)")
    }
  }

  /// Deletes the newest three and returns their content.
  private func delete(_ sandbox: Sandbox) async throws -> [[String: any Sendable]] {
    let newest = try await sandbox.media("list", "--json", "--limit", "3").objects()
    let ids = newest.compactMap { $0["id"] as? Int }.map(String.init)
    try #require(ids.count == 3)
    let ended = try await sandbox.media("delete", ids[0], ids[1], ids[2])
    #expect(ended.status == 0)
    #expect(ended.errors.contains("media restore \(ids.joined(separator: " "))"))
    #expect(try await sandbox.media("list", "--json", "--limit", "1000").lines.count == 117)
    return newest
  }

  private func pullAfterDeletion(
    _ sandbox: Sandbox, _ origin: Origin, _ deleted: [[String: any Sendable]]
  ) async throws {
    let summary = try await sandbox.media("tag", "cats", "--pages", "3", "--json").object()
    #expect(summary["posts", "deleted"] == 3)
    #expect(summary["posts", "unchanged"] == 117)
    let listed = try await sandbox.media("list", "--json", "--limit", "1000").objects()
    let gone = Set(deleted.compactMap { $0["url"] as? String })
    #expect(gone.count == 3)
    #expect(gone.isDisjoint(with: listed.compactMap { $0["url"] as? String }))
  }

  private func restore(_ sandbox: Sandbox, _ deleted: [[String: any Sendable]]) async throws {
    #expect(try await sandbox.media("restore", "--tag", "cats").status == 0)
    let back = try await sandbox.media("list", "--json", "--limit", "3").lines
    let before = try deleted.map { try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
    let after = try back.map {
      let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
      return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    }
    #expect(before == after)
  }

  private func addByHand(_ sandbox: Sandbox) async throws {
    let picture = Picture(900_001)
    let file = "\(sandbox.folder)/bird.\(picture.fileExtension)"
    try Data(picture.bytes).write(to: URL(fileURLWithPath: file))
    let post = try await sandbox.media(
      "add", "  Saw a kingfisher ", "--attach", file, "--tag", "#Birds", "--title", "By the river", "--at",
      "2026-10-01 07:30", "--json"
    ).object()
    #expect(post["origin"] as? String == "manual")
    #expect(post["caption"] as? String == "Saw a kingfisher")
    #expect(post["title"] as? String == "By the river")
    #expect(post["tags"] as? [String] == ["birds"])
    #expect((post["created_at"] as? String)?.hasPrefix("2026-10-01T07:30:00") == true)
    let attachment = try #require((post["attachments"] as? [[String: any Sendable]])?.first)
    #expect(attachment["sha256"] as? String == picture.sha256)
    #expect(attachment["state"] as? String == "stored")
    #expect(attachment["width"] as? Int == picture.width)
    let path = try #require(attachment["path"] as? String)
    #expect(FileManager.default.contents(atPath: "\(sandbox.library)/\(path)") == Data(picture.bytes))
  }

  private func browse(_ sandbox: Sandbox) async throws {
    let posts = try await sandbox.media("list", "--json").objects()
    try #require(posts.count == 50)
    #expect(posts[0]["caption"] as? String == "Saw a kingfisher")
    let id = try #require(posts[1]["id"] as? Int)
    let shown = try await sandbox.media("show", "\(id)")
    #expect(shown.status == 0)
    #expect(shown.output.contains(try #require(posts[1]["url"] as? String)))
    let stats = try await sandbox.media("stats", "--json").object()
    #expect(stats["posts"] as? Int == 121)
    #expect(stats["deleted"] as? Int == 0)
    #expect(stats["pictures", "failed"] == 0)
    #expect(try await sandbox.media("settings", "avatars", "off").output == "off\n")
    #expect(try await sandbox.media("settings", "--json").object()["avatars"] as? String == "off")
    #expect(try await sandbox.media("settings", "avatars", "--reset").output == "on\n")
    #expect(try await sandbox.media("list", "--verbose").output.split(separator: "\n").count == 51)
  }

  private func logOut(_ sandbox: Sandbox, _ origin: Origin) async throws {
    let held = origin.tokens.count
    #expect(try await sandbox.media("logout").status == 0)
    #expect(origin.requests(to: "/oauth/revoke").count == 1)
    #expect(origin.tokens.count == held - 1)
    #expect(try await sandbox.media("accounts", "--json").output.isEmpty)
    let late = try await sandbox.media("tag", "cats", "--server", origin.url)
    expect(late, fails: 77, saying: "media login", output: true)
  }
}
