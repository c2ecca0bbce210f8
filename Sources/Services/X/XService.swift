import HTTP
import Posts
import Synchronization

/// A server that speaks an API of X: sends requests, and makes an error of what does not succeed. Callers read the bodies.
struct XService: Sendable {
  let server: Server
  let token: Secret?
  let transport: Transport
  let time: TimeSource
  /// Set once the server answered 404 or 410 with an error that does not have X's form: it may not have the path.
  let lacksPath = Flag()

  /// The body of a successful answer. `what` is text for people.
  func answer(
    to path: String, _ query: [(String, String)], _ what: String
  ) async throws(SourceError) -> [UInt8] {
    let (response, error) = try await reply(to: path, query, what)
    if let error { throw error }
    return response.body
  }

  /// The answer, and the error in it or beside its posts, for requests of several posts of which some may be missing.
  ///
  /// - Throws: Errors of the transfer only. An error in the answer is returned.
  func reply(
    to path: String, _ query: [(String, String)], _ what: String
  ) async throws(SourceError) -> (response: Response, error: SourceError?) {
    let request = Request(
      .get, Request.address(server.xAPI + path, query), headers: ["Accept": "application/json"], token: token,
      limit: Bounds.page)
    let response = try await transport.answer(to: request, from: server)
    let apiError = XAPIError(response, hiding: token)
    if [404, 410].contains(response.status), !apiError.isOfX { lacksPath.set() }
    return (response, apiError.error(from: server, hasToken: token != nil, what: what, time: time))
  }
}

/// A shared flag that is set once.
final class Flag: Sendable {
  private let value = Atomic(false)

  /// Whether it is set.
  var isSet: Bool { value.load(ordering: .relaxed) }

  /// Sets it.
  func set() { value.store(true, ordering: .relaxed) }
}
