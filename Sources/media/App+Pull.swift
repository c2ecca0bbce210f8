import Foundation
import Harvest
import Posts
import Services
import Storage

extension App {
  /// The pull of a feed with the login that speaks for a person there, by the source's usual API or another.
  func pull(
    of feed: Feed, account: String?, api: String? = nil, into store: Store, onWait: @escaping @Sendable (String) -> Void
  ) throws -> FeedPull {
    let token = try self.account(for: feed, named: account)?.token
    let (transport, requests) = pullTransport(onWait: onWait)
    let entry = Catalogue.entry(feed.source)
    let chosen = if let api { entry?.others[api] } else { entry?.make }
    guard let make = chosen else {
      throw UsageError("\(feed.source.rawValue) cannot be pulled", cure: nil)
    }
    let pictures = PictureFetcher(transport: transport, blobs: blobs, store: store, time: time)
    return FeedPull(
      source: make(feed.server, token, transport, time), store: store, pictures: pictures, time: time,
      locks: FeedLocks(library: places.library), requests: requests)
  }

  /// The pull of pictures alone.
  func picturePull(into store: Store, onWait: @escaping @Sendable (String) -> Void) -> PicturePull {
    PicturePull(
      store: store,
      pictures: PictureFetcher(
        transport: pullTransport(onWait: onWait).transport, blobs: blobs, store: store, time: time),
      lock: PictureLock(library: places.library), time: time)
  }

  /// Lets the avatars go that have no room. While another process brings pictures, that is left to it.
  func trimCache(of store: Store) throws {
    let limit = Int(try settings(in: store).cache.bytes)
    guard try store.cacheSize() > limit, let lock = try? pictureLock.takeAlone() else { return }
    defer { withExtendedLifetime(lock) {} }
    _ = try store.trimCache(to: limit, in: blobs)
  }

  /// A tag as a person writes it in the list: `cats`, `#cats`, `cats@mastodon.social`. Where no server is named, those of
  /// the feeds that are known bring it; else the server of the only login.
  func tagFeeds(_ text: String, among known: [Feed]) throws -> [Feed] {
    guard let at = text.lastIndex(of: "@"), at > text.startIndex else {
      let name = Feed.tagName(text)
      let feeds = known.filter { $0.kind == .tag && $0.value == name }
      if !feeds.isEmpty { return feeds }
      let servers = Set(known.filter { $0.source == .mastodon }.map(\.server))
      let home = servers.count == 1 ? servers.first.map { Place(source: .mastodon, server: $0) } : nil
      return [try tagFeed(text, at: home)]
    }
    return [try tagFeed(String(text[..<at]), at: try place(String(text[text.index(after: at)...])))]
  }

  private func tagFeed(_ text: String, at place: Place?) throws -> Feed {
    let (source, server) = try door(of: nil, place, cure: "write it behind the tag: cats@mastodon.social")
    return try checked(Feed(source: source, kind: .tag, value: text, server: server), writtenAs: text)
  }
}
