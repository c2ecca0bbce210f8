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
    if let error = complaint.error(from: server, hasToken: token != nil, what: what, time: time) { throw error }
    return response.body
  }

  /// The places of a page, each read by itself. Many can take a while, so that a stopped pull is looked for between.
  func items(
    _ places: [Range<Int>], in body: [UInt8], _ read: (Data, [UInt8]) -> PageItem?
  ) throws(SourceError) -> [PageItem] {
    var items: [PageItem] = []
    for place in places {
      if Task.isCancelled { throw .cancelled }
      let raw = Array(body[place])
      let item = raw.count <= Bounds.post ? read(Data(raw), raw) : nil
      let why = raw.count <= Bounds.post ? "it is no post" : "it is longer than \(Bounds.post) bytes"
      items.append(item ?? PageItem(id: nil, content: .unreadable(reason: why), raw: raw))
    }
    return items
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
