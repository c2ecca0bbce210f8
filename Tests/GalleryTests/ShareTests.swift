import Foundation
import HTTP
import MediaLibrary
import Posts
import Storage
import Testing

@testable import Gallery

/// Shares, as friends without a cookie and other people see them.
@Suite(.timeLimit(.minutes(5))) struct ShareTests {
  private static let marker = Marker(machine: "other", program: .command)
  private static let token = "AAAAAAAAAAAAAAAAAAAAAA"

  /// Makes a share at `/share/AAAA…/`, or at another token.
  @discardableResult
  private func share(
    _ filter: String, title: String? = nil, in library: Library, at token: String = token,
    _ change: (inout ShareDraft) -> Void = { _ in }
  ) throws -> Int64 {
    var draft = ShareDraft(of: try Filter(parsing: filter), title: title)
    change(&draft)
    return try library.store.makeShare(draft, tokenHash: TokenHash(of: token).text, now: library.now())
  }

  private func album(_ name: String, _ posts: [Int64], in library: Library) throws {
    try library.store.createAlbum(name, by: Self.marker, now: library.now())
    try library.store.add(posts, toAlbum: name, by: Self.marker, now: library.now())
  }

  private func blob(_ bytes: [UInt8]) -> String { BlobID(hashing: bytes).hex }

  private func page(_ gallery: ServedGallery, _ rest: String = "", _ lines: String...) async throws -> RawAnswer {
    try await gallery.send("GET /share/\(Self.token)/\(rest) HTTP/1.1", ["Host: \(gallery.host)"] + lines)
  }

  private func captions(_ answer: RawAnswer) -> [String] {
    answer.body.matches(of: /<p dir="auto">([^<]*)<\/p>/).map { String($0.1) }
  }

  @Test func `an album is shown in its order, without what is the person's or not for everybody`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      let library = gallery.library
      var (secret, sensitive) = (shot(4, caption: "followers only"), shot(5, caption: "sensitive"))
      (secret.visibility, sensitive.sensitive) = (.followers, true)
      let ids = try [shot(1, caption: "one"), shot(2, caption: "two"), shot(3, caption: "three"), secret, sensitive].map
      {
        try library.save($0, with: Array($0.caption.utf8))
      }
      let deleted = try library.save(shot(6, caption: "deleted"), with: [6])
      let own = try library.add(caption: "by hand")
      try album("Winter 2025", [ids[2], ids[0], ids[3], ids[4], deleted, own, ids[1]], in: library)
      try album("Other album", [ids[0]], in: library)
      try library.delete([deleted])
      try library.store.mark(
        [ids[0]], [.favourite(true), .rating(5), .note("a note"), .ownTag("mine")], by: Self.marker, now: library.now())
      try share("in:\"Winter 2025\"", in: library)
      let answer = try await page(gallery)
      #expect(answer.status == 200 && captions(answer) == ["three", "one", "two"])
      #expect(answer.body.contains("<h1 dir=\"auto\">Winter 2025</h1>"))
      for word in ["a note", "mine", "Other album", "★", "rated", "followers only", "by hand", "<script", Self.token] {
        #expect(!answer.body.contains(word), "\(word)")
      }
      #expect(answer["set-cookie"] == nil && answer["cache-control"] == "no-store")
      #expect(answer["referrer-policy"] == "no-referrer" && answer["x-robots-tag"] == "noindex, nofollow")
      #expect(answer["content-security-policy"]?.contains("default-src 'none'") == true)
      try library.store.move(ids[1], inAlbum: "Winter 2025", before: ids[2], by: Self.marker, now: library.now())
      try library.store.renameAlbum("Winter 2025", to: "Snow", by: Self.marker, now: library.now())
      #expect(captions(try await page(gallery)) == ["two", "three", "one"])
      let head = try await gallery.send("HEAD /share/\(Self.token)/ HTTP/1.1", ["Host: \(gallery.host)"])
      #expect(head.status == 200 && head.body.isEmpty)
    }
  }

  @Test func `what is sensitive or gone is shown only where its maker asked for it`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      let library = gallery.library
      var sensitive = shot(2, caption: "sensitive")
      sensitive.sensitive = true
      try library.save([shot(1, caption: "plain"), sensitive], of: kittens)
      try share("tag:kittens", in: library)
      #expect(captions(try await page(gallery)) == ["plain"])
      let other = "BBBBBBBBBBBBBBBBBBBBBB"
      try share("tag:kittens", in: library, at: other) { $0.shows = [.sensitive] }
      let answer = try await gallery.get("/share/\(other)/")
      #expect(captions(answer) == ["sensitive", "plain"])
      #expect(!answer.body.contains("<img"))
    }
  }

  @Test func `a search stays what it was, unless it is live, and never brings back what was deleted`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      let library = gallery.library
      try library.save([shot(1, caption: "one"), shot(2, caption: "two")], of: kittens)
      let live = "BBBBBBBBBBBBBBBBBBBBBB"
      try library.store.save(try Filter(parsing: "tag:kittens"), as: "best", by: Self.marker, now: library.now())
      try share("saved:best", in: library)
      try share("saved:best", in: library, at: live) { $0.isLive = true }
      try library.save([shot(3, caption: "three")], of: kittens)
      let first = try #require(try library.store.posts().first { $0.caption == "one" }?.id)
      try library.delete([first])
      #expect(captions(try await page(gallery)) == ["two"])
      #expect(captions(try await gallery.get("/share/\(live)/")) == ["three", "two"])
      let all = try Filter(parsing: "is:deleted OR is:manual OR tag:kittens")
      try library.store.save(all, as: "best", by: Self.marker, now: library.now())
      #expect(captions(try await gallery.get("/share/\(live)/")) == ["three", "two"])
      try library.store.deleteSearch("best", by: Self.marker, now: library.now())
      #expect(try await gallery.get("/share/\(live)/").body.contains("no posts here"))
      #expect(throws: MarkError.noSearch("none", nearest: nil)) { try share("saved:none", in: library, at: "x") }
    }
  }

  @Test func `only pictures of the share are there, and originals only where its maker asked for them`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      let library = gallery.library
      let inside = try library.save(shot(1), with: Sample.gif)
      // Of no type, so that it is given as it is.
      let video = [UInt8](repeating: 3, count: 120)
      let film = try library.save(shot(2), with: video)
      try library.save(shot(3), with: Sample.jpeg)
      var secret = shot(4)
      secret.visibility = .direct
      let hidden = try library.save(secret, with: Sample.mp3)
      try album("Winter", [inside, film, hidden], in: library)
      let id = try share("in:Winter", in: library)
      #expect(try await page(gallery, "thumb/320/\(blob(Sample.gif))").status == 200)
      #expect(try await page(gallery, "thumb/320/\(blob(Sample.jpeg))").status == 404)
      #expect(try await page(gallery, "blob/\(blob(Sample.gif))").status == 404)
      #expect(try await page(gallery).body.contains("blob/") == false)
      try library.store.revokeShares(id, now: library.now())
      #expect(try await page(gallery, "thumb/320/\(blob(Sample.gif))").status == 404)
      let originals = "BBBBBBBBBBBBBBBBBBBBBB"
      try share("in:Winter", in: library, at: originals) { $0.hasOriginals = true }
      func file(_ bytes: [UInt8], _ lines: String...) async throws -> RawAnswer {
        try await gallery.send(
          "GET /share/\(originals)/blob/\(blob(bytes)) HTTP/1.1", ["Host: \(gallery.host)"] + lines)
      }
      let whole = try await file(Sample.gif)
      #expect(whole.status == 200 && whole["cache-control"] == "private, no-cache")
      #expect(whole["content-security-policy"] == "sandbox; default-src 'none'")
      #expect(try await file(Sample.gif, "If-None-Match: \"\(blob(Sample.gif))\"").status == 304)
      let part = try await file(video, "Range: bytes=100-109")
      #expect(part.status == 206 && part["content-range"] == "bytes 100-109/\(video.count)")
      for bytes in [Sample.jpeg, Sample.mp3, [9]] { #expect(try await file(bytes).status == 404) }
      try library.store.remove([inside], fromAlbum: "Winter", by: Self.marker, now: library.now())
      #expect(try await file(Sample.gif, "If-None-Match: \"\(blob(Sample.gif))\"").status == 404)
      // The gallery's own addresses stay closed.
      for path in ["/", "/blob/\(blob(video))", "/thumb/320/\(blob(video))", "/shares", "/api/list"] {
        #expect(try await gallery.get(path).status == 401, "\(path)")
      }
    }
  }

  @Test func `revoked, ended and unknown shares, and those of a deleted album, have one answer`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      let library = gallery.library
      try library.save([shot(1)], of: kittens)
      let post = try #require(try library.store.posts().first?.id)
      for name in ["revoked", "ended", "deleted"] {
        try album(name, [post], in: library)
        try share("in:\(name)", in: library, at: name) { $0.endsAt = name == "ended" ? library.now() + 60 : nil }
        #expect(try await gallery.get("/share/\(name)/").status == 200)
      }
      try library.store.revokeShares(1, now: library.now())
      gallery.clock.pass(60)
      try library.store.deleteAlbum("deleted", by: Self.marker, now: library.now())
      let answers = [
        try await gallery.get("/share/revoked/"), try await gallery.get("/share/ended/"),
        try await gallery.get("/share/deleted/"), try await gallery.get("/share/unknown/"),
        try await gallery.get("/share/revoked/blob/\(blob([1]))"), try await gallery.get("/share/ended/?page=2"),
      ]
      #expect(Set(answers.map(\.status)) == [404] && Set(answers.map(\.body)).count == 1)
      #expect(!answers[0].body.contains("href=\"/\"") && answers[0]["set-cookie"] == nil)
      // Undone, the album is there again.
      #expect(try library.store.shares().map { $0.isOpen(at: library.now()) } == [false, false, false])
    }
  }

  @Test func `no path leads out of a share, and it has one spelling`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      try gallery.library.save([shot(1)], of: kittens)
      try share("tag:kittens", in: gallery.library) { $0.hasOriginals = true }
      let paths = [
        "../", "%2e%2e/", "..%2f", "%2e%2e%2fmedia.sqlite/", "\(Self.token)//", "\(Self.token)/../",
        "\(Self.token)%00/",
        "\(Self.token)/blob/", "\(Self.token)/blob/..", "\(Self.token)/thumb/320/", "\(Self.token)/thumb/9/x", "",
        "\(Self.token)/blob/\(String(repeating: "0", count: 64))", "\(Self.token)/x", "%41%41/", "' OR 1=1/",
      ]
      for path in paths {
        let answer = try await gallery.get("/share/\(path)")
        #expect([400, 404].contains(answer.status), "\(path): \(answer.status)")
      }
      gallery.clock.pass(7200)
      let bare = try await gallery.get("/share/\(Self.token)")
      #expect(bare.status == 308 && bare["location"] == "/share/\(Self.token)/")
      let post = try await gallery.post("/share/\(Self.token)/", "{}")
      #expect([403, 404, 405].contains(post.status))
    }
  }

  @Test func `whoever guesses tokens waits, and meanwhile right ones do not help`() async throws {
    let proxied = GalleryServer.Options(hosts: ["gallery.example"], isBehindProxy: true)
    try await withGallery(proxied, isEmpty: true) { gallery in
      try gallery.library.save([shot(1)], of: kittens)
      try share("tag:kittens", in: gallery.library)
      func get(_ token: String, from address: String) async throws -> RawAnswer {
        try await gallery.send(
          "GET /share/\(token)/ HTTP/1.1",
          ["Host: gallery.example", "X-Forwarded-Proto: https", "X-Forwarded-For: \(address)"])
      }
      var statuses: [Int] = []
      for guess in 0..<200 { statuses.append(try await get("guess\(guess)", from: "203.0.113.5").status) }
      #expect(statuses.prefix(3) == [404, 404, 404] && Set(statuses.dropFirst(4)) == [429])
      let blocked = try await get(Self.token, from: "203.0.113.5")
      #expect(blocked.status == 429 && blocked["retry-after"] != nil)
      #expect(try await get(Self.token, from: "198.51.100.7").status == 200)
      gallery.clock.pass(7200)
      #expect(try await get(Self.token, from: "203.0.113.5").status == 200)
    }
  }

  @Test func `a password is asked for by the browser, is limited, and covers pictures`() async throws {
    let proxied = GalleryServer.Options(hosts: ["gallery.example"], isBehindProxy: true)
    try await withGallery(proxied, isEmpty: true) { gallery in
      func page(_ path: String = "", _ header: String = "", from address: String = "203.0.113.5") async throws
        -> RawAnswer
      {
        try await gallery.send(
          "GET /share/\(Self.token)/\(path) HTTP/1.1",
          ["Host: gallery.example", "X-Forwarded-Proto: https", "X-Forwarded-For: \(address)"]
            + (header.isEmpty ? [] : [header]))
      }
      try gallery.library.save(shot(1), with: Sample.gif)
      try share("tag:kittens", in: gallery.library) {
        $0.passwordHash = PasswordHash("pass: wörd", salt: [1, 2, 3], n: 16).stored
      }
      func basic(_ password: String) -> String {
        "Authorization: Basic \(Data("friend:\(password)".utf8).base64EncodedString())"
      }
      let asked = try await page()
      #expect(asked.status == 401 && asked["www-authenticate"] == "Basic realm=\"share\", charset=\"UTF-8\"")
      #expect(asked["set-cookie"] == nil && !asked.body.contains("post 1"))
      let picture = "thumb/320/\(blob(Sample.gif))"
      #expect(try await page(picture).status == 401)
      #expect(try await page("", "Authorization: Bearer x").status == 401)
      let right = try await page("", basic("pass: wörd"))
      #expect(right.status == 200 && captions(right) == ["post 1"] && right["set-cookie"] == nil)
      for _ in 0..<10 { #expect(try await page(picture, basic("pass: wörd")).status == 200) }
      var statuses: [Int] = []
      for guess in 0..<6 { statuses.append(try await page("", basic("guess \(guess)")).status) }
      #expect(statuses == [401, 401, 401, 429, 429, 429])
      // The right one does not stand out among guesses, and a friend elsewhere is not locked out by them.
      #expect(try await page("", basic("pass: wörd")).status == 429)
      for guess in 0..<40 { _ = try await page("", basic("guess \(guess)"), from: "198.51.\(guess).1") }
      // Whoever knows the password of another share guesses no more often.
      var draft = ShareDraft(of: try Filter(parsing: "tag:kittens"))
      draft.passwordHash = PasswordHash("another", salt: [1], n: 16).stored
      let known = String(repeating: "k", count: 22)
      _ = try gallery.library.store.makeShare(draft, tokenHash: TokenHash(of: known).text, now: gallery.clock.now)
      var others: [Int] = []
      for guess in 0..<6 {
        others.append(try await page("", basic("guess \(guess)"), from: "192.0.2.2").status)
        _ = try await gallery.send(
          "GET /share/\(known)/ HTTP/1.1",
          ["Host: gallery.example", "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.2", basic("another")])
      }
      #expect(others.suffix(3) == [429, 429, 429])
      #expect(try await page(picture, basic("pass: wörd"), from: "192.0.2.1").status == 200)
    }
  }

  @Test func `titles, captions and addresses of strangers stay text`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      var post = shot(
        1, caption: "<script>alert(1)</script> javascript:alert(1)", title: "\"><img src=x onerror=alert(1)>")
      post.url = "javascript:alert(1)"
      post.author = Author(
        uri: "https://photos.example/users/ada", handle: "ada@photos.example", name: "</title><b>",
        url: "data:text/html,x")
      try gallery.library.save([post], of: kittens)
      try share("tag:kittens", title: "</title><script>alert(1)</script>", in: gallery.library)
      let body = try await page(gallery).body
      #expect(!body.contains("<script") && !body.contains("<img") && !body.contains("<b>"))
      #expect(!body.contains("href=\"javascript:") && !body.contains("href=\"data:text"))
      #expect(body.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }
  }

  @Test func `pages follow each other`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      try gallery.library.save((1...61).map { shot($0) }, of: kittens)
      try share("tag:kittens", in: gallery.library)
      #expect(captions(try await page(gallery)).count == 30)
      let last = try await page(gallery, "?page=3")
      #expect(captions(last) == ["post 1"] && last.body.contains("<a rel=\"prev\" href=\"?page=2\">"))
      for number in ["0", "4", "9223372036854775807", "x"] {
        #expect(try await page(gallery, "?page=\(number)").status == 404, "\(number)")
      }
    }
  }

  @Test func `the gallery makes and revokes shares by forms of its own`() async throws {
    try await withGallery(isEmpty: true) { gallery in
      try gallery.library.save([shot(1)], of: kittens)
      let cookie = try await gallery.cookie()
      func form(_ path: String, _ body: String, _ lines: [String]) async throws -> RawAnswer {
        try await gallery.send(
          "POST \(path) HTTP/1.1", ["Host: \(gallery.host)", "Content-Length: \(body.utf8.count)"] + lines, body: body)
      }
      let own = [cookie, "Origin: http://\(gallery.host)", "Sec-Fetch-Site: same-origin"]
      let offered = try await gallery.get("/shares?tag=kittens", cookie)
      #expect(offered.body.contains("name=\"q\" value=\"tag:kittens\"") && offered["referrer-policy"] == "same-origin")
      let body = "q=tag:kittens&title=Cats&days=30&password=&with=sensitive"
      let made = try await form("/shares", body, own)
      let path = try #require(made.body.firstMatch(of: #/value="http:\/\/[^"\/]+(\/share\/[A-Za-z0-9_-]{22}\/)"/#)).1
      #expect(try await gallery.get(String(path)).status == 200)
      #expect(try gallery.library.store.shares().first?.shows == [.sensitive])
      #expect(made.body.contains("<span class=\"soft\"><bdi>tag:kittens</bdi> · also sensitive</span>"))
      #expect(try await !gallery.get("/shares", cookie).body.contains(path))
      #expect(try await form("/shares", body, [cookie, "Origin: http://evil.example"]).status == 403)
      #expect(try await form("/shares", body, Array(own.dropFirst())).status == 401)
      for wrong in ["q=", "q=(", "q=in:none&days=30", "q=a&days=0", "q=a&days=30&password=short"] {
        #expect(try await form("/shares", wrong, own).status == 400, "\(wrong)")
      }
      #expect(try gallery.library.store.shares().count == 1)
      #expect(try await form("/shares/revoke", "id=1", own).status == 303)
      #expect(try await gallery.get(String(path)).status == 404)
      // After a mistake the form has what was chosen, and a page that is loaded again makes no second share.
      let chosen = "q=tag:kittens&title=Cats&days=7&originals=1&with=gone"
      let again = try await form("/shares", "\(chosen)&password=short", own).body
      #expect(again.contains("value=\"7\" selected") && again.contains("name=\"with\" value=\"gone\" checked"))
      #expect(
        again.contains("name=\"originals\" value=\"1\" checked") && !again.contains("name=\"live\" value=\"1\" checked")
      )
      let token = try #require(again.firstMatch(of: #/name="token" value="([A-Za-z0-9_-]{22})"/#)).1
      for _ in 1...2 {
        #expect(try await form("/shares", "\(chosen)&password=&token=\(token)", own).body.contains("/share/\(token)/"))
      }
      #expect(try gallery.library.store.shares().count == 2)
      #expect(again.contains("Password, once more") && again.contains("maxlength=\"1024\" required>"))
      // Another choice under the same token is another share, and so is what was revoked.
      let other = try await form("/shares", "q=tag:birds&days=7&token=\(token)", own).body
      #expect(!other.contains("/share/\(token)/") && other.contains("/share/"))
      #expect(try gallery.library.store.shares().count == 3)
      let twice = try #require(
        try await gallery.get("/shares", cookie).body.firstMatch(of: #/name="token" value="([^"]+)"/#)
      ).1
      let answers = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...6 { group.addTask { try await form("/shares", "\(chosen)&token=\(twice)", own).status } }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      #expect(answers == [200])
      #expect(try gallery.library.store.shares().count == 4)
      #expect(try await !form("/shares", "\(chosen)&token=guessed", own).body.contains("/share/guessed/"))
    }
    try await withGallery(.init(isReadOnly: true)) { gallery in
      let cookie = try await gallery.cookie()
      #expect(try await gallery.get("/shares", cookie).status == 403)
      let answer = try await gallery.post(
        "/shares", "q=tag:birds&days=30", cookie, type: "application/x-www-form-urlencoded")
      #expect(answer.status == 403)
      #expect(try gallery.library.store.shares().isEmpty)
      // What was made before is served.
      try share("tag:birds", in: gallery.library)
      #expect(try await page(gallery).status == 200)
    }
  }
}
