import Login
import Posts
import Services
import Terminal

extension App {
  /// The address typed after a feed's `@`: a server, preceded by its source if necessary
  /// (`instagram+http://127.0.0.1:8080`).
  struct FeedAddressText {
    var source: SourceName?
    var server: Server
  }

  /// The source with a name.
  func sourceName(_ text: String) throws -> SourceName {
    guard let name = SourceName(rawValue: text.lowercased()), Catalogue.entry(name) != nil else {
      let known = Catalogue.entries.map(\.name.rawValue)
      throw UsageError("\"\(text)\" is no source", cure: "choose \(Words.list(known, by: "or"))")
    }
    return name
  }

  /// Parses a typed address; `x` is X.
  func place(_ text: String) throws -> FeedAddressText {
    if text.lowercased() == SourceName.x.rawValue, let x = Server.x { return FeedAddressText(source: .x, server: x) }
    if text.lowercased() == SourceName.instagram.rawValue, let instagram = Server.instagram {
      return FeedAddressText(source: .instagram, server: instagram)
    }
    let halves = text.split(separator: "+", maxSplits: 1).map(String.init)
    if halves.count == 2, let source = SourceName(rawValue: halves[0].lowercased()) {
      return FeedAddressText(source: source, server: Self.home(try server(halves[1])))
    }
    let server = Self.home(try server(text))
    if server.isX { return FeedAddressText(source: .x, server: server) }
    if server.isInstagram { return FeedAddressText(source: .instagram, server: server) }
    return FeedAddressText(source: nil, server: server)
  }

  /// The name for everything that a service holds.
  private static func home(_ server: Server) -> Server {
    (server.isX ? Server.x : server.isInstagram ? Server.instagram : nil) ?? server
  }

  /// The server of a feed: the named one, else the logins', else mastodon.
  func origin(
    of kind: Feed.Kind, _ place: FeedAddressText?, _ options: PullOptions, cure: String = App.serverCure
  ) throws -> (SourceName, Server) {
    let named = try options.source.map(sourceName) ?? place?.source
    guard named != .feed else {
      throw UsageError("a feed has no \(kind.rawValue)s", cure: "\"media feed URL\" pulls the feed at an address")
    }
    let account = place == nil ? try options.account.map { try accounts.choose($0) } : nil
    let (source, server) =
      if let account {
        (named ?? account.source, account.server)
      } else {
        try sourceAndServer(of: named, place, cure: cure)
      }
    let name = try options.api ?? (account ?? accounts.all().first { $0.server == server && $0.source == source })?.api
    guard let api = Catalogue.entry(source)?.api(name, at: server) else {
      throw UsageError("\(source.rawValue) has no API \(name ?? "")", cure: "leave --api out")
    }
    guard api.kinds.contains(kind) else {
      let others = [Feed.Kind.tag, .user, .search].filter(api.kinds.contains).map { "a \($0.rawValue)" }
      throw UsageError(
        "\(source.rawValue) has no \(kind.rawValue) to pull", cure: "pull \(others.joined(separator: " or ")) there")
    }
    return (source, server)
  }

  /// Completes a source without a server, or a server without a source.
  func sourceAndServer(of named: SourceName?, _ place: FeedAddressText?, cure: String) throws -> (SourceName, Server) {
    let named = named ?? place?.source
    let server = try place?.server ?? server(of: named, cure: cure)
    return (try named ?? usualSource(at: server), server)
  }

  private func server(of source: SourceName?, cure: String) throws -> Server {
    switch source {
    case .instagram:
      let isAnywhere = try accounts.all().contains { $0.source == .instagram }
      if !isAnywhere, let instagram = Server.instagram { return instagram }
    case .x:
      if let x = Server.x { return x }
    default: break
    }
    return try onlyServer(of: source, cure: cure)
  }

  /// The source of the logins at a server; mastodon if there are none or of several sources.
  private func usualSource(at server: Server) throws -> SourceName {
    let sources = Set(try accounts.all().filter { $0.server == server }.map(\.source))
    return sources.count == 1 ? sources.first ?? .mastodon : .mastodon
  }
}
