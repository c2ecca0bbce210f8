import HTTP
import Harvest
import Login
import Posts
import Services
import Storage
import Terminal

/// Builds rechecks of feeds.
struct RecheckFactory: Sendable {
  let transports: TransportFactory
  let accounts: Accounts
  let logins: AccountChooser
  let locks: FeedLocks
  let time: TimeSource

  /// Whether a feed's posts can be rechecked at its server, and at what cost. Sends no request.
  func ability(of feed: Feed, in store: Store) throws -> (isPossible: Bool, prices: Prices?) {
    guard Catalogue.entry(feed.source) != nil else { return (false, nil) }
    let account = try accounts.firstAccount(at: feed.server, source: feed.source)
    let api = try SourceAPI.chosen(for: feed, as: account, in: store)
    return (api.bounds.mostLookedUp != nil, api.prices)
  }

  /// Rechecks a feed's posts with a login. A budget limits its cost.
  func recheck(
    of feed: Feed, as account: Account?, budget: Price? = nil,
    in store: Store,
    pictures: Bool = true,
    rank: RateRank = .interactive, metered meter: TrafficMeter? = nil, onWait: @escaping @Sendable (SafeText) -> Void
  ) throws -> FeedRecheck {
    let api = try SourceAPI.chosen(for: feed, as: account, in: store)
    let rates = RateGate(store: store, rank: rank, time: time, dialect: api.rates)
    let (transport, requests) = transports.pullTransport(
      as: account, rates: rates, dialect: api.rates, metered: meter, onWait: onWait)
    let caller = Caller(of: account, renew: logins.flow().renewal(of: account))
    return FeedRecheck(
      source: try api.source(of: feed, as: caller, over: transport, time, budget: budget), store: store,
      pictures: pictures, limits: try store.limits(of: feed), time: time, locks: locks, rates: rates, requests: requests
    )
  }
}
