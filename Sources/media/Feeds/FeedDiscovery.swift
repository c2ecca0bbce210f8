import Login
import Posts
import Services
import Storage
import Terminal

/// Asks the server of an unknown feed where its accounts live and what it runs, once it did not answer as servers of the
/// feed's source do.
struct FeedDiscovery: Sendable {
  let logins: AccountChooser
  let transports: TransportFactory

  /// The same feed where it can be pulled: at the server that speaks for the accounts of its own, or by the source that
  /// speaks with the server's software.
  ///
  /// - Parameters:
  ///   - failure: How the feed's server failed.
  ///   - say: Shows a message.
  /// - Returns: Nil if the server does not say another, or is not asked.
  /// - Throws: `SourceError.otherSoftware` if it runs what no source speaks with.
  func feed(
    insteadOf feed: Feed, after failure: any Error, in store: Store,
    say: @escaping @Sendable (SafeText) -> Void
  ) async throws -> Feed? {
    guard let entry = Catalogue.entry(feed.source), entry.isDiscovered, let failure = failure as? SourceError,
      failure.isOfWrongServer(for: feed.kind), try !store.isKnown(feed),
      try logins.account(for: feed, named: nil) == nil
    else { return nil }
    let discovery = ServerDiscovery(transport: transports.transport(onWait: say))
    switch await discovery.find(feed) {
    case .elsewhere(let server):
      say("media: \(feed.server) leaves its accounts to \(server)")
      return Feed(source: feed.source, kind: feed.kind, value: feed.value, server: server)
    case .software(let name) where !entry.isSpoken(by: name):
      guard let other = Catalogue.entry(speakingAs: name), other.usual.kinds.contains(feed.kind) else {
        throw SourceError.otherSoftware(feed.server, name: name)
      }
      say("media: \(feed.server) runs \(name)")
      return Feed(source: other.name, kind: feed.kind, value: feed.value, server: feed.server)
    case .software, nil: return nil
    }
  }

  /// The source that speaks with a server's software, once a login failed as at a server of another one; nil if none does.
  func source(of server: Server, after failure: LoginError) async -> SourceName? {
    switch failure {
    case .notThisAPI, .noRegistration, .unreadable: break
    default: return nil
    }
    let discovery = ServerDiscovery(transport: transports.transport { _ in })
    return await discovery.software(of: server).flatMap(Catalogue.entry(speakingAs:))?.name
  }
}

extension SourceError {
  /// Whether a server answered, and not as servers of its source do: another may speak for its accounts.
  fileprivate func isOfWrongServer(for kind: Feed.Kind) -> Bool {
    switch self {
    case .notFound, .gone, .unreadable: true
    // Servers of other sources let everybody search.
    case .needsLogin: kind == .search
    default: false
    }
  }
}
