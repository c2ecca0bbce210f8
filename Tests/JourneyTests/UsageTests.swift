import Foundation
import Testing

/// How commands end that a person got wrong: 64 and 78.
@Suite(.timeLimit(.minutes(10))) struct UsageTests {
  @Test(arguments: [
    (["tag", "cats", "--colour"], "--colour"), (["add", "ab"], "2 characters"), (["add", " a \n"], "write 3"),
    (["tag", "cats", "--server", "a.example", "--since", "2026-02-30"], "--since 2026-02-30 is no time"),
    (["tag", "cats"], "no server is named"), (["tag", "cats", "--server", "a b"], "is no server"),
    (["tag", "cats", "--server", "a.example", "--source", "myspace"], "\"myspace\" is no source"),
    (["tag", "two words", "--server", "a.example"], "is no tag"), (["tag", "cats", "--pages", "0"], "--pages 0"),
    (["show", "4711"], "4711"), (["delete", "4711"], "4711"), (["restore", "4711"], "4711"),
    (["list", "--before", "4711"], "4711"), (["list", "--day", "yesterday"], "--day yesterday is no day"),
    (["list", "--limit", "0"], "--limit 0"), (["list", "--limit", "many"], "many"), (["settings", "colour"], "colour"),
    (["settings", "avatars", "perhaps"], "perhaps"), (["restore"], "--tag"), (["paint"], "paint"),
    (["add", "a bird", "--attach", "/nowhere.jpg"], "/nowhere.jpg"), (["add", "a bird", "--at", "soon"], "--at soon"),
    (["add", "a bird", "--tag", "two words"], "one word"), (["add", "a bird", "--attach", "/tmp"], "/tmp is no file"),
    (["add", "a bird", "--at", "2026-01-02", "--until", "2026-01-01"], "--until"), (["add", "👩‍👩‍👧‍👦🐈‍⬛"], "2 characters"),
    (["lst"], "there is no command \"lst\": did you mean list?"), (["--json", "list"], "flags stand after it"),
    (["add", "- a list item"], "behind --"), (["list", "--tag", " "], "--tag is empty"),
    (["list", "--library", ""], "--library is empty"),
    (
      ["list", "--pictures", "oil"],
      "one of the following: auto, kitty, sixel, iterm, blocks, off: see \"media list --help\""
    ),
    (["tag", "a:b", "--server", "a.example"], "is no tag"), (["add", "a bird", "--attach", "/dev/zero"], "is no file"),
    (["login"], "no server is named: run \"media login mastodon.social\""), (["demo", "--posts", "-1"], "posts"),
  ])
  func `what is typed wrong ends with 64 and says what would be right`(arguments: [String], word: String) async throws {
    let house = try Household()
    expect(try await house.run(arguments), fails: 64, saying: word)
    let changes = ["delete", "restore", "settings"].contains(arguments[0])
    #expect(changes || !FileManager.default.fileExists(atPath: house.library), "nothing was made")
  }

  @Test func `an unknown number beside known ones leaves these deleted, with 1`() async throws {
    let house = try Household()
    try await house.media("add", "first bird")
    let ended = try await house.media("delete", "1", "99")
    expect(ended, fails: 1, saying: "99")
    #expect(try await house.media("list", "--json").output.isEmpty)
  }

  @Test func `a file of settings that does not parse ends with 78: file, line, reason`() async throws {
    let house = try Household()
    try house.configure("config.toml", "avatars = true\nrefresh = \n")
    expect(try await house.media("settings"), fails: 78, saying: "\(house.configuration)/config.toml:2: ")
    try house.configure("config.toml", "avatars = true\nrefersh = \"60s\"\n")
    expect(
      try await house.media("tag", "cats", "--server", "a.example"), fails: 78, saying: "config.toml:2: ", "refresh?")
  }

  @Test func `accounts that cannot be read end with 78, and the file is left as it is`() async throws {
    let house = try Household()
    try house.configure("accounts.json", "{\n  \"version\": 1,\n  \"accounts\": 7\n}", mode: 0o600)
    expect(try await house.media("accounts"), fails: 78, saying: "accounts.json:3: ", "log in again")
    expect(try await house.media("tag", "cats", "--server", "http://127.0.0.1:9"), fails: 78, saying: "accounts.json:3")
    let text = FileManager.default.contents(atPath: "\(house.configuration)/accounts.json")
    #expect(text.map { String(decoding: $0, as: UTF8.self).contains("\"accounts\": 7") } == true)
    try house.configure("accounts.json", "{}", mode: 0o644)
    expect(try await house.media("accounts"), fails: 78, saying: "chmod 600")
  }
}
