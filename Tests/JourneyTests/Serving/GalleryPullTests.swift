import Foundation
import ScriptedOrigin
import Testing

/// Pulls, logins and follows from the gallery's pages.
@Suite(.timeLimit(.minutes(10))) struct GalleryPullTests {
  /// A demo server and its address.
  private func demo(_ sandbox: Sandbox, posts: Int = 130) async throws -> (Running, String) {
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "\(posts)")
    return (demo, try await demo.line("http://127.0.0.1:"))
  }

  @Test func `a pull from the page brings posts, tells its summary and follows the feed`() async throws {
    let sandbox = try Sandbox()
    let (demo, url) = try await demo(sandbox)
    let gallery = try await GalleryVisitor(sandbox)
    let begun = try await gallery.post(
      "/api/pull/feed", #"{"kind":"tag","value":"demo","server":"\#(url)","pages":2,"follow":true,"every":"1h"}"#)
    #expect(begun.status == 202)
    let job = try await gallery.job(begun.id)
    #expect(job["state"] as? String == "done", "\(job)")
    #expect((job["results"] as? [String])?.first?.hasPrefix("tag:demo@\(url): 80 new posts") == true)
    #expect(try await sandbox.media("list", "--json", "--limit", "1000").objects().count == 80)
    #expect(try await sandbox.media("follows", "--json").object()["every"] as? Int == 3600)
    #expect(try await gallery.get("/pull").text.contains("Unfollow"))

    let older = try await gallery.job(try await gallery.post("/api/pull/older", #"{"list":"tag=demo"}"#).id)
    #expect((older["results"] as? [String])?.first?.contains("40 new posts") == true)
    for path in ["refresh", "fill"] {
      let body = path == "fill" ? #"{"feed":"tag:demo@\#(url)"}"# : "{}"
      #expect(try await gallery.job(try await gallery.post("/api/pull/\(path)", body).id)["state"] as? String == "done")
    }
    _ = try await gallery.job(try await gallery.post("/api/unfollow", #"{"feed":"tag:demo@\#(url)"}"#).id)
    #expect(try await sandbox.media("follows", "--json").output.isEmpty)
    #expect(try await gallery.post("/api/pull/older", #"{"list":"tag=none"}"#).status == 409)
    demo.signal(SIGTERM)
    gallery.serve.signal(SIGTERM)
  }

  @Test func `a failed pull has the words, the cure and the status of the command`() async throws {
    let sandbox = try Sandbox()
    let gallery = try await GalleryVisitor(sandbox)
    let command = try await sandbox.media("tag", "cats", "--server", "http://127.0.0.1:1")
    let job = try await gallery.job(
      try await gallery.post("/api/pull/feed", #"{"kind":"tag","value":"cats","server":"http://127.0.0.1:1"}"#).id)
    #expect(job["status"] as? Int == Int(command.status))
    #expect(command.errors.hasSuffix("media: \(job["failure"] as? String ?? "")\n"))
    let flag = try await gallery.job(
      try await gallery.post("/api/pull/feed", #"{"kind":"tag","value":"--library=/x","server":"a.example"}"#).id)
    #expect((flag["failure"] as? String)?.hasPrefix(#""--library=/x" is not a tag"#) == true)
    let server = try await gallery.job(
      try await gallery.post("/api/pull/feed", #"{"kind":"tag","value":"cats","server":"--all ; id"}"#).id)
    #expect((server["failure"] as? String)?.contains("is not a server") == true)
    for body in [
      #"{"kind":"rm","value":"x"}"#, #"{"kind":"tag","value":" "}"#, #"{"kind":"tag","value":"a\u0000b"}"#, "x",
    ] {
      #expect(try await gallery.post("/api/pull/feed", body).status == 400)
    }
    #expect(try await gallery.get("/api/jobs").status == 200)
    gallery.serve.signal(SIGTERM)
  }

  @Test func `a cancelled pull ends, and what came is stored`() async throws {
    let sandbox = try Sandbox()
    try await withOrigin(Script(posts: 400, troubles: [.nth(3, "/api/v1/timelines", .held)])) { origin in
      let gallery = try await GalleryVisitor(sandbox)
      let id = try await gallery.post(
        "/api/pull/feed", #"{"kind":"tag","value":"cats","server":"\#(origin.url)","pages":100}"#
      ).id
      _ = try await gallery.job(id) { ($0["progress"] as? String)?.contains("page 2") == true }
      _ = try await gallery.post("/api/jobs/cancel", #"{"id":\#(id)}"#)
      let job = try await gallery.job(id)
      #expect((job["state"] as? String, job["status"] as? Int) == ("cancelled", 143))
      #expect(try await sandbox.media("list", "--json", "--limit", "1000").objects().count >= 40)
      gallery.serve.signal(SIGTERM)
    }
  }

  @Test func `a login by the page's paste flow reads what needs one, and leaks nothing`() async throws {
    let sandbox = try Sandbox()
    let (demo, url) = try await demo(sandbox)
    let gallery = try await GalleryVisitor(sandbox)
    let search = #"{"kind":"search","value":"panda","server":"\#(url)"}"#
    let refused = try await gallery.job(try await gallery.post("/api/pull/feed", search).id)
    #expect((refused["status"] as? Int, refused["login"] as? String) == (77, url))

    let begun = try await gallery.post("/api/login", #"{"server":"\#(url)"}"#)
    let page = try #require(begun.object["authorize"] as? String)
    let wrong = try await gallery.post("/api/login/code", #"{"id":\#(begun.id),"code":"two\nlines"}"#)
    #expect(wrong.status == 400)
    let code = try await Visitor().code(from: page)
    let done = try await gallery.post("/api/login/code", #"{"id":\#(begun.id),"code":"\#(code)"}"#)
    #expect((done.object["account"] as? String)?.hasPrefix("mira@") == true, "\(done)")
    #expect(try await gallery.post("/api/login/code", #"{"id":\#(begun.id),"code":"x"}"#).status == 404)
    let again = try await gallery.post("/api/jobs/again", #"{"id":\#(refused["id"] as? Int ?? 0)}"#)
    #expect(try await gallery.job(again.id)["state"] as? String == "done")

    let unknown = try await gallery.post("/api/login", #"{"server":"http://127.0.0.1:1"}"#)
    #expect((unknown.object["failure"] as? String)?.contains("cannot be reached") == true)
    let late = try await gallery.post("/api/login", #"{"server":"\#(url)"}"#)
    let wrongCode = try await gallery.post("/api/login/code", #"{"id":\#(late.id),"code":"not-a-code"}"#)
    #expect(wrongCode.object["failure"] != nil)

    let jobs = try await gallery.get("/api/jobs").text
    let secrets = try Secrets(in: sandbox)
    secrets.add(code)
    #expect(!jobs.contains(code) && !jobs.contains("authorize"))
    demo.signal(SIGTERM)
    gallery.serve.signal(SIGTERM)
    _ = try await gallery.serve.end()
    #expect(try secrets.leaks().isEmpty)
  }

  @Test func `pictures that failed are had again, by the command and by the page`() async throws {
    let sandbox = try Sandbox()
    try await withOrigin(Script(posts: 12, troubles: [.every("/media", .status(404))])) { origin in
      #expect(try await sandbox.media("tag", "cats", "--server", origin.url).status == 1)
      let posts = try await sandbox.media("list", "--json").objects().compactMap { post -> (id: Int, pictures: Int)? in
        guard let id = post["id"] as? Int, let all = post["attachments"] as? [any Sendable] else { return nil }
        return all.isEmpty ? nil : (id, all.count)
      }
      let failed = try await sandbox.media("pictures", "\(posts[0].id)", "--json")
      #expect(failed.status == 1)
      #expect(failed.errors.contains("media: could not download picture: "))
      origin.change { $0.troubles = [] }
      let one = try await sandbox.media("pictures", "\(posts[0].id)", "--json").object()
      #expect(one["media", "downloaded"] == posts[0].pictures)
      let gallery = try await GalleryVisitor(sandbox)
      let job = try await gallery.job(
        try await gallery.post("/api/pull/pictures", #"{"ids":\#(posts.map(\.id))}"#).id)
      #expect(job["state"] as? String == "done", "\(job)")
      let missing = try await sandbox.media("list", "--json").objects().flatMap {
        ($0["attachments"] as? [[String: any Sendable]]) ?? []
      }.filter { $0["state"] as? String != "stored" }
      #expect(missing.isEmpty)
      expect(try await sandbox.media("pictures", "999"), fails: 64, saying: "999")
      gallery.serve.signal(SIGTERM)
    }
  }

  @Test func `all deleted posts of a list are restored at once`() async throws {
    let sandbox = try Sandbox()
    for text in ["First cat", "Second cat"] { _ = try await sandbox.media("add", text, "--tag", "cats") }
    _ = try await sandbox.media("add", "A dog there", "--tag", "dogs")
    _ = try await sandbox.media("delete", "1", "2", "3")
    let gallery = try await GalleryVisitor(sandbox)
    let restored = try await gallery.post("/api/restore-all", #"{"list":"tag=cats&deleted=1"}"#)
    #expect((restored.object["changed"] as? [Int])?.sorted() == [1, 2])
    #expect(try await sandbox.media("list", "--json").objects().count == 2)
    gallery.serve.signal(SIGTERM)
  }

  @Test func `a gallery for reading only refuses pulls, logins and posts`() async throws {
    let sandbox = try Sandbox()
    _ = try await sandbox.media("add", "Saw a kingfisher")
    let gallery = try await GalleryVisitor(sandbox, "--read-only")
    let writes = [
      "pull/refresh", "pull/older", "pull/feed", "pull/fill", "pull/pictures", "follow", "unfollow", "restore-all",
      "login",
      "login/code", "jobs/cancel", "jobs/again", "add",
    ]
    for path in writes { #expect(try await gallery.post("/api/\(path)", "{}").status == 403, "\(path)") }
    for path in ["/pull", "/login", "/add"] { #expect(!(try await gallery.get(path).text.contains("<form"))) }
    gallery.serve.signal(SIGTERM)
  }
}
