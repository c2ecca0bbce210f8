import Foundation
import ScriptedOrigin
import Testing

/// The output of `media list` outside a terminal: the table, objects, and changes.
@Suite(.timeLimit(.minutes(10))) struct ListOutputTests {
  @Test func `a list that is piped is no wider than 80 columns, or than COLUMNS says`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", String(repeating: "a kingfisher over the river ", count: 20), "--tag", "birds")
    try await sandbox.media("add", "short", "--at", "2026-01-02")
    let table = try await sandbox.media("list").lines
    #expect(table.map(\.count).max() == 80)
    #expect(table[1].hasSuffix("…") && table[2].contains("short"))
    #expect(try await sandbox.bash("COLUMNS=100 $MEDIA list").lines.map(\.count).max() == 100)
    let whole = try await sandbox.media("list", "--json", "--limit", "1").object()
    #expect((whole["caption"] as? String)?.count == 559)
  }

  @Test func `every other table that is piped is whole, and fits where COLUMNS is set`() async throws {
    try await withOrigin(Script(posts: 90)) { origin in
      let sandbox = try Sandbox()
      let tag = String(repeating: "long", count: 20)
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      try await sandbox.media("tag", tag, "--server", origin.url, "--no-pictures", "--no-avatars")
      for name in ["cats", tag] { try await sandbox.media("follow", "tag:\(name)@\(origin.url)", "--unchecked") }
      try await sandbox.media("harvest", "--no-pictures", "--no-avatars")
      for command in [["gaps"], ["runs"], ["runs", "--last"], ["follows"], ["settings"], ["accounts"]] {
        let ended = try await sandbox.bash("COLUMNS=80 $MEDIA \(command.joined(separator: " "))")
        #expect(ended.status == 0 && ended.lines.allSatisfy { $0.count <= 80 }, "\(command) \(ended.output)")
      }
      #expect(try await sandbox.media("runs").output.contains("STATE"))
      let whole = try await sandbox.media("follows").output
      #expect(whole.contains("tag:\(tag)@\(origin.url)") && !whole.contains("…"), "\(whole)")
    }
  }

  @Test func `a caption gives way before an author does`() async throws {
    var script = Script(posts: 1)
    script.posts[0].caption = String(repeating: "a kingfisher over the river ", count: 8)
    script.posts[0].html = "<p>\(script.posts[0].caption)</p>"
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      let author = try await sandbox.media("list", "--json").object()["author"] as? [String: any Sendable]
      let handle = try #require(author?["handle"] as? String)
      #expect(try await sandbox.media("list").lines[1].contains("\(handle.prefix(27))"))
    }
  }

  @Test func `a post that its server has lost is marked in the table, and one that ends says when`() async throws {
    try await withOrigin(Script(posts: 2)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      origin.change { _ = $0.posts.removeLast() }
      try await sandbox.media("recheck")
      let gone = try await sandbox.media("list", "--json").objects().filter { $0["gone"] as? Bool == true }
      #expect(gone.count == 1 && gone[0]["gone_at"] is String)
      #expect(try await sandbox.media("list").lines.count { $0.contains("[gone]") } == 1)
      try await sandbox.media("add", "a walk", "--at", "2026-01-01T10:00:00Z", "--until", "2026-01-01T12:00:00Z")
      let walk = try await sandbox.media("list", "--json", "--day", "2026-01-01").object()
      #expect(walk["ends_at"] as? String == "2026-01-01T12:00:00.000Z")
    }
  }

  @Test func `posts of any of several tags are listed, newest first`() async throws {
    let sandbox = try Sandbox()
    for (day, tag) in ["cats", "dogs", "birds"].enumerated() {
      try await sandbox.media("add", "of \(tag)", "--tag", tag, "--at", "2026-01-0\(day + 1)")
    }
    let listed = try await sandbox.media("list", "--tag", "cats", "--tag", "#Birds", "--json").objects()
    #expect(listed.compactMap { $0["caption"] as? String } == ["of birds", "of cats"])
    expect(try await sandbox.media("list", "--tag", "cats", "--tag", " "), fails: 64, saying: "--tag is empty")
  }

  @Test func `an object of a post has every key, with warning, edit, language and who repeated it`() async throws {
    var script = Script(posts: 40, boosts: true)
    script.posts[0].warning = "Spiders"
    script.posts[0].language = "de"
    let boosts = script.posts.count { $0.boost != nil }
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      origin.change { script in
        script.posts[0].caption += " and more"
        script.posts[0].html = "<p>\(script.posts[0].caption)</p>"
        script.posts[0].editedAt = script.posts[0].createdAt + 60
      }
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      let posts = try await sandbox.media("list", "--json").objects()
      let keys: Set = [
        "id", "origin", "source", "server", "remote_id", "url", "author", "created_at", "title", "caption", "tags",
        "sensitive", "warning", "edited_at", "ends_at", "language", "gone", "gone_at", "repeated_by", "revisions",
        "attachments", "quote", "visibility", "license", "favourite", "rating", "seen", "hidden", "note", "own_tags",
        "albums",
      ]
      #expect(posts.allSatisfy { Set($0.keys) == keys })
      let edited = try #require(posts.first { $0["warning"] as? String == "Spiders" })
      #expect(edited["language"] as? String == "de" && edited["revisions"] as? Int == 1)
      #expect(edited["edited_at"] is String && edited["gone"] as? Bool == false)
      let repeated = posts.filter { ($0["repeated_by"] as? [String])?.count == 1 }
      #expect(repeated.count == boosts && boosts > 0)
      #expect(posts.contains { $0["warning"] is NSNull })
    }
  }

  @Test func `deleted posts are a list of their own, from which what is restored goes`() async throws {
    let sandbox = try Sandbox()
    for name in ["kingfisher", "heron", "owl"] { try await sandbox.media("add", name, "--tag", name) }
    #expect(try await sandbox.media("list", "--deleted").errors == "Nothing is deleted.\n")
    try await sandbox.media("delete", "1", "3")
    let captions = { (flags: [String]) async throws -> [String?] in
      try await sandbox.run(["list", "--deleted", "--json"] + flags).objects().map { $0["caption"] as? String }
    }
    #expect(try await captions([]) == ["owl", "kingfisher"])
    #expect(try await captions(["--tag", "owl"]) == ["owl"])
    #expect(try await captions(["--before", "3"]) == ["kingfisher"])
    let table = try await sandbox.media("list", "--deleted").lines
    #expect(table.count == 3 && table[1].contains("owl"), "\(table)")
    try await sandbox.media("restore", "3")
    #expect(try await captions([]) == ["kingfisher"])
    #expect(try await sandbox.media("list", "--deleted", "--planned").status == 64)
  }

  @Test func `a followed list of a tag prints what older pages bring, and nothing of other tags`() async throws {
    try await withOrigin(Script(posts: 60)) { origin in
      let sandbox = try Sandbox()
      func pull(_ more: String...) async throws {
        _ = try await sandbox.run(["tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars"] + more)
      }
      try await pull()
      let follow = try sandbox.begin("list", "--follow", "--json", "--limit", "3", "--tag", "cats")
      try await follow.says("\"listed\"")
      try await pull("--pages", "2")
      func count(_ change: String) -> Int {
        follow.output.components(separatedBy: "\"change\":\"\(change)\"").count - 1
      }
      while count("inserted") < 20 {
        try #require(follow.isRunning, "\(follow.errors)")
        try await Task.sleep(for: .milliseconds(10))
      }
      try await sandbox.media("add", "a dog", "--tag", "dogs")
      let last = try #require(try await sandbox.media("list", "--json", "--limit", "99").objects().last?["id"] as? Int)
      try await sandbox.media("delete", "\(last)")
      try await follow.says("\"removed\"")
      #expect(count("listed") == 3 && count("inserted") == 20 && count("removed") == 1)
      follow.signal(SIGINT)
      #expect(try await follow.end().status == 130)
    }
  }

  @Test func `a followed list prints what was there, then what comes, changes and goes`() async throws {
    let sandbox = try Sandbox()
    for day in 1...3 { try await sandbox.media("add", "post \(day)", "--at", "2026-01-0\(day)") }
    let follow = try sandbox.begin("list", "--follow", "--json", "--limit", "2")
    func printed() throws -> [[String]] {
      let lines = follow.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return try lines.map { line in
        let post = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: any Sendable])
        return [post["change"] as? String ?? "", post["caption"] as? String ?? ""]
      }
    }
    func waitFor(_ last: [[String]]) async throws {
      while try printed().suffix(last.count) != last[...] {
        try #require(follow.isRunning, "\(follow.output)\(follow.errors)")
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    try await waitFor([["listed", "post 2"], ["listed", "post 3"]])
    try await sandbox.media("add", "post 4", "--at", "2026-01-04")
    try await waitFor([["listed", "post 3"], ["inserted", "post 4"]])
    try await sandbox.media("delete", "4")
    try await waitFor([["inserted", "post 4"], ["removed", "post 4"]])
    // Posts below those printed first also belong to the list.
    try await sandbox.media("delete", "1")
    try await waitFor([["removed", "post 4"], ["removed", "post 1"]])
    try await sandbox.media("add", "post 0", "--at", "2025-12-31")
    try await waitFor([["removed", "post 1"], ["inserted", "post 0"]])
    try await sandbox.media("restore", "1")
    try await waitFor([["inserted", "post 0"], ["inserted", "post 1"]])
    try await sandbox.media("add", "post 5", "--at", "2026-01-05", "--tag", "ads")
    try await waitFor([["inserted", "post 5"]])
    try await sandbox.media("hide", "tag:ads")
    try await waitFor([["inserted", "post 5"], ["removed", "post 5"]])
    try await sandbox.media("unhide", "tag:ads")
    try await waitFor([["removed", "post 5"], ["inserted", "post 5"]])
    follow.signal(SIGINT)
    #expect(try await follow.end().status == 130)
  }

  @Test func `a followed list of a saved search is another one once the search is`() async throws {
    let sandbox = try Sandbox()
    for tag in ["cats", "dogs"] { try await sandbox.media("add", "of \(tag)", "--tag", tag) }
    try await sandbox.media("searches", "save", "good", "tag:cats")
    let follow = try sandbox.begin("list", "--follow", "saved:good")
    try await follow.says("of cats")
    try await sandbox.media("searches", "save", "good", "tag:dogs")
    try await follow.says("+ 2")
    #expect(follow.output.contains("- 1"))
    follow.signal(SIGINT)
    #expect(try await follow.end().status == 130)
  }
}
