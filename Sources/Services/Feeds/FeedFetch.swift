import Foundation
import HTTP
import Posts

/// Asks for a document, follows it where it lies, and remembers what the next visit needs.
///
/// Redirects are followed here and not by the transport, for what has moved for good is told from what has not by the
/// status of each hop.
struct FeedFetch {
  /// What came of a visit.
  struct Answer {
    /// The last answer.
    var response: Response
    /// Where it came from.
    var place: String
    /// Where the document has moved for good, if it has.
    var moved: String?
  }

  let server: Server
  let transport: Transport

  private static let mostHops = 5
  private static let accepted =
    "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, application/json;q=0.8, "
    + "text/xml;q=0.8, */*;q=0.5"

  /// The document at `address`; where `visit` has read the same place, only if it changed since (status 304 else).
  func get(_ address: String, since visit: Visit?) async throws(SourceError) -> Answer {
    var place = address
    var moved: String?
    var isForGood = true
    // Once another host has chosen where to go, no login is sent, wherever that is.
    var isOwnPlace = true
    for _ in 0...Self.mostHops {
      isOwnPlace = isOwnPlace && server.owns(place)
      let response = try await send(place, since: visit?.isOf(place) == true ? visit : nil, isOwnPlace: isOwnPlace)
      guard [301, 302, 303, 307, 308].contains(response.status), let target = response.headers["Location"] else {
        return Answer(response: response, place: place, moved: moved)
      }
      guard let next = FeedAddress.resolve(target, against: place), next.hasPrefix("https:") || place.hasPrefix("http:")
      else { throw .unreadable(server, reason: "it leads to another server") }
      isForGood = isForGood && [301, 308].contains(response.status)
      if isForGood { moved = next }
      place = next
    }
    throw .unreadable(server, reason: "it leads round in circles")
  }

  private func send(_ place: String, since visit: Visit?, isOwnPlace: Bool) async throws(SourceError) -> Response {
    var headers: Headers = ["Accept": Self.accepted]
    headers["If-None-Match"] = visit?.entityTag
    headers["If-Modified-Since"] = visit?.lastModified
    var request = Request(
      .get, place, headers: headers, limit: Bounds.document, redirects: .nowhere(isOwnPlace: isOwnPlace))
    request.toldBy = isOwnPlace ? nil : server.origin
    do {
      return try await transport.send(request)
    } catch {
      throw SourceError(error, from: server)
    }
  }
}

extension Visit {
  /// The longest validator that is kept: they are sent back with each request.
  private static let longest = 1024

  /// What a visit of `address` leaves that ended with this answer, after an `earlier` one.
  ///
  /// A document that says twice in a row that it has moved for good is asked for at its new place from then on.
  init(_ answer: FeedFetch.Answer, of address: String, earlier: Visit?, title: String?) {
    let headers = answer.response.headers
    let isSame = answer.response.status == 304
    let hasMoved = answer.moved != nil && answer.moved == earlier?.moving
    self.init(
      address: hasMoved ? answer.moved ?? address : address,
      place: answer.place == answer.moved ?? address ? answer.place : FeedAddress.remembered(answer.place),
      entityTag: Self.kept(headers["ETag"]) ?? (isSame ? earlier?.entityTag : nil),
      lastModified: Self.kept(headers["Last-Modified"]) ?? (isSame ? earlier?.lastModified : nil),
      moving: hasMoved ? nil : answer.moved, title: title ?? earlier?.title)
  }

  /// Whether the visit ended at this place.
  func isOf(_ place: String) -> Bool { self.place == place || self.place == FeedAddress.remembered(place) }

  private static func kept(_ value: String?) -> String? {
    value.flatMap { !$0.isEmpty && $0.utf8.count <= longest ? $0 : nil }
  }
}
