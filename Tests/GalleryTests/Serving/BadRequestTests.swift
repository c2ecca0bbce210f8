import Foundation
import Testing

@testable import Gallery

/// Requests that no page of the gallery sends, each with the right status and one sentence.
@Suite(.timeLimit(.minutes(5))) struct BadRequestTests {
  // MARK: Hosts and origins

  @Test func `only the gallery's own names are answered, whatever leads to this machine`() async throws {
    try await withGallery(.init(hosts: ["Gallery.example"])) { gallery in
      let (cookie, port) = (try await gallery.cookie(), gallery.port)
      for name in ["127.0.0.1", "[::1]", "localhost", "LOCALHOST", "gallery.example"] {
        #expect(try await gallery.get("/", cookie, host: "\(name):\(port)").status == 200, "\(name)")
      }
      for host in [
        "evil.example", "evil.example:\(port)", "localhost", "127.0.0.1:1", "127.0.0.1:\(port)0", "localhost.:\(port)",
        "127.0.0.1:\(port)@evil.example", "evil.example/localhost:\(port)", "127.0.0.1:\(port),evil.example", "[::1",
        "127.0.0.1:", "0.0.0.0:\(port)", "127.1:\(port)", "a.gallery.example:\(port)", ":\(port)", "127.0.0.1:+\(port)",
      ] {
        for target in ["/", "/api/list", "/assets/gallery.css", "/sign-in"] {
          let answer = try await gallery.get(target, cookie, host: host)
          #expect(answer.status == 421, "\(host) \(target)")
          #expect(answer.body.contains("the gallery does not go by this name"))
        }
      }
    }
  }

  @Test func `a request that names no host, or two, is refused`() async throws {
    try await withGallery { gallery in
      for lines in [
        [], ["Host:"], ["Host: \(gallery.host)", "Host: evil.example"],
        ["Host: evil.example", "Host: \(gallery.host)"],
      ] {
        let answer = try await gallery.send("GET / HTTP/1.1", lines)
        #expect(answer.status == 400, "\(lines)")
      }
      #expect(try await gallery.raw(Array("GET / HTTP/1.0\r\n\r\n".utf8)).status == 400)
    }
  }

  @Test func `a proxy's headers count only behind a proxy`() async throws {
    try await withGallery { gallery in
      let answer = try await gallery.get("/", "X-Forwarded-Host: \(gallery.host)", host: "evil.example")
      #expect(answer.status == 421)
      let cookie = try await gallery.get("/?token=\(try await gallery.newToken())", "X-Forwarded-Proto: https")[
        "set-cookie"]
      #expect(cookie?.contains("Secure") == false)
    }
    try await withGallery(.init(hosts: ["gallery.example"], isBehindProxy: true)) { gallery in
      let answer = try await gallery.get("/", "X-Forwarded-Host: gallery.example")
      #expect(answer.status == 401)
      #expect(try await gallery.get("/", "X-Forwarded-Host: gallery.example, evil.example").status == 421)
      #expect(try await gallery.get("/", host: "gallery.example:8443").status == 401)
    }
  }

  @Test func `a change comes from a page of the gallery, with a field that forms cannot send`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let body = #"{"ids":[1]}"#
      func change(_ lines: String...) async throws -> RawAnswer {
        try await gallery.send(
          "POST /api/delete HTTP/1.1", ["Host: \(gallery.host)", cookie, "Content-Length: \(body.utf8.count)"] + lines,
          body: body)
      }
      let origin = "Origin: http://\(gallery.host)"
      for lines in [
        ["X-Media: 1"], ["X-Media: 1", "Origin: null"], ["X-Media: 1", "Origin: http://evil.example"],
        ["X-Media: 1", "Origin: https://\(gallery.host)"], ["X-Media: 1", "Origin: http://localhost:\(gallery.port)"],
        ["X-Media: 1", "Origin: http://\(gallery.host).evil.example"], ["X-Media: 1", "Origin: http://127.0.0.1:1"],
        ["X-Media: 1", origin, "Sec-Fetch-Site: cross-site"], ["X-Media: 1", origin, "Sec-Fetch-Site: same-site"],
        ["X-Media: 1", origin, "Sec-Fetch-Site: none"], [origin], [origin, "X-Media: 0"],
      ] {
        let answer = try await gallery.send(
          "POST /api/delete HTTP/1.1", ["Host: \(gallery.host)", cookie, "Content-Length: \(body.utf8.count)"] + lines,
          body: body)
        #expect(answer.status == 403, "\(lines)")
        #expect((answer.object["error"] as? String)?.isEmpty == false)
      }
      #expect(try gallery.library.store.post(1)?.post.isDeleted == false)
      #expect(try await change(origin, "X-Media: 1").status == 200)
      #expect(try gallery.library.store.post(1)?.post.isDeleted == true)
    }
  }

  @Test func `a gallery for reading refuses every change in one place, and still signs in`() async throws {
    try await withGallery(.init(isReadOnly: true)) { gallery in
      let cookie = try await gallery.cookie()
      for target in ["/api/delete", "/api/restore", "/api/add", "/api/nothing", "/"] {
        let answer = try await gallery.post(target, #"{"ids":[1]}"#, cookie)
        #expect(answer.status == 403)
        #expect(answer.body.contains("this gallery is served for reading only"))
      }
      #expect(try await gallery.get("/", cookie).status == 200)
    }
  }

  // MARK: Targets and methods

  @Test func `a path has one spelling`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      for target in [
        "//", "//evil.example/", "/a//b", "/assets/../api/list", "/assets/..", "/./", "/%2e%2e/etc/passwd",
        "/assets/%2E%2E/api/list", "/.%2e/", "/assets/%2fetc", "/assets/%5c..%5c", "/a%00b", "/%00", "/a%0ab", "/%7f",
        "/%c0%ae%c0%ae/", "/%c0%af", "/%e0%80%af", "/%ff", "/%c3", "/%", "/%4", "/%zz", "/a\\b", "/a|b", "/<script>",
        "/a\"b", "/{}", "/a^b", "/`", "/tags/", "/blob/\(String(repeating: "a", count: 64))/", "/post/1/?q=a",
      ] {
        let answer = try await gallery.get(target, cookie)
        #expect(answer.status == 400, "\(target)")
        #expect(answer.statuses.count == 1)
      }
      #expect(try await gallery.get("/nothing", cookie).status == 404)
      #expect(try await gallery.get("/%E2%82%AC", cookie).status == 404)
      #expect(try await gallery.get("/" + String(repeating: "a", count: 9000), cookie).status == 414)
    }
  }

  @Test func `raw bytes in a target are no request`() async throws {
    try await withGallery { gallery in
      for bytes in [[0x00], [0x01], [0xC0, 0xAE], [0xFF], [0x7F], [0x0B], Array("é".utf8)] as [[UInt8]] {
        let request = Array("GET /a".utf8) + bytes + Array(" HTTP/1.1\r\nHost: \(gallery.host)\r\n\r\n".utf8)
        let answer = try await gallery.raw(request)
        #expect(answer.status == 400, "\(bytes)")
      }
    }
  }

  @Test func `a target with a host of its own leads nowhere else`() async throws {
    try await withGallery { gallery in
      for target in ["http://evil.example/", "http://\(gallery.host)/", "https:evil", "*", "evil.example:80", "?q=1"] {
        let answer = try await gallery.get(target)
        #expect([400, 401].contains(answer.status), "\(target)")
      }
      #expect(try await gallery.get("http://\(gallery.host)/", host: "evil.example").status == 421)
      let tunnel = try await gallery.send("CONNECT evil.example:443 HTTP/1.1", ["Host: \(gallery.host)"])
      #expect([400, 405].contains(tunnel.status))
    }
  }

  @Test func `other methods are refused with those that are not, and HEAD has no body`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      for method in ["OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "PROPFIND"] {
        let answer = try await gallery.send("\(method) / HTTP/1.1", ["Host: \(gallery.host)", cookie])
        #expect(answer.status == 405, "\(method)")
        #expect(answer["allow"] == "GET, HEAD, POST")
      }
      for method in ["get", "MADEUP", "G\u{0}T"] {
        #expect(try await gallery.send("\(method) / HTTP/1.1", ["Host: \(gallery.host)", cookie]).status == 400)
      }
      let head = try await gallery.send("HEAD /api/list HTTP/1.1", ["Host: \(gallery.host)", cookie])
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
      #expect(try await gallery.get("/api/delete", cookie).status == 404)
      let old = try await gallery.raw(
        Array("GET /api/list HTTP/1.0\r\nHost: \(gallery.host)\r\n\(cookie)\r\n\r\n".utf8))
      #expect(old.status == 200)
    }
  }

  @Test func `every answer has the headers that keep a page to itself`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      for (target, host) in [
        ("/", gallery.host), ("/nothing", gallery.host), ("/%00", gallery.host), ("/", "evil.example"),
      ] {
        let answer = try await gallery.get(target, cookie, host: host)
        let policy = try #require(answer["content-security-policy"], "\(target)")
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
        #expect(!policy.contains("unsafe"))
        #expect(answer["x-content-type-options"] == "nosniff")
        // A list has a form, whose origin is judged.
        let isList = target == "/" && host == gallery.host
        #expect(answer["referrer-policy"] == (isList ? "same-origin" : "no-referrer"))
        #expect(answer["cross-origin-resource-policy"] == "same-origin")
        #expect(answer["cross-origin-opener-policy"] == "same-origin")
        #expect(answer["cache-control"] == "no-store")
        #expect(answer["access-control-allow-origin"] == nil)
      }
    }
  }

  // MARK: Parameters and bodies

  @Test func `parameters and bodies that make no sense are refused in a sentence`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let numbers = ["9223372036854775808", "-9223372036854775809", "1e9", "0x1", "", "NaN", "١", "1%00"]
      for number in numbers {
        let encoded =
          number.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed)?.replacingOccurrences(
            of: "%25", with: "%") ?? ""
        let answer = try await gallery.get("/api/list?at=\(encoded)", cookie)
        #expect(answer.status == 400, "\(number)")
        #expect(answer.object["error"] as? String == "at must be the number of a post")
        let page = try await gallery.get("/post/\(encoded)", cookie)
        #expect([400, 404].contains(page.status), "\(number)")
      }
      for query in [
        "around=x", "around=%00", "day=2026-13-99", "day=x", "day=0000-00-00", "day=99999999999999999999-1-1",
        "q=%22%27*(", "q=%00", "q=tagg%3Acats", "q=-cats%20OR",
      ] {
        #expect(try await gallery.get("/api/list?\(query)", cookie).status == 400, "\(query)")
      }
      for query in [
        "before=99999999999999999999&after=-1", "q=%27*%3F", "tag=%00", "user=%F0%9F%90%B1", "a&&=&%", "deleted=1",
      ] {
        #expect(try await gallery.get("/api/list?\(query)", cookie).status == 200, "\(query)")
      }
      #expect(try await gallery.get("/api/list?feed=no%20such", cookie).status == 404)
    }
  }

  @Test func `a body that is no JSON, or not the right one, or too large, changes nothing`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let deep = String(repeating: "[", count: 20_000)
      for body in [
        "", "{", "null", "[1]", #"{"ids":1}"#, #"{"ids":["1"]}"#, #"{"ids":[1.5]}"#, #"{"ids":[9223372036854775808]}"#,
        #"{"ids":[1}"#, deep, "{\"ids\":\(deep)", "\u{0}",
      ] {
        let answer = try await gallery.post("/api/delete", body, cookie)
        #expect(answer.status == 400, "\(body.prefix(40))")
        #expect((answer.object["error"] as? String)?.hasPrefix("the body must be JSON") == true)
      }
      for target in ["/api/delete", "/api/pull/refresh", "/api/feeds"] {
        let large = try await gallery.post(target, String(repeating: " ", count: 4 << 20), cookie)
        #expect(large.status == 413)
        #expect(large.object["error"] as? String == "the request is too large")
      }
      let answer = try await gallery.post("/api/delete", #"{"ids":[-1,0,99]}"#, cookie)
      #expect(answer.status == 200)
      #expect(answer.object["unknown"] as? [Int] == [-1, 0, 99])
      #expect(try gallery.library.store.post(1)?.post.isDeleted == false)
    }
  }
}
