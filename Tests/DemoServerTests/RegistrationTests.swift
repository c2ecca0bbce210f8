import Testing

@testable import DemoServer

@Suite struct RegistrationTests {
  @Test func `an app registers by form, by JSON and by multipart`() async throws {
    try await withDemo { client in
      let form = "client_name=A+%26+B&redirect_uris=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob&scopes=read+profile"
      let first = try await client.post("/api/v1/apps", body: form, type: "application/x-www-form-urlencoded").object
      #expect(first["name"] as? String == "A & B")
      #expect(first["scopes"] as? [String] == ["read", "profile"])
      let json = #"{"client_name":"J","redirect_uris":["http://a.example/","urn:ietf:wg:oauth:2.0:oob"]}"#
      let second = try await client.post("/api/v1/apps", body: json, type: "application/json; charset=utf-8").object
      #expect(second["redirect_uris"] as? [String] == ["http://a.example/", "urn:ietf:wg:oauth:2.0:oob"])
      #expect(second["client_secret_expires_at"] as? Int == 0)
      let parts = ["client_name": "M", "redirect_uris": "http://a.example/\nhttp://b.example/"].map { name, value in
        "--frontier\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
      }
      let body = parts.joined() + "--frontier--\r\n"
      let third = try await client.post("/api/v1/apps", body: body, type: "multipart/form-data; boundary=frontier")
      #expect(third.object["name"] as? String == "M")
      #expect((third.object["redirect_uris"] as? [String])?.count == 2)
    }
  }

  @Test(
    arguments: [
      ("", "urn:ietf:wg:oauth:2.0:oob", "read"), ("x", "", "read"), ("x", "javascript:alert(1)", "read"),
      ("x", "nowhere", "read"), ("x", "http://a.example/", "everything"),
      (String(repeating: "x", count: 61), "http://a.example/", "read"),
    ])
  func `a registration that cannot work is refused in words`(name: String, redirect: String, scopes: String)
    async throws
  {
    try await withDemo { client in
      let fields = ["client_name": name, "redirect_uris": redirect, "scopes": scopes]
      let answer = try await client.post("/api/v1/apps", fields)
      #expect(answer.status == 422)
      #expect((answer.object["error"] as? String)?.hasPrefix("Validation failed: ") == true)
    }
  }

  @Test func `a body too large or broken is refused`() async throws {
    try await withDemo { client in
      let large = try await client.post(
        "/api/v1/apps",
        body: String(repeating: "x", count: 1 << 17),
        type: "text/plain"
      )
      #expect(large.status == 413)
      #expect(try await client.post("/api/v1/apps", body: "{", type: "application/json").status == 400)
    }
  }

  @Test func `the server says where everything is`() async throws {
    try await withDemo { client in
      let found = try await client.get("/.well-known/oauth-authorization-server").object
      #expect(found["issuer"] as? String == client.base + "/")
      #expect(found["token_endpoint"] as? String == client.base + "/oauth/token")
      #expect(found["app_registration_endpoint"] as? String == client.base + "/api/v1/apps")
      #expect(found["code_challenge_methods_supported"] as? [String] == ["S256"])
    }
  }
}
