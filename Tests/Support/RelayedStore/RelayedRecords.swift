import Blobs
import Foundation
import Posts
import Storage

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func feeds() throws(StorageError) -> [Feed] { try below.feeds() }

  public func forgetEmpty(_ feed: Feed) throws(StorageError) -> Bool { try below.forgetEmpty(feed) }

  public func isKnown(_ feed: Feed) throws(StorageError) -> Bool { try below.isKnown(feed) }

  public func visit(of feed: Feed) throws(StorageError) -> Visit? { try below.visit(of: feed) }

  public func feed(at address: String) throws(StorageError) -> Feed? { try below.feed(at: address) }

  public func feedTitles() throws(StorageError) -> [String: String] { try below.feedTitles() }

  public func hasPosts(of feed: Feed) throws(StorageError) -> Bool { try below.hasPosts(of: feed) }

  public func api(of feed: Feed) throws(StorageError) -> String? { try below.api(of: feed) }

  public func note(api: String?, other: Bool, of feed: Feed) throws(StorageError) -> Bool {
    try below.note(api: api, other: other, of: feed)
  }

  public func pollingStatistics(of feed: Feed) throws(StorageError) -> PollingStatistics {
    try below.pollingStatistics(of: feed)
  }

  public func reschedule(_ feed: Feed, _ next: (Follow) -> Follow.Schedule?) throws(StorageError) {
    try below.reschedule(feed, next)
  }

  public func keep(_ statistics: PollingStatistics, of feed: Feed) throws(StorageError) {
    try below.keep(statistics, of: feed)
  }

  public func lateness(of feed: Feed) throws(StorageError) -> TimeInterval? { try below.lateness(of: feed) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func follow(_ follow: Follow, now: Date) throws(StorageError) -> Follow? { try below.follow(follow, now: now) }

  public func follow(_ follows: [Follow], now: Date) throws(StorageError) { try below.follow(follows, now: now) }

  public func unfollow(_ feed: Feed) throws(StorageError) -> Bool { try below.unfollow(feed) }

  public func follows() throws(StorageError) -> [Follow] { try below.follows() }

  public func follow(of feed: Feed) throws(StorageError) -> Follow? { try below.follow(of: feed) }

  public func follows(failingSince moment: Date) throws(StorageError) -> [Follow] {
    try below.follows(failingSince: moment)
  }

  public func keep(_ notices: [HarvestNotice], of run: Int64, toldAt: Date?) throws(StorageError) {
    try below.keep(notices, of: run, toldAt: toldAt)
  }

  public func undelivered(_ notices: [HarvestNotice], since moment: Date) throws(StorageError) -> [HarvestNotice] {
    try below.undelivered(notices, since: moment)
  }

  public func beginRun(of feeds: Int, process: Int32, now: Date) throws(StorageError) -> Int64 {
    try below.beginRun(of: feeds, process: process, now: now)
  }

  public func note(_ part: HarvestRun.Part, schedule: Follow.Schedule?, in run: Int64) throws(StorageError) {
    try below.note(part, schedule: schedule, in: run)
  }

  public func add(_ counts: HarvestRun.Counts, to run: Int64) throws(StorageError) { try below.add(counts, to: run) }

  public func finishRun(
    _ run: Int64, as state: HarvestRun.State, code: Int32, requests: Int, bytes: Int64, waited: Duration, now: Date
  ) throws(StorageError) {
    try below.finishRun(run, as: state, code: code, requests: requests, bytes: bytes, waited: waited, now: now)
  }

  public func runs(limit: Int) throws(StorageError) -> [HarvestRun] { try below.runs(limit: limit).map(\.copy) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func add(_ counts: HarvestRun.RecheckCounts, to run: Int64) throws(StorageError) {
    try below.add(counts, to: run)
  }

  public func knownPosts(
    of feed: Feed, leaving others: [Feed], since: Date?, after: KnownPost?, limit: Int
  ) throws(StorageError) -> [KnownPost] {
    try below.knownPosts(of: feed, leaving: others, since: since, after: after?.copy, limit: limit).map(\.copy)
  }

  public func countOfKnownPosts(of feed: Feed, leaving others: [Feed], since: Date?) throws(StorageError) -> Int {
    try below.countOfKnownPosts(of: feed, leaving: others, since: since)
  }

  public func duePosts(
    among feeds: [Feed], limit: Int, now: Date
  ) throws(StorageError) -> [(feed: Feed, posts: [KnownPost])] {
    try below.duePosts(among: feeds, limit: limit, now: now).map { ($0.feed, $0.posts.map(\.copy)) }
  }

  public func hasDuePosts(now: Date) throws(StorageError) -> Bool { try below.hasDuePosts(now: now) }

  public func postpone(_ posts: [KnownPost], to time: Date) throws(StorageError) {
    try below.postpone(posts.map(\.copy), to: time)
  }

  public func save(
    _ result: LookupResult, of posts: [KnownPost], pictures: Bool, now: Date
  ) throws(StorageError) -> Rechecked {
    try below.save(result, of: posts.map(\.copy), pictures: pictures, now: now).copy
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func hashtagID(_ name: String, at server: Server) throws(StorageError) -> String? {
    try below.hashtagID(name, at: server)
  }

  public func keepHashtag(_ name: String, id: String, at server: Server) throws(StorageError) {
    try below.keepHashtag(name, id: id, at: server)
  }

  public func askHashtag(
    _ name: String, by account: String, at server: Server, _ allowance: HashtagBudget, now: Date
  ) throws(StorageError) -> HashtagGrant {
    try below.askHashtag(name, by: account, at: server, allowance, now: now)
  }

  public func rateBudget(of key: RateKey) throws(StorageError) -> RateBudget? { try below.rateBudget(of: key)?.copy }

  public func changeRateBudget<Value>(
    of key: RateKey, now: Date, _ change: (inout RateBudget?) -> Value
  ) throws(StorageError) -> Value {
    try below.changeRateBudget(of: key, now: now, change)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func add(_ post: Post, id: UUID, pictures: [StoredBlob], now: Date) throws(StorageError) -> Int64 {
    try below.add(post, id: id, pictures: pictures, now: now)
  }

  public func edit(_ id: Int64, _ edit: PostEdit, now: Date) throws(StorageError) -> Bool {
    try below.edit(id, edit, now: now)
  }

  public func delete(_ ids: [Int64], now: Date) throws(StorageError) -> Deletion {
    try below.delete(ids, now: now).copy
  }

  public func restore(_ ids: [Int64], now: Date) throws(StorageError) -> Deletion {
    try below.restore(ids, now: now).copy
  }

  public func restore(tag: String, now: Date) throws(StorageError) -> Deletion {
    try below.restore(tag: tag, now: now).copy
  }

  public func noteTag(_ tag: String) throws(StorageError) -> [String] { try below.noteTag(tag) }

  public func settings() throws(StorageError) -> [String: String] { try below.settings() }

  public func setting(_ name: String) throws(StorageError) -> String? { try below.setting(name) }

  public func set(_ name: String, to value: String?) throws(StorageError) { try below.set(name, to: value) }
}
