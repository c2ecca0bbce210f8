import Foundation
import Testing

/// Posts made by hand in the gallery.
@Suite(.timeLimit(.minutes(5))) struct GalleryAddTests {
  private func file(_ sandbox: Sandbox, _ name: String, _ text: String) throws -> String {
    let path = "\(sandbox.folder)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `a post with two files of right-to-left names is added, with the rules of the command`() async throws {
    let sandbox = try Sandbox()
    let gallery = try await GalleryVisitor(sandbox)
    let paths = [
      try file(sandbox, "תמונה.txt", "one"), try file(sandbox, "\u{202E}gpj.html", "<html><script>1</script>"),
    ]
    let added = try await gallery.form(
      "/api/add", "text= Saw a kingfisher ", "title=A walk", "start=2026-11-21T14:05+01:00",
      "finish=2026-11-21T15:05+01:00", "tags=Birds water", "files=@\(paths[0])",
      "files=@\(paths[1]);filename=a.jpg;type=image/jpeg")
    #expect(added.status == 200, "\(added)")
    let post = try await sandbox.media("list", "--json").object()
    #expect(post["id"] as? Int == added.id)
    #expect((post["caption"] as? String, post["title"] as? String) == ("Saw a kingfisher", "A walk"))
    #expect((post["created_at"] as? String)?.hasPrefix("2026-11-21T13:05:00") == true)
    #expect((post["tags"] as? [String])?.sorted() == ["birds", "water"])
    let attachments = try #require(post["attachments"] as? [[String: any Sendable]])
    #expect(attachments.map { $0["state"] as? String } == ["stored", "stored"])
    // A page that calls itself a picture is none.
    #expect(attachments.map { $0["kind"] as? String } == ["file", "file"])

    let short = try await gallery.form("/api/add", "text=ab")
    #expect(short.status == 400)
    let command = try await sandbox.media("add", "ab")
    #expect("media: \(short.object["error"] ?? ""): \(short.object["cure"] ?? "")\n" == command.errors)
    let empty = try await gallery.form("/api/add", "text=cat", "files=@\(try file(sandbox, "empty.jpg", ""))")
    #expect((empty.status, empty.object["error"] as? String) == (400, "empty.jpg is empty"))
    #expect(try await sandbox.media("list", "--json").objects().count == 1)
    gallery.serve.signal(SIGTERM)
  }

  @Test func `a form of another length than it says, or without its end, adds nothing and leaves nothing`() async throws
  {
    let sandbox = try Sandbox()
    let gallery = try await GalleryVisitor(sandbox)
    let host = gallery.base.dropFirst("http://".count)
    let part = "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.jpg\"\r\n\r\n"
    let bodies = [
      (part + "bytes\r\n--b--\r\n", 1_000_000), (part + "bytes\r\n--b--\r\n", 60), (part + "bytes that go on", nil),
      ("", nil),
    ]
    for (body, length) in bodies {
      let lines = [
        "POST /api/add HTTP/1.1", "Host: \(host)", "Origin: \(gallery.base)", "X-Media: 1",
        "Cookie: \(gallery.cookies)",
        "Content-Type: multipart/form-data; boundary=b", "Content-Length: \(length ?? body.utf8.count)",
        "Connection: close",
      ]
      let status = try await gallery.exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
      // A connection that breaks within a request gets no answer.
      #expect(status == 400 || status == 0 && length == 1_000_000, "\(body) \(length ?? 0)")
    }
    let large = [
      "POST /api/add HTTP/1.1", "Host: \(host)", "Origin: \(gallery.base)", "X-Media: 1", "Cookie: \(gallery.cookies)",
      "Content-Type: multipart/form-data; boundary=b", "Content-Length: 9000000000", "Connection: close", "", "",
    ]
    #expect(try await gallery.exchange(large.joined(separator: "\r\n")) == 413)
    #expect(try await sandbox.media("list", "--json").output.isEmpty)
    #expect(try await sandbox.media("check", "--json").status == 0)
    gallery.serve.signal(SIGTERM)
  }
}
