import Foundation
import HTTP
import Posts
import Synchronization

/// One server that speaks an API of X: asks it, and judges what comes.
struct XHouse: Sendable {
  let server: Server
  let token: Secret?
  let transport: Transport
  let time: Timekeeper
  /// Set once the server has said, in no words of X, that a path is none.
  let lacksPath = Flag()

  /// The body of an answer that holds what was asked for; `what` in people's words.
  func answer(
    to path: String, _ query: [(String, String)], _ what: String
  ) async throws(SourceError) -> [UInt8] {
    let (response, error) = try await reply(to: path, query, what)
    if let error { throw error }
    return response.body
  }

  /// The same with what is wrong beside it, for whoever asks for several things of which some may be missing.
  func reply(
    to path: String, _ query: [(String, String)], _ what: String
  ) async throws(SourceError) -> (response: Response, error: SourceError?) {
    let request = Request(
      .get, Request.address(server.xAPI + path, query), headers: ["Accept": "application/json"], token: token,
      limit: Bounds.page)
    let response: Response
    do {
      response = try await transport.send(request)
    } catch {
      throw SourceError(error, from: server)
    }
    let complaint = XComplaint(response, hiding: token)
    if [404, 410].contains(response.status), !complaint.isOfX { lacksPath.set() }
    return (response, complaint.error(from: server, hasToken: token != nil, what: what, time: time))
  }

  /// What a feed is called in messages.
  static func words(for feed: Feed) -> String { "\(feed.kind.rawValue) \(Bounds.reason(feed.value))" }
}

/// Something that becomes true once, for whoever holds it.
final class Flag: Sendable {
  private let value = Atomic(false)

  /// Whether it did.
  var isSet: Bool { value.load(ordering: .relaxed) }

  /// Makes it true.
  func set() { value.store(true, ordering: .relaxed) }
}
