import Foundation
import MediaHarvest
import Testing

@testable import ScriptedOrigin

@Suite(.timeLimit(.minutes(10))) struct LoginsTests {
  private static var closed: Script {
    var script = Script.plain(20)
    script.requiresToken = true
    return script
  }

  private func mode(_ path: String) throws -> Int {
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    return try #require(mode)
  }

  @Test func `a login by pasted code opens a closed feed`() async throws {
    try await withOrigin(Self.closed) { origin in
      let home = try Home()
      let logins = home.session.logins
      #expect(try logins.all().isEmpty)
      #expect(try await home.session.pull(origin.cats).failure != nil)
      let started = try await logins.start(at: origin.server)
      #expect(started.address.hasPrefix("\(origin.url)/oauth/authorize?") && !started.expectsAddress)
      let code = try origin.approve(started.address)
      guard case .loggedIn(let login) = try await logins.finish(started, pasted: "  \(code)\n") else {
        Issue.record("the page is to be opened again")
        return
      }
      #expect(login.handle.hasPrefix("ada@") && login.server == origin.server)
      #expect(try logins.all() == [login])
      let report = try await home.session.pull(origin.cats)
      #expect(report.failure == nil && report.summary.posts.new == 20)
    }
  }

  @Test func `an updater whose login was refused goes on when there is one`() async throws {
    try await withOrigin(Self.closed) { origin in
      let home = try Home()
      let updater = home.session.updater(of: origin.cats)
      let refused = await updater.refresh()
      #expect(refused.report.failure != nil)
      #expect(try #require(refused.nextRefresh) > home.clock.now + 3600)
      let started = try await home.session.logins.start(at: origin.server)
      _ = try await home.session.logins.finish(started, pasted: try origin.approve(started.address))
      #expect(try #require(try await updater.nextRefresh) <= home.clock.now)
      #expect(await updater.refresh().report.summary.posts.new == 20)
    }
  }

  @Test func `nobody else may read a token, and no value of the interface holds one`() async throws {
    try await withOrigin(Self.closed) { origin in
      let home = try Home()
      let known = origin.tokens
      let started = try await home.session.logins.start(at: origin.server)
      let finished = try await home.session.logins.finish(started, pasted: try origin.approve(started.address))
      let token = try #require(origin.tokens.subtracting(known).first)
      var shown = ""
      dump(started, to: &shown)
      dump(finished, to: &shown)
      dump(try home.session.logins.all(), to: &shown)
      dump(home.session, to: &shown)
      #expect(!shown.contains(token))
      #expect(try String(contentsOfFile: "\(home.configuration)/accounts.json", encoding: .utf8).contains(token))
      #expect(try mode("\(home.configuration)/accounts.json") == 0o600)
      #expect(try mode(home.configuration) == 0o700)
    }
  }

  @Test func `a wrong code is refused, and the login can be finished with the right one`() async throws {
    try await withOrigin(Self.closed) { origin in
      let home = try Home()
      let started = try await home.session.logins.start(at: origin.server)
      await #expect(throws: (any Error).self) { try await home.session.logins.finish(started, pasted: "wrong") }
      #expect(try home.session.logins.all().isEmpty)
      // As a program that was started anew in between.
      let resumed = try home.session.logins.resume()
      #expect(resumed.address == started.address)
      _ = try await home.session.logins.finish(resumed, pasted: try origin.approve(resumed.address))
      #expect(try home.session.logins.all().count == 1)
    }
  }

  @Test func `a logout revokes the token and forgets the login`() async throws {
    try await withOrigin(Self.closed) { origin in
      let home = try Home()
      let known = origin.tokens
      let started = try await home.session.logins.start(at: origin.server)
      _ = try await home.session.logins.finish(started, pasted: try origin.approve(started.address))
      let login = try #require(try home.session.logins.all().first)
      #expect(try await home.session.logins.logOut(login))
      #expect(origin.tokens == known)
      #expect(try home.session.logins.all().isEmpty)
      #expect(try await home.session.logins.logOut(login) == false)
    }
  }
}
