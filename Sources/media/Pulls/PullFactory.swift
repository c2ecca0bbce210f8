import HTTP
import Harvest
import Login
import Posts
import Services
import Storage
import Terminal

/// Builds pulls of feeds.
struct PullFactory: Sendable {
  let transports: TransportFactory
  let pictures: PictureFactory
  let logins: AccountChooser
  var locks: FeedLocks?
  let time: TimeSource

  /// The pull of a feed with a login, by the default API or another, which is remembered if requested. A budget limits its
  /// cost.
  func pull(
    of feed: Feed, as account: Account?, api: String? = nil, budget: Price? = nil, rank: RateRank = .interactive,
    into store: Store, metered meter: TrafficMeter? = nil,
    onWait: @escaping @Sendable (SafeText) -> Void
  ) throws -> FeedPull {
    let spoken = try SourceAPI.chosen(for: feed, as: account, asked: api, in: store)
    let rates = RateGate(store: store, rank: rank, time: time, dialect: spoken.rates)
    let (transport, requests) = transports.pullTransport(
      as: account, rates: rates, dialect: spoken.rates, metered: meter, onWait: onWait)
    let hashtags = spoken.bounds.hashtags.map { limit in
      LibraryHashtags(store, limit, time: time) { name, number in
        let days = Int(limit.window / .seconds(86_400))
        onWait("#\(name) is number \(number) of the \(limit.most) tags of \(days) days")
      }
    }
    let caller = Caller(of: account, hashtags: hashtags, renew: logins.flow().renewal(of: account))
    return FeedPull(
      source: try spoken.source(of: feed, as: caller, over: transport, time, budget: budget), store: store,
      pictures: pictures.fetcher(transport, into: store), time: time, locks: locks, rates: rates,
      prepare: { if let api { try Self.use(api, for: feed, as: account, in: store, onWait) } }, requests: requests)
  }

  /// A source for previews, and the gate that keeps the server's limits. None for services that charge for each post.
  /// With `isFinding`, a pull begins with the answer.
  func preview(
    of feed: Feed, as account: Account?, in store: Store, isFinding: Bool = false
  ) throws -> (source: any Source, rates: RateGate) {
    let api = try SourceAPI.chosen(for: feed, as: account, in: store)
    guard api.prices == nil else {
      throw UsageError("\(feed.server) charges for each post", cure: "Enter shows the list and pulls it")
    }
    let rates = RateGate(store: store, rank: .interactive, time: time, dialect: api.rates)
    let transport = transports.pullTransport(
      as: account, rates: rates, dialect: api.rates, isFinding: isFinding
    ) { _ in }.transport
    let hashtags = api.bounds.hashtags.map { LibraryHashtags(store, $0, time: time) }
    let caller = Caller(of: account, hashtags: hashtags)
    return (try api.source(of: feed, as: caller, over: transport, time), rates)
  }

  /// Remembers the API of a feed. This API cannot continue what another one left unfinished.
  private static func use(
    _ api: String, for feed: Feed, as account: Account?, in store: Store, _ say: (SafeText) -> Void
  ) throws {
    let before = try store.api(of: feed) ?? account?.api
    let entry = Catalogue.entry(feed.source)
    let isOther = entry?.name(of: api, at: feed.server) != entry?.name(of: before, at: feed.server)
    guard try store.note(api: api, other: isOther, of: feed) else { return }
    say("\(feed.spoken): what another API left unfinished begins anew at the top, what it has read stays")
  }
}
