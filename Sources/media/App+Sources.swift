import Login
import Posts
import Services
import Terminal

extension App {
  /// Where a feed lies as a person types it behind an `@`: a server, with its source before it where that must be told
  /// (`instagram+http://127.0.0.1:8080`).
  struct Place {
    var source: SourceName?
    var server: Server
  }

  /// The source of a name.
  func sourceName(_ text: String) throws -> SourceName {
    guard let name = SourceName(rawValue: text.lowercased()), Catalogue.entry(name) != nil else {
      let known = Catalogue.entries.map(\.name.rawValue)
      throw UsageError("\"\(Harmless.text(text))\" is no source", cure: "choose \(Words.list(known))")
    }
    return name
  }

  /// A place from what a person typed; `x` is X.
  func place(_ text: String) throws -> Place {
    if text.lowercased() == SourceName.x.rawValue, let x = Server.x { return Place(source: .x, server: x) }
    let halves = text.split(separator: "+", maxSplits: 1).map(String.init)
    if halves.count == 2, let source = SourceName(rawValue: halves[0].lowercased()) {
      return Place(source: source, server: try server(halves[1]))
    }
    let server = try server(text)
    if server.isX, let x = Server.x { return Place(source: .x, server: x) }
    return Place(source: nil, server: server)
  }

  /// Whom to ask for a feed: what was named, else what the logins tell, else mastodon.
  func origin(of kind: Feed.Kind, _ place: Place?, _ options: PullOptions) throws -> (SourceName, Server) {
    let named = try options.source.map(sourceName) ?? place?.source
    guard named != .feed else {
      throw UsageError("a feed has no \(kind.rawValue)s", cure: "\"media feed URL\" pulls the feed at an address")
    }
    let account = place == nil ? try options.account.map { try accounts.choose($0) } : nil
    let (source, server) =
      if let account {
        (named ?? account.source, account.server)
      } else {
        try door(of: named, place, cure: "add --server mastodon.social, or another")
      }
    guard Catalogue.entry(source)?.kinds.contains(kind) == true else {
      throw UsageError("\(source.rawValue) has no \(kind.rawValue) to pull", cure: "pull a tag or a user there")
    }
    if let api = options.api, Catalogue.entry(source)?.others[api] == nil {
      throw UsageError("\(source.rawValue) has no API \(Harmless.text(api))", cure: "leave --api out")
    }
    return (source, server)
  }

  /// The server of a source, and the source of a server, where one of them is not named.
  func door(of named: SourceName?, _ place: Place?, cure: String) throws -> (SourceName, Server) {
    let named = named ?? place?.source
    let server = try place?.server ?? server(of: named, cure: cure)
    let source = try named ?? usualSource(at: server)
    if source == .instagram, Self.isInstagram(server) { throw Self.graph }
    return (source, server)
  }

  private func server(of source: SourceName?, cure: String) throws -> Server {
    switch source {
    case .instagram:
      guard let server = try? onlyServer(of: source) else { throw Self.graph }
      return server
    case .x:
      if let x = Server.x { return x }
      fallthrough
    default: return try onlyServer(of: source, cure: cure)
    }
  }

  private static let graph = UsageError(
    "Instagram's own API, the Graph API, is not spoken yet",
    cure: "name a server that speaks the one before it: --source instagram --server URL")

  /// The source of the logins at a server, mastodon where there are none or of several.
  private func usualSource(at server: Server) throws -> SourceName {
    if Self.isInstagram(server) { return .instagram }
    let sources = Set(try accounts.all().filter { $0.server == server }.map(\.source))
    return sources.count == 1 ? sources.first ?? .mastodon : .mastodon
  }

  private static func isInstagram(_ server: Server) -> Bool {
    server.host == "instagram.com" || server.host.hasSuffix(".instagram.com")
  }
}
