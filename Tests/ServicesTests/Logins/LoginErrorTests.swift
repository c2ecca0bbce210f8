import Foundation
import HTTP
import Machine
import Posts
import Testing

@testable import Login
@testable import Services

@Suite(.ceiling) struct `what goes wrong with a login, in words` {
  /// The login's error if one path of the server answers differently, and the file's content afterwards.
  private func fault(
    _ paths: String...,
    pasted: String? = nil,
    answer: @escaping @Sendable (Request) throws(TransportError) -> Response
  ) async throws -> (any ExplainedError)? {
    let desk = Desk()
    var error: (any Error)?
    do {
      if paths.contains("/oauth/token") || paths.contains("/api/v1/accounts/verify_credentials") || pasted != nil {
        let page = try await desk.flow.begin(desk.server)
        let code = desk.authServer.code(on: page.url)
        for path in paths { desk.authServer.answer(path, answer) }
        _ = try await desk.flow.finish(page, pasted: pasted ?? code)
      } else {
        for path in paths { desk.authServer.answer(path, answer) }
        _ = try await desk.flow.begin(desk.server)
      }
    } catch let caught { error = caught }
    #expect(try desk.accounts.all().isEmpty)
    for token in desk.authServer.tokens { #expect(!desk.written.contains(token)) }
    return error as? any ExplainedError
  }

  @Test func `a refused code`() async throws {
    let words =
      "cats.example refused the code, which is wrong, used or expired: run \"media login cats.example\" again"
    let error = try await fault(pasted: "wrong") { _ in InMemoryAuthServer.page(500) }
    #expect(error?.description == words)
    #expect(error?.exitCode == .needsLogin)
    for status in [400, 401, 403, 422, 500] {
      let error = try await fault("/oauth/token") { _ in InMemoryAuthServer.page(status) }
      #expect(error?.description == words)
    }
    let odd = try await fault("/oauth/token") { _ in InMemoryAuthServer.json(#"{"error":"invalid_grant"}"#) }
    #expect(odd?.description == words)
  }

  @Test func `a code is good once`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    let code = desk.authServer.code(on: page.url)
    _ = try await desk.finished(page, code)
    await #expect(throws: LoginError.codeRefused(desk.server)) { try await desk.flow.finish(page, pasted: code) }
  }

  @Test func `a server that fails is not taken for a refusal`() async throws {
    for status in [502, 503] {
      let error = try await fault("/oauth/token") { _ in InMemoryAuthServer.page(status) }
      #expect(error?.description == "cats.example fails (status \(status)): try again later")
      #expect(error?.exitCode == .unavailable)
    }
    let down = try await fault("/oauth/token", "/api/v1/instance") { _ in InMemoryAuthServer.page(500) }
    #expect(down?.description == "cats.example fails (status 500): try again later")
  }

  @Test func `a refused token stores nothing and shows the server's reason`() async throws {
    let path = "/api/v1/accounts/verify_credentials"
    let error = try await fault(path) { _ in
      InMemoryAuthServer.json(#"{"error":"Your login is currently disabled\u001b[1m"}"#, status: 403)
    }
    #expect(
      error?.description
        == "cats.example refused the token (Your login is currently disabled [1m): run \"media login cats.example\""
    )
    #expect(error?.exitCode == .needsLogin)
    for status in [400, 401, 422] {
      let error = try await fault(path) { _ in InMemoryAuthServer.page(status) }
      #expect(error?.description == "cats.example refused the token: run \"media login cats.example\"")
    }
  }

  @Test func `a server that repeats the token is not quoted`() async throws {
    let error = try await fault("/api/v1/accounts/verify_credentials") { request in
      InMemoryAuthServer.json("{\"error\":\"bad token \(request.token?.reveal() ?? "")\"}", status: 401)
    }
    #expect(error?.description == "cats.example refused the token: run \"media login cats.example\"")
  }

  @Test func `answers that are not what they promise`() async throws {
    let page = try await fault("/oauth/token") { _ in InMemoryAuthServer.page(200) }
    #expect(
      page?.description
        == "the answer of cats.example cannot be read (it is not JSON): check the address, or try again later"
    )
    #expect(page?.exitCode == .unreadable)
    for body in ["{}", #"{"access_token":""}"#, #"{"access_token":"a\r\nX-Evil: 1"}"#, #"{"access_token":["t"]}"#] {
      let error = try await fault("/oauth/token") { _ in InMemoryAuthServer.json(body) }
      #expect(error?.summary == "the answer of cats.example cannot be read (it has no token)")
    }
    let endless = String(repeating: "a", count: 4097)
    let token = try await fault("/oauth/token") { _ in InMemoryAuthServer.json(#"{"access_token":"\#(endless)"}"#) }
    #expect(token?.summary == "the answer of cats.example cannot be read (it has no token)")
    for (id, secret) in [("a", endless), (endless, "s"), ("a b", "s"), ("a", "s\\u001b[2J")] {
      let body = #"{"client_id":"\#(id)","client_secret":"\#(secret)"}"#
      let keys = try await fault("/api/v1/apps") { _ in InMemoryAuthServer.json(body) }
      #expect(
        keys?.summary == "the answer of cats.example cannot be read (it registers the app with keys that are none)"
      )
      #expect(keys?.exitCode == .unreadable)
    }
    let keyless = try await fault("/api/v1/apps") { _ in InMemoryAuthServer.json("{}") }
    #expect(keyless?.summary == "the answer of cats.example cannot be read (it registers the app without keys)")
    let html = try await fault("/api/v1/apps") { _ in InMemoryAuthServer.page(200) }
    #expect(html?.exitCode == .unreadable)
    let nobody = try await fault("/api/v1/accounts/verify_credentials") { _ in InMemoryAuthServer.json("{}") }
    #expect(nobody?.summary == "the answer of cats.example cannot be read (it does not say whose account it is)")
  }

  @Test func `no registration is offered`() async throws {
    for status in [403, 404, 422] {
      let error = try await fault("/api/v1/apps") { _ in InMemoryAuthServer.page(status) }
      #expect(
        error?.description
          == "cats.example does not let apps register themselves: make an app in its settings with the redirect "
          + "urn:ietf:wg:oauth:2.0:oob and run \"media login cats.example --client-id ID --client-secret-stdin\", "
          + "or give a token with --token-stdin"
      )
      #expect(error?.exitCode == .unavailable)
    }
  }

  @Test func `no such server at all`() async throws {
    let error = try await fault("/api/v1/apps", "/api/v1/instance") { _ in InMemoryAuthServer.page(404) }
    #expect(
      error?.description
        == "cats.example does not answer as Mastodon, Pixelfed and their kin do: "
        + "check the address, or name another kind of server with --source"
    )
    #expect(error?.exitCode == .unavailable)
  }

