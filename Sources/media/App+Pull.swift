import Foundation
import HTTP
import Harvest
import Login
import Posts
import Services
import Storage
import Terminal

extension App {
  /// The login to use at a feed's server, with a token that remains valid for a while. Returns nil if there is no login and
  /// none was requested.
  func login(for feed: Feed, named name: String?) async throws -> Account? {
    guard let account = try account(for: feed, named: name) else { return nil }
    return try await loginFlow().fresh(account)
  }

  /// The login to use where none can be named: in the list, and under cron, which must not stop because of a second login.
  func login(for feed: Feed) async throws -> Account? {
    guard let account = try accounts.firstAccount(at: feed.server, source: feed.source) else { return nil }
    return try await loginFlow().fresh(account)
  }

  /// The API by which to pull a feed: the requested one, the remembered one, the login's, or the default.
  func api(of feed: Feed, _ account: Account?, asked: String? = nil, in store: Store) throws -> SourceAPI {
    try Catalogue.expect(feed.source)
    let name = try asked ?? store.api(of: feed) ?? account?.api
    guard let api = Catalogue.entry(feed.source)?.api(name, at: feed.server) else {
      throw UsageError("\(feed.source.rawValue) cannot be pulled\(name.map { " by \($0)" } ?? "")", cure: nil)
    }
    return api
  }

  /// The pull of a feed with a login, by the default API or another, which is remembered if requested. A budget limits its
  /// cost.
  func pull(
    of feed: Feed, as account: Account?, api: String? = nil, budget: Price? = nil, rank: RateRank = .interactive,
    into store: Store, metered meter: TrafficMeter? = nil, onWait: @escaping @Sendable (SafeText) -> Void
  ) throws -> FeedPull {
    let spoken = try self.api(of: feed, account, asked: api, in: store)
    let rates = RateGate(store: store, rank: rank, time: time, dialect: spoken.rates)
    let (transport, requests) = pullTransport(
      as: account, rates: rates, dialect: spoken.rates, metered: meter, onWait: onWait)
    let hashtags = spoken.bounds.hashtags.map { StoredHashtags(store, $0, time: time, say: onWait) }
    let caller = Caller(token: account?.token, user: account?.remoteID, hashtags: hashtags)
    let pictures = pictureFetcher(transport, into: store)
    let source = spoken.make(feed.server, caller, transport, time)
    return FeedPull(
      source: try budgeted(source, of: feed, prices: spoken.prices, budget), store: store, pictures: pictures,
      time: time,
      locks: feedLocks, rates: rates,
      prepare: { if let api { try use(api, for: feed, as: account, in: store, onWait) } }, requests: requests)
  }

  /// A source for previews, and the gate that keeps the server's limits. None for services that charge for each post.
  func lookingSource(
    of feed: Feed, as account: Account?, in store: Store
  ) throws -> (source: any Source, rates: RateGate) {
    let api = try self.api(of: feed, account, in: store)
    guard api.prices == nil else {
      throw UsageError("\(feed.server) charges for each post", cure: "Enter shows the list and pulls it")
    }
    let rates = RateGate(store: store, rank: .interactive, time: time, dialect: api.rates)
    let transport = pullTransport(as: account, rates: rates, dialect: api.rates) { _ in }.transport
    let hashtags = api.bounds.hashtags.map { StoredHashtags(store, $0, time: time) { _ in } }
    let caller = Caller(token: account?.token, user: account?.remoteID, hashtags: hashtags)
    return (api.make(feed.server, caller, transport, time), rates)
  }

  /// A feed's source, which keeps to a budget if there is one.
  func budgeted(_ source: any Source, of feed: Feed, prices: Prices?, _ budget: Price?) throws -> any Source {
    guard let budget else { return source }
    guard let prices else {
      throw UsageError("\(feed.source.rawValue) charges nothing that is known", cure: "leave --budget out")
    }
    return BudgetedSource(source, at: feed.server, prices: prices, budget: budget)
  }

