import Harvest
import Login
import Posts
import Services
import Storage
import Terminal

extension App {
  /// Whether a feed's posts can be rechecked at its server, and at what cost. Sends no request.
  func lookUp(of feed: Feed, in store: Store) throws -> (isPossible: Bool, prices: Prices?) {
    guard Catalogue.entry(feed.source) != nil else { return (false, nil) }
    let api = try self.api(of: feed, try accounts.firstAccount(at: feed.server, source: feed.source), in: store)
    return (api.bounds.mostLookedUp != nil, api.prices)
  }

  /// Rechecks a feed's posts with a login. A budget limits its cost.
  func recheck(
    of feed: Feed, as account: Account?, budget: Price? = nil, in store: Store, pictures: Bool = true,
    rank: RateRank = .interactive,
    metered meter: TrafficMeter? = nil, onWait: @escaping @Sendable (SafeText) -> Void
  ) throws -> FeedRecheck {
    let spoken = try api(of: feed, account, in: store)
    let rates = RateGate(store: store, rank: rank, time: time, dialect: spoken.rates)
    let (transport, requests) = pullTransport(
      as: account, rates: rates, dialect: spoken.rates, metered: meter, onWait: onWait)
    let caller = Caller(token: account?.token, user: account?.remoteID)
    let source = spoken.make(feed.server, caller, transport, time)
    return FeedRecheck(
      source: try budgeted(source, of: feed, prices: spoken.prices, budget), store: store, pictures: pictures,
      time: time, locks: feedLocks,
      rates: rates, requests: requests)
  }
}