  @Test func `a server that has moved`() async throws {
    let error = try await fault("/api/v1/apps") { _ in
      Response(status: 301, headers: ["Location": "https://www.cats.example/api/v1/apps"])
    }
    #expect(
      error?.description == "cats.example sends logins to www.cats.example: run \"media login www.cats.example\""
    )
    #expect(error?.exitCode == .unavailable)
  }

  @Test(
    arguments: [
      (TransportError.unknownHost("cats.example"), "cannot resolve host \"cats.example\""),
      (.unreachable(host: "cats.example", reason: "connection refused"), "connection refused"),
      (.timedOut(host: "cats.example"), "it does not answer in time"),
    ])
  func `a server that cannot be reached`(fault: TransportError, reason: String) async throws {
    let error = try await self.fault("/.well-known/oauth-authorization-server") { _ throws(TransportError) in
      throw fault
    }
    #expect(error?.description == "cats.example cannot be reached (\(reason)): check the address and the network")
    #expect(error?.exitCode == .unavailable)
  }

  @Test func `a certificate that is not trusted names the flag, and one that expired does not`() async throws {
    let cures = [
      "self-signed certificate": "if you trust it, name the PEM file of its authority with --ca-file",
      "certificate has expired": "tell its owner, or check this machine's clock",
    ]
    for (reason, cure) in cures {
      let error = try await fault("/.well-known/oauth-authorization-server") { _ throws(TransportError) in
        throw .untrusted(host: "cats.example", reason: reason)
      }
      #expect(
        error?.description == "cats.example cannot be reached (its certificate is not trusted: \(reason)): \(cure)")
      #expect(error?.exitCode == .unavailable)
    }
  }

  @Test func `a protection before the server refuses no token, and no code`() async throws {
    let page = Response(status: 403, body: Array("<html>Checking your browser</html>".utf8))
    for path in ["/oauth/token", "/api/v1/apps", "/api/v1/accounts/verify_credentials"] {
      let error = try await fault(path) { _ in page }
      #expect(error?.summary == "cats.example's protection refused this program", "\(path)")
    }
    let plain = try await fault("/api/v1/accounts/verify_credentials") { _ in
      Response(status: 403, body: Array("<html>no</html>".utf8))
    }
    #expect(plain?.summary == "cats.example's protection refused this program")
  }

  @Test func `a pause, and a stop`() async throws {
    let pause = try await fault("/oauth/token") { _ in InMemoryAuthServer.page(429) }
    #expect(pause?.description == "cats.example takes no more requests for now: try again later")
    #expect(pause?.exitCode == .tryLater)
    let (asked, until) = (Date(timeIntervalSince1970: 1_700_000_000), Date(timeIntervalSince1970: 1_700_000_600))
    let limit = try await fault("/oauth/token") { _ throws(TransportError) in
      throw .rateLimited(host: "cats.example", until: until, asked: asked)
    }
    let time = until.clockText(seenFrom: asked)
    #expect(limit?.description == "cats.example takes no more requests until \(time): try again then")
    let stop = try await fault("/oauth/token") { _ throws(TransportError) in throw .cancelled }
    #expect(stop?.description == "the login was stopped")
    #expect(stop?.exitCode == .interrupted)
  }

  @Test func `the pasted text is not a code`() async throws {
    let pasted = { (text: String) in try await self.fault(pasted: text) { _ in InMemoryAuthServer.page(500) } }
    let empty = try await pasted(" \n")
    #expect(
      empty?.description
        == "no code was given: run \"media login cats.example\" and paste the code its page shows"
    )
    #expect(empty?.exitCode == .usage)
    let address = try await pasted("https://cats.example/")
    #expect(
      address?.description
        == "what was pasted is not a code: run \"media login cats.example\" and paste the code its page shows"
    )
    let denied = try await pasted("https://cats.example/?error=access_denied")
    #expect(
      denied?.description == "access was denied on the page of cats.example: run \"media login cats.example\" again"
    )
    #expect(denied?.exitCode == .needsLogin)
    let other = try await pasted("code&state=forged")
    #expect(
      other?.description
        == "what was pasted belongs to another login at cats.example: run \"media login cats.example\" again"
    )
    #expect(other?.exitCode == .needsLogin)
  }

  @Test func `the rest`() {
    let server = Server("cats.example")!
    #expect(
      LoginError.nothingBegun(server).description
        == "no login at cats.example waits for a code: run \"media login cats.example\" first"
    )
    #expect(
      LoginError.nothingBegun(nil).description == "no login waits for a code: run \"media login SERVER\" first"
    )
    #expect(
      LoginError.appRefused(server).description
        == "cats.example does not accept the keys of this app: check the key, the secret and the redirect "
        + "urn:ietf:wg:oauth:2.0:oob in the app's settings at cats.example"
    )
    #expect(
      LoginError.redirectRefused(server, redirect: "https://me.example/done").description
        == "cats.example does not accept the keys of this app, or its redirect: check the key, the secret and the "
        + "redirect https://me.example/done in the app's settings, and run \"media login cats.example\" with "
        + "the keys and --redirect-uri where it is another"
    )
    #expect(
      LoginError.noProfessionalAccount(server).description
        == "no professional account of cats.example belongs to this login: make it a business or creator account, link "
        + "it to a page, allow both on the login's page, and log in again"
    )
    #expect(
      LoginError.needsKeys(server, .x, logsAppsIn: true).description
        == "cats.example lets people in with keys of their own alone: make an app in its settings and run \"media login "
        + "cats.example --source x --app-only --client-id ID --client-secret-stdin\" (without --app-only as yourself), "
        + "or give a token with --token-stdin"
    )
    #expect(
      LoginError.needsPassword(server).description
        == "cats.example lets people in by name and password: run \"media login cats.example\"")
    #expect(
      LoginError.passwordRefused(server).description
        == "cats.example refused the name or the password: run \"media login cats.example\" again")
    #expect(
      LoginError.codeWanted(server).description
        == "cats.example wants a code beside the password: run \"media login cats.example\"")
    #expect(
      LoginError.livesElsewhere(server, .bluesky, at: Server("dogs.example")!).description
        == "dogs.example has this account, and cats.example does not: run \"media login dogs.example --source bluesky\""
    )
    #expect(
      LoginError.notAToken(server).description == "what was given is not a token: give the token alone, on one line")
  }

  @Test func `no secret shows itself`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    let account = try await desk.finished(page, desk.authServer.code(on: page.url))
    var dumped = ""
    dump(account, to: &dumped)
    dump(page, to: &dumped)
    dumped += "\(account) \(page)"
    #expect(!dumped.contains(account.token.reveal()))
    #expect(!dumped.contains(account.clientSecret!.reveal()))
    #expect(!dumped.contains(page.login.verifier!.reveal()))
  }
}
