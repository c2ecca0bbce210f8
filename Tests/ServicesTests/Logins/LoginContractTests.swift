import Foundation
import HTTP
import Login
import Posts
import Services
import Testing

/// The contract of every login, whatever its service.
struct LoginContractTests {
  /// One API with logins.
  struct Entry: Sendable, CustomTestStringConvertible {
    let source: SourceName
    let api: String?
    let login: LoginService
    var testDescription: String { "\(source.rawValue) \(api ?? "")" }

    static let all = Catalogue.entries.flatMap { source in
      source.apis.compactMap { name, api in api.login.map { Entry(source: source.name, api: name, login: $0) } }
    }
  }

  private static let server = Server("cats.example")!
  private static let token = "hush-hush-7f3a"

  private func flow(_ folder: String, _ answering: Answering) -> LoginFlow {
    LoginFlow(
      transport: answering.transport, accounts: Accounts(folder: folder), providers: .catalogue,
      time: .fixed(at: "2026-11-21T10:00:00Z"))
  }

  private func error(_ entry: Entry, _ answer: Result<Response, TransportError>) async throws -> LoginError? {
    let folder = NSTemporaryDirectory() + "login-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let flow = flow(folder, Answering(answer))
    let error = await #expect(throws: LoginError.self, "\(answer)") {
      try await flow.adopt(Self.token, at: Self.server, source: entry.source, api: entry.api)
    }
    #expect(try Accounts(folder: folder).all().isEmpty)
    return error
  }

  @Test(arguments: Entry.all)
  func `an answer of another service is reported, and nothing is stored`(entry: Entry) async throws {
    for body in ["<!DOCTYPE html><html></html>", "", #"{"data":"#, "[]", "\u{0}\u{1}"] {
      let error = try await error(entry, .success(Response(status: 200, body: Array(body.utf8))))
      #expect(error?.exitCode == .unreadable, "\(body): \(String(describing: error))")
    }
    #expect(try await error(entry, .success(Response(status: 404)))?.exitCode == .unavailable)
    #expect(try await error(entry, .success(Response(status: 503))) == .serverFailed(Self.server, status: 503))
    #expect(try await error(entry, .failure(.cancelled)) == .cancelled)
    #expect(try await error(entry, .failure(.timedOut(host: "cats.example")))?.exitCode == .unavailable)
  }

  @Test(arguments: Entry.all)
  func `a refused token is reported, and stands in no message`(entry: Entry) async throws {
    let said = #"no access for \#(Self.token)"#
    for status in [400, 401] {
      var codes: Set<ExitCode> = []
      for body in [#"{"error":"\#(said)"}"#, #"{"error":{"code":190,"message":"\#(said)"}}"#] {
        let error = try await error(entry, .success(Response(status: status, body: Array(body.utf8))))
        #expect(error?.description.contains(Self.token) == false)
        if let code = error?.exitCode { codes.insert(code) }
      }
      // An error in the form of another service is not an answer of this one.
      #expect(codes.contains(.needsLogin) && codes.isSubset(of: [.needsLogin, .unreadable]), "\(codes)")
    }
  }

  @Test(arguments: Entry.all)
  func `its servers are those that its messages name`(entry: Entry) async throws {
    let error = try await error(entry, .failure(.redirectRefused(to: "https://cats.example/elsewhere")))
    guard case .notThisAPI(Self.server, let kin)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let source = try #require(Catalogue.entry(entry.source))
    #expect(kin == "servers of \(source.name.rawValue)" || kin.contains(source.displayName))
  }

  @Test(arguments: Catalogue.entries.filter { $0.usual.login == nil })
  func `a source without logins says so`(source: SourceDescriptor) async throws {
    let flow = flow(NSTemporaryDirectory() + "login-\(UUID().uuidString)", Answering(200, []))
    await #expect(throws: LoginError.noLogins(Self.server)) {
      try await flow.begin(Self.server, source: source.name)
    }
  }

  @Test func `a source of a newer version says that this one has none`() async throws {
    let vimeo = SourceName(rawValue: "vimeo")
    let flow = flow(NSTemporaryDirectory() + "login-\(UUID().uuidString)", Answering(200, []))
    await #expect(throws: UnknownSource(vimeo)) { try await flow.begin(Self.server, source: vimeo) }
  }
}