  /// Remembers the API of a feed. This API cannot continue what another one left unfinished.
  private func use(
    _ api: String, for feed: Feed, as account: Account?, in store: Store, _ say: (SafeText) -> Void
  ) throws {
    let before = try store.api(of: feed) ?? account?.api
    let entry = Catalogue.entry(feed.source)
    let isOther = entry?.name(of: api, at: feed.server) != entry?.name(of: before, at: feed.server)
    guard try store.note(api: api, other: isOther, of: feed) else { return }
    say("\(feed.spoken): what another API left unfinished begins anew at the top, what it has read stays")
  }

  /// Fetches the pictures of posts of a library.
  func pictureFetcher(_ transport: Transport, into store: Store) -> PictureFetcher {
    PictureFetcher(transport: transport, blobs: blobs, store: store, time: time)
  }

  /// Pulls only pictures.
  func picturePull(
    into store: Store, rank: RateRank = .interactive, metered meter: TrafficMeter? = nil,
    onWait: @escaping @Sendable (SafeText) -> Void
  ) -> PicturePull {
    let rates = RateGate(store: store, rank: rank, time: time)
    let (transport, _) = pullTransport(rates: rates, metered: meter, onWait: onWait)
    return PicturePull(
      store: store, pictures: pictureFetcher(transport, into: store), lock: pictureLock,
      time: time, rates: rates)
  }

  /// Evicts avatars beyond the cache limit, unless another process is storing pictures; that one evicts them.
  func trimCache(of store: Store) throws {
    let size = try store.cacheSize()
    guard size > 0 else { return }
    let limit = Int(try settings(in: store).cache.bytes)
    guard size > limit, let lock = try? pictureLock.acquireExclusive() else { return }
    defer { withExtendedLifetime(lock) {} }
    _ = try store.trimCache(to: limit, in: blobs)
  }

  /// Parses what a user types in the list: a tag (`cats`, `#cats`, `cats@mastodon.social`), a user (`@birds`,
  /// `@birds@photos.example`), search terms, or a feed's name or address. The server is the named one, else that of the
  /// tag's feeds, else that of the shown list, else the only one.
  func feeds(of text: String, near: [Feed], among known: [Feed]) throws -> [Feed] {
    if let feed = known.first(where: { $0.name == text }) { return [feed] }
    if text.contains("://"), !text.contains(where: \.isWhitespace), !text.contains("@") {
      return [try feed(addressed: text)]
    }
    let (kind, value) = wish(text)
    if kind == .tag, !value.dropFirst().contains("@") {
      let name = Feed.tagName(value)
      let feeds = known.filter { $0.kind == .tag && $0.value == name }
      if !feeds.isEmpty { return feeds }
    }
    return [try feed(kind, value, near: near + known)]
  }

  /// The requested kind and its value.
  private func wish(_ text: String) -> (Feed.Kind, String) {
    if let named = Self.kind(of: text) { return named }
    if text.hasPrefix("@") { return (.user, String(text.dropFirst())) }
    return (text.contains(where: \.isWhitespace) ? .search : .tag, text)
  }

  private func feed(_ kind: Feed.Kind, _ text: String, near: [Feed]) throws -> Feed {
    var (value, place) = (text, FeedAddressText?.none)
    if let at = text.lastIndex(of: "@"), at > text.startIndex, kind != .search || mayBeServer(text[at...].dropFirst()) {
      (value, place) = (String(text[..<at]), try self.place(String(text[text.index(after: at)...])))
    } else if let near = near.first(where: { $0.source.has(kind, at: $0.server) }) {
      place = FeedAddressText(source: near.source, server: near.server)
    }
    let (source, server) = try sourceAndServer(of: nil, place, cure: "write it behind: cats@mastodon.social")
    guard source.has(kind, at: server) else {
      throw UsageError("\(source.rawValue) has no \(kind.rawValue) to pull", cure: nil)
    }
    return try checked(Feed(source: source, kind: kind, value: value, server: server), writtenAs: text)
  }
}

extension SourceName {
  /// Whether the default API of a server can pull a kind of feed.
  func has(_ kind: Feed.Kind, at server: Server) -> Bool {
    Catalogue.entry(self)?.api(nil, at: server)?.kinds.contains(kind) == true
  }
}
