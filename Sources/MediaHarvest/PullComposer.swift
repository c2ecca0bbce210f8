import HTTP
import Harvest
import Login
import MediaLibrary
import Services

/// Composes the pulls of a session: network, rate limits, logins, locks and pictures.
struct PullComposer: Sendable {
  let library: Library
  let logins: Logins
  let session: Session
  let time: TimeSource
  private let nonces = ProofNonces()

  /// The pull of a feed, with the login at its server if there is one.
  func pull(of feed: Feed) async throws -> FeedPull {
    let account = try await logins.account(for: feed)
    let api = try api(of: feed, account)
    let rates = RateGate(store: library.store, rank: .background, time: time, dialect: api.rates)
    let counter = RequestCounter()
    let transport = transport(as: account, rates, api.rates, counter)
    let hashtags = api.bounds.hashtags.map { LibraryHashtags(library.store, $0, time: time) }
    let caller = Caller(of: account, hashtags: hashtags, renew: logins.renewal(of: account))
    return FeedPull(
      source: api.make(feed.server, caller, transport, time), store: library.store, pictures: fetcher(transport),
      time: time, locks: FeedLocks(library: library.folder), rates: rates, requests: { counter.count })
  }

  /// Downloads pictures without reading a page of any feed.
  func picturePull() -> PicturePull {
    let rates = RateGate(store: library.store, rank: .background, time: time)
    let transport = transport(as: nil, rates, .common, RequestCounter())
    return PicturePull(
      store: library.store, pictures: fetcher(transport), lock: PictureLock(library: library.folder), time: time,
      rates: rates)
  }

  /// The API that the library remembers for the feed, else that of the login, else the server's usual one.
  private func api(of feed: Feed, _ account: Account?) throws -> SourceAPI {
    let name = try library.store.api(of: feed) ?? account?.api
    guard let api = Catalogue.entry(feed.source)?.api(name, at: feed.server), api.kinds.contains(feed.kind) else {
      throw PullSessionError.noSource(feed)
    }
    guard api.prices == nil else { throw PullSessionError.chargesForPosts(feed.server) }
    return api
  }

  /// The network for a pull. Retries are counted again and pass the rate gate again.
  private func transport(
    as account: Account?, _ rates: RateGate, _ dialect: RateDialect, _ counter: RequestCounter
  ) -> Transport {
    let wire = session.webTransport.authorized(as: account, nonces, time: time)
    let live = rates.guarding(counter.counting(wire))
    return Transport(
      send: live.patient(RetryPolicy(rates: dialect), time: time).send,
      download: live.patient(PictureFetcher.patience, time: time).download)
  }

  private func fetcher(_ transport: Transport) -> PictureFetcher {
    PictureFetcher(transport: transport, blobs: library.blobs, store: library.store, time: time)
  }
}
