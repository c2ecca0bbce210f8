import FoundationEssentials
import Posts
import Services
import Wording

/// The address typed after a feed's `@`: a server, preceded by its source if necessary
/// (`instagram+http://127.0.0.1:8080`).
struct FeedAddressText {
  var source: SourceName?
  var server: Server

  init(source: SourceName, server: Server) { (self.source, self.server) = (source, server) }

  /// Parses a typed address; the name of a source with a server of its own, such as `x`, is that server.
  init(_ text: String) throws {
    let named = SourceName(rawValue: text.lowercased())
    if let home = Catalogue.entry(named)?.home {
      (source, server) = (named, home.server)
      return
    }
    let halves = text.split(separator: "+", maxSplits: 1).map(String.init)
    if halves.count == 2, let source = Self.source(before: halves[0]) {
      let server = try Self.server(halves[1])
      (self.source, self.server) = (source, Catalogue.entry(owning: server)?.home?.server ?? server)
      return
    }
    let server = try Self.server(text)
    let owner = Catalogue.entry(owning: server)
    (source, self.server) = (owner?.name, owner?.home?.server ?? server)
  }

  /// The source named before a server's `+`; nil if nothing has the name.
  private static func source(before text: String) -> SourceName? {
    let name = SourceName(rawValue: text.lowercased())
    return name == .manual || Catalogue.entry(name) != nil ? name : nil
  }

  /// A server from typed text.
  private static func server(_ text: String) throws -> Server {
    guard let server = Server(text) else {
      throw UsageError(
        "\"\(text)\" is not a server", cure: "write a host such as mastodon.social, or a URL")
    }
    let parts = URLComponents(webAddress: text.contains("://") ? text.trimmingWhiteSpace : "https://\(text)")
    guard ["", "/"].contains(parts?.percentEncodedPath), parts?.query == nil, parts?.fragment == nil else {
      throw UsageError(
        "a server is meant, and what is written behind \(server.name) is no part of it", cure: "write \(server.name)")
    }
    return server
  }

  /// Whether text behind an `@` may name a server.
  static func isLikely(_ text: Substring) -> Bool {
    (text.contains(".") || text.contains("://")
      || Catalogue.entry(SourceName(rawValue: String(text)))?.home?.isNamedInSearches == true)
      && !text.contains(where: \.isWhitespace)
  }
}

extension SourceName {
  /// The source with a typed name.
  static func named(_ text: String) throws -> SourceName {
    let name = SourceName(rawValue: text.lowercased())
    guard Catalogue.entry(name) != nil else {
      let known = Catalogue.entries.map(\.name.rawValue)
      throw UsageError("\"\(text)\" is not a source", cure: "choose \(NumberText.list(known, by: "or"))")
    }
    return name
  }

  /// Whether the default API of a server can pull a kind of feed.
  func has(_ kind: Feed.Kind, at server: Server) -> Bool {
    Catalogue.entry(self)?.api(nil, at: server)?.kinds.contains(kind) == true
  }
}
