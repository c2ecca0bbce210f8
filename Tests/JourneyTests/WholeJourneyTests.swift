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
      let house = try Household()
      try await logIn(house, at: origin)
      try await pull(house, origin)
      try await pullAgain(house, origin)
      let deleted = try await delete(house)
      try await pullAfterDeletion(house, origin, deleted)
      try await restore(house, deleted)
      try await addByHand(house)
      try await browse(house)
      let secrets = try Secrets(in: house)
      secrets.add(from: origin)
      #expect(secrets.count >= 4)
      try await logOut(house, origin)
      #expect(try secrets.leaks().isEmpty)
      #expect(try mode(house.configuration) == 0o700)
      #expect(try mode("\(house.configuration)/accounts.json") == 0o600)
      #expect(try mode(house.library) == 0o700)
      if !Household.isShared { #expect(try mode("\(house.library)/media.sqlite") == 0o600) }
      #expect((origin.requests(to: "/media") + origin.requests(to: "/avatars")).allSatisfy { $0.token == nil })
      #expect(origin.critique.isEmpty)
    }
  }

  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  private func logIn(_ house: Household, at origin: Origin) async throws {
    let early = try await house.media("tag", "cats", "--server", origin.url)
    expect(early, fails: 77, saying: "run \"media login \(origin.url)\"", output: true)
    let login = try house.begin("login", origin.url, "--no-browser", "--verbose")
    let page = try await login.line("\(origin.url)/oauth/authorize?")
    let code = try origin.approve(page)
    // As some pages give it, with the state appended.
    let state = try #require(URLComponents(string: page)?.queryItems?.first { $0.name == "state" }?.value)
    login.type("\(code)&state=\(state)\n")
    let ended = try await login.end()
    #expect(ended.status == 0, "\(ended.errors)")
    let account = try await house.media("accounts", "--json").object()
    #expect((account["account"] as? String)?.hasPrefix("ada@") == true)
    #expect(account["server"] as? String == origin.url)
    let table = try await house.media("accounts").output
    #expect(table.contains("ada@"))
  }

  private func pull(_ house: Household, _ origin: Origin) async throws {
    let ended = try await house.media("tag", "cats", "--pages", "3", "--json", "--verbose")
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
      let path = "\(house.library)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2))"
      #expect(FileManager.default.contents(atPath: path).map { Picture.sha256(Array($0)) } == hash)
    }
  }

  private func pullAgain(_ house: Household, _ origin: Origin) async throws {
    let summary = try await house.media("tag", "cats", "--pages", "3", "--json").object()
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
  private func delete(_ house: Household) async throws -> [[String: any Sendable]] {
    let newest = try await house.media("list", "--json", "--limit", "3").objects()
    let ids = newest.compactMap { $0["id"] as? Int }.map(String.init)
    try #require(ids.count == 3)
    let ended = try await house.media("delete", ids[0], ids[1], ids[2])
    #expect(ended.status == 0)
    #expect(ended.errors.contains("media restore \(ids.joined(separator: " "))"))
    #expect(try await house.media("list", "--json", "--limit", "1000").lines.count == 117)
    return newest
  }

  private func pullAfterDeletion(
    _ house: Household, _ origin: Origin, _ deleted: [[String: any Sendable]]
  ) async throws {
    let summary = try await house.media("tag", "cats", "--pages", "3", "--json").object()
    #expect(summary["posts", "deleted"] == 3)
    #expect(summary["posts", "unchanged"] == 117)
    let listed = try await house.media("list", "--json", "--limit", "1000").objects()
    let gone = Set(deleted.compactMap { $0["url"] as? String })
    #expect(gone.count == 3)
    #expect(gone.isDisjoint(with: listed.compactMap { $0["url"] as? String }))
  }

  private func restore(_ house: Household, _ deleted: [[String: any Sendable]]) async throws {
    #expect(try await house.media("restore", "--tag", "cats").status == 0)
    let back = try await house.media("list", "--json", "--limit", "3").lines
    let before = try deleted.map { try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
    let after = try back.map {
      let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
      return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    }
    #expect(before == after)
  }

  private func addByHand(_ house: Household) async throws {
    let picture = Picture(900_001)
    let file = "\(house.folder)/bird.\(picture.fileExtension)"
    try Data(picture.bytes).write(to: URL(fileURLWithPath: file))
    let post = try await house.media(
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
    #expect(FileManager.default.contents(atPath: "\(house.library)/\(path)") == Data(picture.bytes))
  }

  private func browse(_ house: Household) async throws {
    let posts = try await house.media("list", "--json").objects()
    try #require(posts.count == 50)
    #expect(posts[0]["caption"] as? String == "Saw a kingfisher")
    let id = try #require(posts[1]["id"] as? Int)
    let shown = try await house.media("show", "\(id)")
    #expect(shown.status == 0)
    #expect(shown.output.contains(try #require(posts[1]["url"] as? String)))
    let stats = try await house.media("stats", "--json").object()
    #expect(stats["posts"] as? Int == 121)
    #expect(stats["deleted"] as? Int == 0)
    #expect(stats["pictures", "failed"] == 0)
    #expect(try await house.media("settings", "avatars", "off").output == "off\n")
    #expect(try await house.media("settings", "--json").object()["avatars"] as? String == "off")
    #expect(try await house.media("list", "--verbose").output.split(separator: "\n").count == 51)
  }

  private func logOut(_ house: Household, _ origin: Origin) async throws {
    let held = origin.tokens.count
    #expect(try await house.media("logout").status == 0)
    #expect(origin.requests(to: "/oauth/revoke").count == 1)
    #expect(origin.tokens.count == held - 1)
    #expect(try await house.media("accounts", "--json").output.isEmpty)
    let late = try await house.media("tag", "cats", "--server", origin.url)
    expect(late, fails: 77, saying: "media login", output: true)
  }
}
