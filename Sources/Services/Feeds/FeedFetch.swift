import FoundationEssentials
import HTTP
import Posts

/// Requests a document, follows its redirects, and records what the next visit needs.
///
/// This type, not the transport, follows redirects: the status of each hop distinguishes permanent from temporary moves.
struct FeedFetch {
  /// The result of a visit.
  struct Answer {
    /// The last answer.
    var response: Response
    /// The address that sent the answer.
    var address: String
    /// The document's new address if it has moved permanently.
    var moved: String?
  }

  let server: Server
  let transport: Transport

  private static let accepted =
    "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, application/json;q=0.8, "
    + "text/xml;q=0.8, */*;q=0.5"

  /// Fetches the document at `address`. If `visit` read the same address, the server sends it only if it changed since;
  /// otherwise the status is 304.
  func get(_ address: String, since visit: Visit?) async throws(SourceError) -> Answer {
    var location = address
    var moved: String?
    var isForGood = true
    // After a redirect to another host no login is sent, whatever the target is.
    var isUserChosen = true
    var hadLogin = false
    var cookies = CookieJar()
    var visited: Set<String> = []
    while true {
      isUserChosen = isUserChosen && server.owns(location)
      let cookie = cookies.field(for: location)
      guard visited.insert("\(location) \(cookie ?? "")").inserted else { throw refused(.redirectLoop) }
      guard visited.count <= Request.mostRedirects + 1 else { throw refused(.tooManyRedirects) }
      var response = try await send(
        location, since: visit?.isOf(location) == true ? visit : nil, isUserChosen: isUserChosen, cookie: cookie)
      // What a login leads to is for the person, wherever it lies.
      hadLogin = hadLogin || response.hasLogin
      response.hasLogin = hadLogin
      guard [301, 302, 303, 307, 308].contains(response.status), let target = response.headers["Location"] else {
        return Answer(response: response, address: location, moved: moved)
      }
      guard let next = FeedAddress.resolve(target, against: location).map({ Self.secured($0, from: location) }) else {
        throw refused(.redirectInvalid)
      }
      guard next.hasPrefix("https:") || location.hasPrefix("http:") else { throw refused(.redirectDowngraded) }
      cookies.note(response.headers, from: location)
      isForGood = isForGood && [301, 308].contains(response.status)
      if isForGood { moved = next }
      location = next
    }
  }

  private func refused(_ error: TransportError) -> SourceError { SourceError(error, from: server) }

  /// The target of a redirect from an encrypted address, encrypted as well: servers behind a proxy that encrypts for
  /// them write `http://`. An address with a port stays as it is.
  private static func secured(_ target: String, from location: String) -> String {
    guard location.hasPrefix("https:"), target.hasPrefix("http:"), URLComponents(webAddress: target)?.port == nil else {
      return target
    }
    let secured = "https:\(target.dropFirst("http:".count))"
    return secured == location ? target : secured
  }

  private func send(
    _ location: String, since visit: Visit?, isUserChosen: Bool, cookie: String?
  ) async throws(SourceError) -> Response {
    var headers: Headers = ["Accept": Self.accepted]
    headers["Cookie"] = cookie
    headers["If-None-Match"] = visit?.entityTag
    headers["If-Modified-Since"] = visit?.lastModified
    var request = Request(
      .get, location, headers: headers, limit: Bounds.document, redirects: .nowhere(isUserChosen: isUserChosen))
    request.referrer = isUserChosen ? nil : server.origin
    return try await transport.answer(to: request, from: server)
  }
}

extension Visit {
  /// The longest validator that is stored. Validators are sent back with each request.
  private static let longest = 1024

  /// The record of a visit of `address` that ended with this answer, after an `earlier` visit.
  ///
  /// A document that reports a permanent move twice in a row is requested from its new address from then on.
  init(_ answer: FeedFetch.Answer, of address: String, earlier: Visit?, title: String?) {
    let headers = answer.response.headers
    let isSame = answer.response.status == 304
    let hasMoved = answer.moved != nil && answer.moved == earlier?.moving
    self.init(
      address: hasMoved ? answer.moved ?? address : address,
      location: answer.address == answer.moved ?? address ? answer.address : FeedAddress.remembered(answer.address),
      entityTag: Self.bounded(headers["ETag"]) ?? (isSame ? earlier?.entityTag : nil),
      lastModified: Self.bounded(headers["Last-Modified"]) ?? (isSame ? earlier?.lastModified : nil),
      moving: hasMoved ? nil : answer.moved, title: title ?? earlier?.title)
  }

  /// Whether the visit ended at this address.
  func isOf(_ address: String) -> Bool { location == address || location == FeedAddress.remembered(address) }

  private static func bounded(_ value: String?) -> String? {
    value.flatMap { !$0.isEmpty && $0.utf8.count <= longest ? $0 : nil }
  }
}
