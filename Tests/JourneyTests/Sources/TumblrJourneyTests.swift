import Foundation
import Testing

/// A server of Tumblr's API: a key, tags, blogs with their reblogs.
@Suite(.timeLimit(.minutes(10))) struct TumblrJourneyTests {
  @Test func `a key lets in, and a tag and a blog are pulled whole`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "90", "--dialect", "tumblr", "--quiet")
    let url = try await demo.line("http://127.0.0.1:")
    let tag = ["tag", "demo", "--source", "tumblr", "--server", url, "--all", "--no-avatars", "--json"]
    expect(
      try await sandbox.run(tag), fails: 77,
      saying: "run \"media login \(url) --source tumblr --client-id KEY\"", output: true)
    expect(
      try await sandbox.media("login", url, "--source", "tumblr", "--client-id", "wrong-consumer-key"), fails: 77,
      saying: "knows no app")
    let login = try await sandbox.media("login", url, "--source", "tumblr", "--client-id", "demo-consumer-key")
    #expect(login.status == 0 && login.errors.contains("Logged in as app@"), "\(login.errors)")
    let pulled = try await sandbox.run(tag).object()
    #expect((pulled["posts", "new"], pulled["media", "failed"]) == (90, 0), "\(pulled)")
    let again = try await sandbox.media("tag", "demo", "--new", "--no-avatars", "--json").object()
    #expect((again["posts", "new"], again["requests"] as? Int) == (0, 1), "\(again)")
    let words = try await sandbox.media("tag", "night sky", "--all", "--no-avatars", "--json")
    #expect(words.status == 0, "\(words.errors)")
    let blog = try await sandbox.media("user", "mira", "--all", "--no-avatars", "--json")
    #expect(blog.status == 0, "\(blog.errors)")
    #expect(try blog.object()["complete"] as? Bool == true)
    let posts = try await sandbox.media("list", "--json", "--limit", "1000").objects()
    let files = posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
    #expect(!files.isEmpty && files.allSatisfy { $0["state"] as? String == "stored" })
    #expect(!files.contains { ($0["url"] as? String)?.contains("/small/") == true })
    #expect(posts.contains { ($0["tags"] as? [String])?.contains("night sky") == true })
    let looked = try await sandbox.media("recheck", "--json").objects()
    #expect(looked.allSatisfy { ($0["gone"] as? Int, $0["edited"] as? Int) == (0, 0) }, "\(looked)")
    #expect(try Secrets(in: sandbox).leaks().isEmpty)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }
}
