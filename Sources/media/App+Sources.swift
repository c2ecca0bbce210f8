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
    let name = SourceName(rawValue: text.lowercased())
    guard Catalogue.entry(name) != nil else {
      let known = Catalogue.entries.map(\.name.rawValue)
      throw UsageError("\"\(text)\" is no source", cure: "choose \(Words.list(known, by: "or"))")
    }
    return name
  }

  /// Parses a typed address; the name of a source with a server of its own, such as `x`, is that server.
  func place(_ text: String) throws -> FeedAddressText {
    let named = SourceName(rawValue: text.lowercased())
    if let home = Catalogue.entry(named)?.home { return FeedAddressText(source: named, server: home.server) }
    let halves = text.split(separator: "+", maxSplits: 1).map(String.init)
    if halves.count == 2, let source = Self.source(before: halves[0]) {
      let server = try server(halves[1])
      return FeedAddressText(source: source, server: Catalogue.entry(owning: server)?.home?.server ?? server)
    }
    let server = try server(text)
    let owner = Catalogue.entry(owning: server)
    return FeedAddressText(source: owner?.name, server: owner?.home?.server ?? server)
  }

  /// The source named before a server's `+`; nil if nothing has the name.
  private static func source(before text: String) -> SourceName? {
    let name = SourceName(rawValue: text.lowercased())
    return name == .manual || Catalogue.entry(name) != nil ? name : nil
  }

  /// The server of a feed: the named one, else the logins', else that of the usual source.
  func origin(
    of kind: Feed.Kind, _ place: FeedAddressText?, _ options: PullOptions, cure: String = App.serverCure
  ) throws -> (SourceName, Server) {
    let named = try options.source.map(sourceName) ?? place?.source
    if let named, Catalogue.entry(named)?.isOfAddresses == true {
      throw UsageError(
        "a \(named.rawValue) has no \(kind.rawValue)s", cure: "\"media feed URL\" pulls the feed at an address")
    }
    let account = place == nil ? try options.account.map { try accounts.choose($0) } : nil
    let (source, server) =
      if let account {
        (named ?? account.source, account.server)
      } else {
        try sourceAndServer(of: named, place, cure: cure)
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

  /// Completes a source without a server, or a server without a source.
  func sourceAndServer(of named: SourceName?, _ place: FeedAddressText?, cure: String) throws -> (SourceName, Server) {
    let named = named ?? place?.source
    let server = try place?.server ?? server(of: named, cure: cure)
    return (try named ?? usualSource(at: server), server)
  }

  private func server(of source: SourceName?, cure: String) throws -> Server {
    if let home = source.flatMap(Catalogue.entry)?.home {
      let isElsewhere = try home.yieldsToLogins && accounts.all().contains { $0.source == source }
      if !isElsewhere { return home.server }
    }
    return try onlyServer(of: source, cure: cure)
  }

  /// The source of the logins at a server; the usual one if there are none or of several sources.
  private func usualSource(at server: Server) throws -> SourceName {
    let sources = Set(try accounts.all().filter { $0.server == server }.map(\.source))
    return sources.count == 1 ? sources.first ?? .usual : .usual
  }
}
