import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A scripted origin on the loopback address, which records requests and the client's violations.
public final class Origin: Sendable {
  struct State {
    var script: Script
    var requests: [RecordedRequest] = []
    var met: [Int: Int] = [:]
    var critic = Critic()
    var till = Till()
    var oauth: OAuthService
    var graph: GraphService
    var pins: PINService
  }

  /// `http://ADDRESS:PORT`.
  public let url: String
  let state: Mutex<State>

  init(script: Script, url: String) {
    self.url = url
    state = Mutex(
      State(
        script: script,
        oauth: OAuthService(tokens: script.tokens, keys: script.keys, refreshTokens: script.refreshTokens),
        graph: GraphService(keys: script.keys), pins: PINService(keys: script.keys)))
  }

  /// All requests in order.
  public var requests: [RecordedRequest] { state.withLock(\.requests) }

  /// Clears the recorded requests and returns their number: a long series would accumulate them.
  public func forgetRequests() -> Int {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests.count
    }
  }

  /// The requests whose path begins with a prefix.
  public func requests(to path: String) -> [RecordedRequest] { requests.filter { $0.path.hasPrefix(path) } }

  /// The client's violations, a sentence each; empty for a polite client.
  public var critique: [String] { state.withLock(\.critic.apiErrors) }

  /// Number of API requests beyond its budget.
  public var turnedAway: Int { refusals.count }

  /// The API requests beyond its budget: when they came, and from which address.
  public var refusals: [(at: Date, client: String)] { state.withLock(\.till.refusals) }

  /// Number of API requests in each window, by the second in which it began.
  public var windows: [Int: Int] { state.withLock(\.till.windows) }

  /// What is served now.
  public var script: Script { state.withLock(\.script) }

  /// Changes what is served from the next request on: posts and troubles.
  public func change(_ edit: @Sendable (inout Script) -> Void) {
    state.withLock {
      edit(&$0.script)
      $0.met = [:]
    }
  }

  /// The tokens that are accepted now.
  public var tokens: Set<String> { state.withLock(\.oauth.tokens) }

  /// Rejects a token from now on, as when its owner revokes it on the web.
  public func refuse(token: String) { state.withLock { _ = $0.oauth.tokens.remove(token) } }

  /// What a person does with an authorization URL: logs in, consents, and reads the code to paste.
  public func approve(_ authorizationURL: String) throws -> String {
    guard let parts = URLComponents(string: authorizationURL), authorizationURL.hasPrefix("\(url)/oauth/authorize")
    else { throw OAuthService.Refusal(status: 404, error: "not_found") }
    let fields = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    return try state.withLock { try $0.oauth.authorize(Dictionary(fields) { $1 }) }
  }
}

/// A recorded request.
public struct RecordedRequest: Sendable {
  /// The address it came from.
  public let client: String
  /// `GET`, `POST`.
  public let method: String
  /// The path, percent-decoded, without the query.
  public let path: String
  /// The query's fields, decoded, in order.
  public let query: [(name: String, value: String)]
  /// The header fields; names in lower case.
  public let headers: [String: String]
  /// The body as text.
  public let body: String

  /// The first query field of that name.
  public func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The token in its header, its query or its signature.
  public var token: String? {
    headers["authorization"].flatMap { field in
      field.hasPrefix("OAuth ")
        ? PINService.fields(field)["oauth_token"]
        : field.hasPrefix("Bearer ") ? String(field.dropFirst(7)) : nil
    } ?? parameter("access_token")
  }

  /// The fields of the body, a form or a JSON object of strings.
  public var form: [String: String] {
    if body.hasPrefix("{") {
      return (try? JSONDecoder().decode([String: String].self, from: Data(body.utf8))) ?? [:]
    }
    var parts = URLComponents()
    parts.percentEncodedQuery = body.replacing("+", with: "%20")
    return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
  }
}

/// Runs an origin of this script while `body` runs, and returns its result. Port 0 is any free one.
///
/// The server is asked to end, and only then cancelled: a cancelled one drops the connections that it has accepted and not
/// yet served, and NIO ends the process over each.
public func withOrigin<Result: Sendable>(
  _ script: Script, at address: String = "127.0.0.1", port wanted: Int = 0,
  _ body: @Sendable (Origin) async throws -> Result
) async throws -> Result {
  let (ready, port) = AsyncStream.makeStream(of: Int.self)
  let served = Served()
  let silent = Logger(label: "origin") { _ in SwiftLogNoOpLogHandler() }
  let application = Application(
    responder: CallbackResponder { request, context in try await served.respond(to: request, context) },
    configuration: .init(address: .hostname(address, port: wanted)),
    onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
    logger: silent)
  var configuration = ServiceGroupConfiguration(services: [application], logger: silent)
  // Some answers never end.
  configuration.maximumGracefulShutdownDuration = .milliseconds(100)
  let service = ServiceGroup(configuration: configuration)
  async let ended: Void = {
    defer { port.finish() }
    // It throws if it had to be cancelled.
    try? await service.run()
  }()
  guard let number = await ready.first(where: { _ in true }) else { throw CancellationError() }
  let origin = Origin(script: script, url: "http://\(address):\(number)")
  served.open(origin)
  let result: Swift.Result<Result, any Error>
  do { result = .success(try await body(origin)) } catch { result = .failure(error) }
  await service.triggerGracefulShutdown()
  await ended
  return try result.get()
}
