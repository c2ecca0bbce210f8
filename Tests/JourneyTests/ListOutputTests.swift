import Foundation
import ScriptedOrigin
import Testing

/// What `media list` prints where nobody looks: the table, objects, and the changes that follow.
@Suite(.timeLimit(.minutes(10))) struct ListOutputTests {
  @Test func `a table that is piped is no wider than 80 columns, or than COLUMNS says`() async throws {
    let house = try Household()
    try await house.media("add", String(repeating: "a kingfisher over the river ", count: 20), "--tag", "birds")
    try await house.media("add", "short", "--at", "2026-01-02")
    let table = try await house.media("list").lines
    #expect(table.map(\.count).max() == 80)
    #expect(table[1].hasSuffix("…") && table[2].contains("short"))
    #expect(try await house.bash("COLUMNS=100 $MEDIA list").lines.map(\.count).max() == 100)
    let whole = try await house.media("list", "--json", "--limit", "1").object()
    #expect((whole["caption"] as? String)?.count == 559)
  }

  @Test func `posts of any of several tags are listed, newest first`() async throws {
    let house = try Household()
    for (day, tag) in ["cats", "dogs", "birds"].enumerated() {
      try await house.media("add", "of \(tag)", "--tag", tag, "--at", "2026-01-0\(day + 1)")
    }
    let listed = try await house.media("list", "--tag", "cats", "--tag", "#Birds", "--json").objects()
    #expect(listed.compactMap { $0["caption"] as? String } == ["of birds", "of cats"])
    expect(try await house.media("list", "--tag", "cats", "--tag", " "), fails: 64, saying: "--tag is empty")
  }

  @Test func `an object of a post has every key, and tells warning, edit, language and who repeated it`() async throws {
    var script = Script(posts: 40, boosts: true)
    script.posts[0].warning = "Spiders"
    script.posts[0].language = "de"
    let boosts = script.posts.count { $0.boost != nil }
    try await withOrigin(script) { origin in
      let house = try Household()
      try await house.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      origin.change { script in
        script.posts[0].caption += " and more"
        script.posts[0].html = "<p>\(script.posts[0].caption)</p>"
        script.posts[0].editedAt = script.posts[0].createdAt + 60
      }
      try await house.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      let posts = try await house.media("list", "--json").objects()
      let keys: Set = [
        "id", "origin", "source", "server", "remote_id", "url", "author", "created_at", "title", "caption", "tags",
        "sensitive", "warning", "edited_at", "ends_at", "language", "gone", "gone_at", "repeated_by", "revisions",
        "attachments", "quote",
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

  @Test func `a list that is followed tells what was there, then what comes, changes and goes`() async throws {
    let house = try Household()
    for day in 1...3 { try await house.media("add", "post \(day)", "--at", "2026-01-0\(day)") }
    let follow = try house.begin("list", "--follow", "--json", "--limit", "2")
    func told() throws -> [[String]] {
      let lines = follow.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return try lines.map { line in
        let post = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: any Sendable])
        return [post["change"] as? String ?? "", post["caption"] as? String ?? ""]
      }
    }
    func tells(_ last: [[String]]) async throws {
      while try told().suffix(last.count) != last[...] {
        try #require(follow.isRunning, "\(follow.output)\(follow.errors)")
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    try await tells([["listed", "post 2"], ["listed", "post 3"]])
    // What is pushed below the watched posts has not left the list.
    try await house.media("add", "post 4", "--at", "2026-01-04")
    try await tells([["listed", "post 3"], ["inserted", "post 4"]])
    // What moves up because another left was on the list already.
    try await house.media("delete", "4")
    try await tells([["inserted", "post 4"], ["removed", "post 4"], ["listed", "post 2"]])
    try await house.media("delete", "3")
    try await tells([["removed", "post 3"], ["listed", "post 1"]])
    follow.signal(SIGINT)
    #expect(try await follow.end().status == 130)
  }
}
