import Login
import Posts
import Services

/// Finds the source and the server of a feed where they are not named in full.
struct ServerResolver: Sendable {
  let accounts: Accounts
  /// The sources by which feeds of a server were pulled.
  var pulled: @Sendable (Server) -> Set<SourceName> = { _ in [] }

  /// How to name a server with flags.
  static let cure = "add --server mastodon.social, or another"

  /// The server of a feed: the named one, else the logins', else that of the usual source.
  func origin(
    of kind: Feed.Kind, _ location: FeedAddressText?, _ options: PullOptions, cure: String
  ) throws -> (SourceName, Server) {
    let named = try options.source.map(SourceName.named) ?? location?.source
    if let named, Catalogue.entry(named)?.isOfAddresses == true {
      throw UsageError(
        "a \(named.rawValue) has no \(kind.rawValue)s", cure: "\"media feed URL\" pulls the feed at an address")
    }
    let account = location == nil ? try options.account.map { try accounts.choose($0) } : nil
    let (source, server) =
      if let account {
        (named ?? account.source, account.server)
      } else {
        try sourceAndServer(of: named, location, cure: cure)
      }
    let name = try options.api ?? (account ?? accounts.all().first { $0.server == server && $0.source == source })?.api
    try Catalogue.expect(source)
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

  /// The feed of a web address by the source of its server, as far as that is known without asking it: the server is a
  /// service's own, there is a login, or a feed of it that is no document. Nil if it is not known.
  func known(_ page: Feed, among feeds: [Feed]) -> Feed? {
    if Catalogue.entry(owning: page.server) != nil { return page }
    let logins = (try? accounts.all().filter { $0.server == page.server }.map(\.source)) ?? []
    let sources = logins + feeds.filter { $0.server == page.server && $0.kind != .url }.map(\.source)
    guard let source = sources.contains(page.source) ? page.source : sources.first else { return nil }
    return Feed(source: source, kind: page.kind, value: page.value, server: page.server)
  }

  /// Completes a source without a server, or a server without a source.
  func sourceAndServer(of named: SourceName?, _ location: FeedAddressText?, cure: String) throws -> (SourceName, Server)
  {
    let named = named ?? location?.source
    let server = try location?.server ?? server(of: named, cure: cure)
    return (try named ?? usualSource(at: server), server)
  }

  private func server(of source: SourceName?, cure: String) throws -> Server {
    if let home = source.flatMap(Catalogue.entry)?.home {
      let isElsewhere = try home.yieldsToLogins && accounts.all().contains { $0.source == source }
      if !isElsewhere { return home.server }
    }
    return try onlyServer(of: source, cure: cure)
  }

  /// The server of the only login, of all or of one source.
  ///
  /// - Parameter cure: Says how to name another.
  private func onlyServer(of source: SourceName?, cure: String) throws -> Server {
    let servers = Set(try accounts.all().filter { source == nil || $0.source == source }.map(\.server))
    guard let server = servers.first, servers.count == 1 else {
      throw UsageError(
        servers.isEmpty ? "no server is named" : "there are logins at \(servers.count) servers",
        cure: cure)
    }
    return server
  }

  /// The source of the logins at a server, else of its feeds; the usual one if there are none or of several sources.
  private func usualSource(at server: Server) throws -> SourceName {
    let logins = Set(try accounts.all().filter { $0.server == server }.map(\.source))
    let sources = logins.isEmpty ? pulled(server) : logins
    return sources.count == 1 ? sources.first ?? .usual : .usual
  }
}
