import Foundation
import ScriptedOrigin
import Testing

/// `media share`, and what a served share shows to a program that has never signed in.
@Suite(.timeLimit(.minutes(10))) struct ShareJourneyTests {
  @Test func `an album is shared, listed, and revoked while it is served`() async throws {
    try await withOrigin(Script.each(4)) { origin in
      let sandbox = try Sandbox()
      try #require(try await sandbox.media("tag", "cats", "--server", origin.url).status == 0)
      try await sandbox.media("album", "create", "Winter 2025")
      try await sandbox.media("album", "add", "Winter 2025", "2", "1", "4")
      let posts = try await sandbox.media("album", "show", "Winter 2025", "--json").objects()
      let shown = posts.filter { $0["sensitive"] as? Bool != true }.count
      let made = try await sandbox.media("share", "add", "winter 2025", "--json").object()
      #expect((made["id"] as? Int, made["posts"] as? Int, made["title"] as? String) == (1, shown, "Winter 2025"))
      let path = try #require(made["path"] as? String)
      #expect(path.wholeMatch(of: /\/share\/[A-Za-z0-9_-]{22}\//) != nil && made["ends"] is String)
      let listed = try await sandbox.media("share", "list", "--json").object()
      #expect(
        (listed["album"] as? String, listed["open"] as? Bool, listed["live"] as? Bool) == ("Winter 2025", true, true))
      let token = path.split(separator: "/")[1]
      #expect(try await sandbox.sql("SELECT * FROM share").contains(token) == false)
      let gallery = try await GalleryVisitor(sandbox)
      let friend = "curl -s -o /dev/null -w '%{http_code}' '\(gallery.base)\(path)'"
      #expect(try await sandbox.bash(friend).output == "200")
      #expect(try await sandbox.media("share", "revoke", "1").errors.contains("Revoked 1 share."))
      #expect(try await sandbox.bash(friend).output == "404")
      expect(try await sandbox.media("share", "revoke", "1"), fails: 64, saying: "no open share has the number 1")
      // Nothing that the server said has the token.
      #expect(try await sandbox.bash("grep -r '\(token)' '\(sandbox.said)' | grep -v path").output.isEmpty)
    }
  }

  @Test func `what makes no sense is refused in words`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a heron")
    expect(try await sandbox.media("share", "add", "None"), fails: 64, saying: "there is no album \"None\"")
    expect(
      try await sandbox.media("share", "add", "saved:none"), fails: 64, saying: "there is no saved search \"none\"")
    expect(try await sandbox.media("share", "add", "a", "--days", "0"), fails: 64, saying: "--days 0 is out of range")
    expect(
      try await sandbox.media("share", "add", "a", "--days", "3", "--until", "never"), fails: 64,
      saying: "exclude each other")
    expect(try await sandbox.media("share", "add", "a", "--until", "2020-01-01"), fails: 64, saying: "is past")
    expect(try await sandbox.media("share", "add", "a", "--with", "notes"), fails: 64, saying: "--with has \"notes\"")
    expect(
      try await sandbox.media("share", "add", "tag:a", "--password-stdin", input: "short\n"), fails: 64,
      saying: "fewer than 8 characters")
    expect(try await sandbox.media("share", "revoke", "x"), fails: 64, saying: "x is no number of a share")
    let made = try await sandbox.media(
      "share", "add", "tag:heron", "--password-stdin", "--until", "never", input: "correct horse\n")
    #expect(made.status == 0 && made.errors.contains("Shared 0 posts"), "\(made.errors)")
    #expect(try await sandbox.media("share", "list").output.contains("1  Posts  open  password, tag:heron"))
    let entries = try await sandbox.media("share", "add", "source:manual", "--until", "2099-12-31")
    #expect(entries.errors.contains("1 post left out, as not everybody may see it"))
    #expect(try await sandbox.media("share", "list").output.contains("2  Posts  until 2099-12-31  source:manual"))
  }
}
