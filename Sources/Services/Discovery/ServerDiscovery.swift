import HTTP
import JSONReading
import Markup
import Posts

/// Finds out where the accounts of a host live, and which software it runs, once it does not answer as its source's
/// servers do.
///
/// Accounts may be named after another host than the one that serves them (https://docs.joinmastodon.org/admin/config/#basic):
/// WebFinger (RFC 7033) and host-meta (RFC 6415) lead from one to the other. NodeInfo names the software
/// (https://nodeinfo.diaspora.software/protocol), and servers of the AT Protocol describe themselves. All answers are untrusted. No login is sent along.
public struct ServerDiscovery: Sendable {
  /// What was found.
  public enum Finding: Equatable, Sendable {
    /// Another server speaks for the host's accounts.
    case elsewhere(Server)
    /// The name of the software that the server runs.
    case software(String)
  }

  private let transport: Transport

  /// Creates a discovery that uses the network.
  public init(transport: Transport) { self.transport = transport }

  /// What is known of a feed's server; nil if it says nothing.
  public func find(_ feed: Feed) async -> Finding? {
    if let other = await api(of: feed), other != feed.server { return .elsewhere(other) }
    return await software(of: feed.server).map(Finding.software)
  }

  // MARK: WebFinger and host-meta

  private func api(of feed: Feed) async -> Server? {
    let account = feed.kind == .user && !feed.value.contains("@") ? "acct:\(feed.value)@\(feed.server.host)" : nil
    let direct = "\(feed.server.origin)/.well-known/webfinger"
    if let account, let found = await server(of: account, at: direct, feed.server) { return found }
    guard let template = await template(of: feed.server), let other = Server(template), other != feed.server else {
      return nil
    }
    guard let account, let mark = template.firstRange(of: "{uri}") else { return feed.kind == .user ? nil : other }
    let resource = Request.percentEncoded(account)
    let address = "\(template[..<mark.lowerBound])\(resource)\(template[mark.upperBound...])"
    return await document(address, named: feed.server).flatMap { Self.server(in: $0) }
  }

  private func server(of account: String, at address: String, _ server: Server) async -> Server? {
    await document(Request.address(address, [("resource", account)]), named: server).flatMap { Self.server(in: $0) }
  }

  /// The server that an account's document (RFC 7033, 4.4) names as that of the account itself, else of its page.
  private static func server(in document: JSONObject) -> Server? {
    let links = document.list("links", most: 50).compactMap(\.object)
    for relation in ["self", "http://webfinger.net/rel/profile-page"] {
      for link in links where link.string("rel") == relation {
        guard let href = link.string("href"), href.hasPrefix("http") else { continue }
        if let server = Server(href) { return server }
      }
    }
    return nil
  }

  /// The address with which a host wants its accounts to be asked for (RFC 6415, 3.1.1).
  private func template(of server: Server) async -> String? {
    guard let body = await answer("\(server.origin)/.well-known/host-meta", named: server, "application/xrd+xml") else {
      return nil
    }
    let links = StartTags.find(["link"], in: body, most: 50)
    let template = links.first { $0["rel"] == "lrdd" && $0["template"] != nil }?["template"]
    return template.flatMap { $0.hasPrefix("http") && $0.utf8.count <= Bounds.address ? $0 : nil }
  }

  // MARK: NodeInfo

  /// The name of the software that a server runs, or of its network if it is one of Bluesky's; nil if it does not say.
  public func software(of server: Server) async -> String? {
    if let name = await nodeSoftware(of: server) { return name }
    // Servers of the AT Protocol have no NodeInfo (https://docs.bsky.app/docs/api/com-atproto-server-describe-server).
    let said = await document("\(server.origin)/xrpc/com.atproto.server.describeServer", named: server)
    return said?.string("did")?.hasPrefix("did:") == true ? SourceDescriptor.bluesky.displayName : nil
  }

  private func nodeSoftware(of server: Server) async -> String? {
    guard let list = await document("\(server.origin)/.well-known/nodeinfo", named: server) else { return nil }
    let links = list.list("links", most: 10).compactMap(\.object)
    let schemas = links.filter { $0.string("rel")?.contains("nodeinfo.diaspora.software/ns/schema/") == true }
    guard let address = schemas.last?.string("href"), address.hasPrefix("http"),
      let name = await document(address, named: server)?.object("software")?.string("name")
    else { return nil }
    return Bounds.word(name, bytes: 40).map {
      Self.names[$0.lowercased()] ?? $0.prefix(1).uppercased() + $0.dropFirst()
    }
  }

  /// Names that are written in another way than with one capital.
  private static let names = [
    "gotosocial": "GoToSocial", "bookwyrm": "BookWyrm", "peertube": "PeerTube", "piefed": "PieFed",
    "writefreely": "WriteFreely", "wordpress": "WordPress",
  ]

  // MARK: Answers

  private func document(_ address: String, named server: Server) async -> JSONObject? {
    await answer(address, named: server, "application/jrd+json, application/json").flatMap { JSONObject($0) }
  }

  /// The body of a good answer, which may come from another server: the host says so itself.
  private func answer(_ address: String, named server: Server, _ type: String) async -> [UInt8]? {
    var request = Request(.get, address, headers: ["Accept": type], limit: 256 << 10, redirects: .anywhere)
    request.referrer = server.origin
    (request.patience, request.time) = (.seconds(10), .seconds(20))
    guard let response = try? await transport.send(request), response.status == 200 else { return nil }
    return response.body
  }
}
