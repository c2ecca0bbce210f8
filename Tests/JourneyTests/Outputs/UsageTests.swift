import Foundation
import ScriptedOrigin
import Testing

/// Exit codes of user errors: 64 and 78.
@Suite(.timeLimit(.minutes(10))) struct UsageTests {
  @Test(
    .inFolders,
    arguments: [
      (["tag", "cats", "--colour"], "--colour"), (["add", "ab"], "2 characters"), (["add", " a \n"], "write 3"),
      (["tag", "cats", "--server", "a.example", "--since", "2026-02-30"], "--since 2026-02-30 is not a time"),
      (["tag", "cats"], "no server is named"), (["tag", "cats", "--server", "a b"], "is not a server"),
      (["tag", "cats", "--server", "a.example", "--source", "myspace"], "\"myspace\" is not a source"),
      (["tag", "two words", "--server", "a.example"], "is not a tag"), (["tag", "cats", "--pages", "0"], "--pages 0"),
      (["show", "4711"], "4711"), (["delete", "4711"], "4711"), (["restore", "4711"], "4711"),
      (["list", "--before", "4711"], "4711"), (["list", "--day", "yesterday"], "--day yesterday is not a day"),
      (["list", "--limit", "0"], "--limit 0"), (["list", "--limit", "many"], "many"),
      (["settings", "colour"], "colour"),
      (["settings", "avatars", "perhaps"], "perhaps"), (["restore"], "--tag"), (["paint"], "paint"),
      (["add", "a bird", "--at", "soon"], "the start soon is not a time"),
      (["add", "a bird", "--tag", "two words"], "one word"),
      (["add", "a bird", "--attach", "/tmp"], "/tmp is not a file"),
      (["add", "a bird", "--at", "2026-01-02", "--until", "2026-01-01"], "the finish"),
      (["add", "👩‍👩‍👧‍👦🐈‍⬛"], "2 characters"),
      (["runs", "1", "--last"], "an ID goes without --last"),
      (["runs", "x"], "give the number of a harvest, as \"media runs\" shows it"),
      (["lst"], "there is no command \"lst\": did you mean list?"), (["--json", "list"], "flags stand after it"),
      (["add", "- a list item"], "append it after --"), (["list", "--tag", " "], "--tag is empty"),
      (["list", "--library", ""], "--library is empty"),
      (["list", "--visibility", "x"], "one of 'public', 'unlisted', 'followers', 'direct' or 'local': see"),
      (
        ["list", "--pictures", "oil"],
        "one of the following: auto, kitty, sixel, iterm, blocks, off: see \"media list --help\""
      ),
      (["tag", "a:b", "--server", "a.example"], "is not a tag"),
      (["add", "a bird", "--attach", "/dev/zero"], "is not a file"),
      (["tag", ""], "\"\" is not a tag"), (["user", " "], "\" \" is not a user"),
      (["search", ""], "\"\" has no words"),
      (["list", "--limit", "-5"], "--limit -5 lists nothing"), (["tag", "cats", "--pages", "-2"], "--pages -2"),
      (["tag", "cats", "--page-size", "100000"], "--page-size 100000 is out of range"),
      (["gaps", "--fill", "--page-size", "0"], "--page-size 0 is out of range"),
      (["tag", "cats", "--server", "a.example", "--since", "2999-01-01"], "--since 2999-01-01 is still to come"),
      (["recheck", "--since", "2999-01-01"], "--since 2999-01-01 is still to come"),
      (["list", "--follow", "--before", "3"], "leave --before out"),
      (["export", "--format", "atom", "--day", "2999-01-01"], "--day 2999-01-01 is"),
      (["list", "--limit", "-5.5"], "-5.5"), (["list", "--limit", "many"], "give a number"),
      (["show", "abc"], "give the number of a post, as \"media list\" shows it"),
      (["list", "--since", "soon"], "--since soon is not a time"),
      (["list", "--since", "2020-11-21", "--until", "2020-11-20"], "--until is not after --since"),
      (["list", "--day", "2020-11-21", "--until", "2020-11-22"], "leave --since and --until out"),
      (["follow", "cats@a.example", "--every", "-5m"], "--every -5m is not a time"),
      (["show", "-3"], "no post has the id -3"), (["show", "-3", "--json"], "no post has the id -3"),
      (["settings", "refresh", "-5"], "\"-5\" is not a value for refresh"),
      (["demo", "--port", "99999"], "--port 99999 is out"),
      (["tag", "cats", "--budget", "-5"], "--budget -5 is not a sum"), (["restore", "--tag", ""], "--tag is empty"),
      (["tag", "cats", "--since", ""], "--since is empty"), (["list", "--day="], "--day is empty"),
      (
        ["tag", "cats", "--source", "myspace"],
        "mastodon, misskey, lemmy, instagram, x, tumblr, flickr, bluesky or feed"
      ),
      (["login"], "no server is named: run \"media login mastodon.social\""),
      (["demo", "--posts", "-1"], "--posts -1 is out of range"),
      (["add", "-hello"], "append the text after --"),
      (["list", "-search", "x"], "there is no flag -search: write --search"),
      (["tag", "#", "--server", "a.example"], "\"#\" is not a tag"),
      (["tag", "https://a.example/rss.xml"], "\"media feed URL\""),
      (["tag", "cats", "--only", "image,films"], "\"films\" is no kind of file"),
      (["tag", "cats", "--only", "image,"], "\"\" is no kind of file"),
      (["feed", "https://a.example/rss.xml", "--max-size", "big"], "--max-size big is not a size"),
      (["user", "birds@a.example", "--max-size", "0"], "--max-size 0 is not a size"),
      (["search", "cats", "--newest", "0"], "--newest 0 is not a number of posts"),
      (["tag", "cats", "--max-total", "-1"], "--max-total -1 is not a size"),
      (["tag", "cats", "--only", "image", "--no-pictures"], "leave --no-pictures out"),
      (["gaps", "--max-size", "5MB"], "goes with --fill"),
      (["follow", "cats@a.example", "--newest", "many"], "--newest many is not a number of posts"),
      (["pictures", "1", "--max-size", "50 miles"], "--max-size 50 miles is not a size"),
      (["add", "a bird", "--library", "mysql://ada:secret@h/d"], "mysql://… is no address of a library"),
      (["list", "--library", "s3://bucket/prefix"], "s3://… is no address of a library"),
    ])
  func `a mistyped command ends with 64 and says what would be right`(arguments: [String], word: String) async throws {
    let sandbox = try Sandbox()
    expect(try await sandbox.run(arguments), fails: 64, saying: word)
    let changes = ["delete", "restore", "settings"].contains(arguments[0])
    #expect(changes || !FileManager.default.fileExists(atPath: sandbox.library), "nothing was made")
  }

  @Test func `words and folders that are not UTF-8, and a folder that was removed, are refused and nothing is made`()
    async throws
  {
    let sandbox = try Sandbox()
    expect(try await sandbox.bash(#"$MEDIA add $'a bird \xff'"#), fails: 64, saying: "is not UTF-8")
    expect(try await sandbox.bash(#"MEDIA_CONFIG=$'/tmp/\xff' $MEDIA accounts"#), fails: 64, saying: "MEDIA_CONFIG")
    let gone = "mkdir $HOME/gone; cd $HOME/gone; rmdir $HOME/gone; $MEDIA add 'a bird' --library here"
    expect(try await sandbox.bash(gone), fails: 78, saying: "here cannot be found", "go to another folder")
    #expect(
      !FileManager.default.fileExists(atPath: sandbox.library) && !FileManager.default.fileExists(atPath: "/here"))
  }

  @Test func `a time with a zone may leave its seconds out, and a deleted post says that it is`() async throws {
    let sandbox = try Sandbox()
    let post = try await sandbox.media("add", "a bird", "--at", "2026-10-25T00:30+02:00", "--json").object()
    #expect(post["created_at"] as? String == "2026-10-24T22:30:00.000Z")
    #expect(post["deleted"] == nil)
    try await sandbox.media("delete", "1")
    #expect(try await sandbox.media("show", "1", "--json").object()["deleted"] as? Bool == true)
  }

  @Test func `a feed's own name is accepted, and a server without https is distinguished from a wrong certificate`()
    async throws
  {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      let pull = try await sandbox.media("tag", "tag:cats@\(origin.url)", "--json", "--no-pictures", "--no-avatars")
        .object()
      #expect(pull["feed"] as? String == "tag:cats@\(origin.url)")
      let bare = origin.url.dropFirst("http://".count)
      let refused = try await sandbox.media("login", String(bare))
      expect(refused, fails: 69, saying: "does not speak https")
      #expect(!refused.errors.contains("certificate"))
    }
  }

  @Test(arguments: [
    ["import", "/nowhere/x"], ["import", "/nowhere/x.zip"], ["add", "a bird", "--attach", "/nowhere/x"],
    ["plan", "x", "--start", "2026-12-03", "--attach", "/nowhere/x"], ["list", "--ca-file", "/nowhere/x"],
    ["serve", "--port", "0", "--cert", "/nowhere/x", "--key", "/nowhere/x"], ["list", "--library", "/nowhere/x"],
    ["copy", "/nowhere/x", "/nowhere/y"],
  ])
  func `a path that is not there ends with 74, whatever was to be read`(arguments: [String]) async throws {
    expect(try await Sandbox().run(arguments), fails: 74, saying: "/nowhere/x", "check how it is spelt")
  }

  @Test func `a login that does not exist is not made in order to end it`() async throws {
    let sandbox = try Sandbox()
    let refused = try await sandbox.media("logout", "b.example")
    expect(refused, fails: 77, saying: "not logged in as or at b.example: \"media accounts\"")
    #expect(try await !sandbox.media("logout").errors.contains("media login"))
  }

  @Test func `a name that is empty is shown as what it is`() async throws {
    expect(try await Sandbox().media("logout", ""), fails: 77, saying: "not logged in as or at \"\"")
  }

  @Test func `arguments behind two dashes are taken literally`() async throws {
    let sandbox = try Sandbox()
    let post = try await sandbox.media("add", "--json", "--", "-5 degrees").object()
    #expect(post["caption"] as? String == "-5 degrees")
  }

  @Test func `an unknown number beside known ones leaves these deleted, with 1`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "first bird")
    let ended = try await sandbox.media("delete", "1", "99")
    expect(ended, fails: 1, saying: "99")
    #expect(try await sandbox.media("list", "--json").output.isEmpty)
  }

  @Test func `a file of settings that does not parse ends with 78: file, line, reason`() async throws {
    let sandbox = try Sandbox()
    try sandbox.configure("config.toml", "avatars = true\nrefresh = \n")
    expect(try await sandbox.media("settings"), fails: 78, saying: "\(sandbox.configuration)/config.toml:2: ")
    for command in [["list"], ["stats"], ["add", "a bird"], ["follows"], ["accounts"], ["export"]] {
      expect(try await sandbox.run(command), fails: 78, saying: "\(sandbox.configuration)/config.toml:2: ")
    }
    #expect(!FileManager.default.fileExists(atPath: sandbox.library))
    try sandbox.configure("config.toml", "avatars = true\nrefersh = \"60s\"\n")
    expect(
      try await sandbox.media("tag", "cats", "--server", "a.example"), fails: 78, saying: "config.toml:2: ", "refresh?")
  }

  @Test func `accounts that cannot be read end with 78, and the file is left as it is`() async throws {
    let sandbox = try Sandbox()
    try sandbox.configure("accounts.json", "{\n  \"version\": 1,\n  \"accounts\": 7\n}", mode: 0o600)
    expect(try await sandbox.media("accounts"), fails: 78, saying: "accounts.json:3: ", "log in again")
    expect(
      try await sandbox.media("tag", "cats", "--server", "http://127.0.0.1:9"), fails: 78, saying: "accounts.json:3")
    let text = FileManager.default.contents(atPath: "\(sandbox.configuration)/accounts.json")
    #expect(text.map { String(decoding: $0, as: UTF8.self).contains("\"accounts\": 7") } == true)
    try sandbox.configure("accounts.json", "{}", mode: 0o644)
    expect(try await sandbox.media("accounts"), fails: 78, saying: "chmod 600")
  }
}
