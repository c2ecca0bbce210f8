import Foundation
import Posts
import PropertyTesting
import Services
import Synchronization

/// A server with one feed and its full history: what it shows, what it ever showed, and in which order.
final class TruthfulServer: Source {
  /// What the server does with a cursor whose post is gone.
  enum Expiry: CaseIterable {
    /// It compares ids, as Mastodon does.
    case compares
    /// 404 or 410.
    case refuses
    /// It searches its list for the post and finds nothing, as snac does.
    case showsNothing
  }

  /// What the server does with a request for the page just above a post.
  enum Upwards: CaseIterable {
    case above
    /// It shows its newest page, as Pixelfed does.
    case newest
    /// It has no such request.
    case none
  }

  struct Entry {
    /// The server's order, which nothing else shows.
    let key: Int
    let date: Date
    var isGone = false
    /// How often it was edited.
    var version = 0

    /// What it says.
    var caption: String { "post \(key), version \(version)" }
    var id: String { "id-\(key * 7919 % 1_000_003)-\(key)" }
    var uri: String { "https://a.example/\(key)" }
  }

  private struct State {
    /// Newest first.
    var entries: [Entry] = []
    var requests = 0
    var diesAt: Int?
    var asked: [String] = []
    var isEmpty = false
    var stale: [Entry]?
    var spoilt: Set<Int> = []
    /// What each post said when it was last shown.
    var shown: [Int: String] = [:]
  }

  let expiry: Expiry
  let upwards: Upwards
  let largestPage: Int
  private let state = Mutex(State())

  init(expiry: Expiry, upwards: Upwards, largestPage: Int) {
    (self.expiry, self.upwards, self.largestPage) = (expiry, upwards, largestPage)
  }

  // MARK: What tests see and do

  var entries: [Entry] { state.withLock(\.entries) }
  var requests: Int { state.withLock(\.requests) }
  private var isEmpty: Bool { state.withLock(\.isEmpty) }
  var isDead: Bool { state.withLock { state in state.diesAt.map { state.requests >= $0 } ?? false } }
  /// What each post said when it was last shown, on whatever page.
  var shown: [Int: String] { state.withLock(\.shown) }
  /// The requests since the last call.
  func consumeRequests() -> [String] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }

  /// Makes the server unreachable after `count` more requests.
  func die(after count: Int?) { state.withLock { state in state.diesAt = count.map { state.requests + $0 } } }

  /// Makes the server show nothing of the feed, as while it rebuilds its index.
  func showNothing(_ isEmpty: Bool) { state.withLock { $0.isEmpty = isEmpty } }

  /// Freezes the newest page, as a cache does.
  func keepNewestPage(_ keeps: Bool) { state.withLock { $0.stale = keeps ? $0.entries : nil } }

  /// Makes pages with one of these posts unreadable.
  func spoil(_ keys: Set<Int>) { state.withLock { $0.spoilt = keys } }

  func add(_ new: [Entry]) {
    state.withLock { state in state.entries = (state.entries + new).sorted { $0.key > $1.key } }
  }

  /// Edits posts.
  func edit(_ keys: Set<Int>) {
    state.withLock { state in
      for index in state.entries.indices where keys.contains(state.entries[index].key) {
        state.entries[index].version += 1
      }
    }
  }

  func remove(_ gone: Set<Int>) {
    state.withLock { state in
      for index in state.entries.indices where gone.contains(state.entries[index].key) {
        state.entries[index].isGone = true
      }
    }
  }

  // MARK: Source

  func page(of feed: Feed, after cursor: Posts.Cursor?, size: Int?) async throws(SourceError) -> Page {
    try step(cursor.map { "below \($0.value)" } ?? "newest")
    if isEmpty { return Page(items: [], next: .end) }
    if cursor == nil, let stale = state.withLock(\.stale) {
      return try page(stale.filter { !$0.isGone }.prefix(min(size ?? 40, largestPage)), feed)
    }
    let key = try key(of: cursor?.value, feed)
    if key == nil, cursor != nil { return Page(items: [], next: .end) }
    return try page(entries.filter { !$0.isGone && $0.key < key ?? .max }.prefix(min(size ?? 40, largestPage)), feed)
  }

  func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page? {
    if upwards == .none { return nil }
    try step("above \(id)")
    if isEmpty { return Page(items: [], next: .end) }
    guard let key = try key(of: id, feed) else { return Page(items: [], next: .end) }
    let count = min(size ?? 40, largestPage)
    let all = entries.filter { !$0.isGone && $0.key > key }
    return try page(upwards == .newest ? all.prefix(count) : all.suffix(count), feed)
  }

  func cursor(below id: String) -> Posts.Cursor? { Cursor(id) }

  private func step(_ text: String) throws(SourceError) {
    let isDead = state.withLock { state in
      state.requests += 1
      let number = text.split(separator: "-").last.map(String.init) ?? ""
      state.asked.append("\(text.split(separator: " ")[0]) \(number)")
      return state.diesAt.map { state.requests >= $0 } ?? false
    }
    if isDead { throw .cancelled }
  }

  private func key(of id: String?, _ feed: Feed) throws(SourceError) -> Int? {
    guard let id, let entry = entries.first(where: { $0.id == id }) else { return nil }
    guard entry.isGone else { return entry.key }
    switch expiry {
    case .compares: return entry.key
    case .refuses:
      throw entry.key % 20 == 0 ? .gone(feed.server, what: "tag cats") : .notFound(feed.server, what: "tag cats")
    case .showsNothing: return nil
    }
  }

  private func page(_ shown: ArraySlice<Entry>, _ feed: Feed) throws(SourceError) -> Page {
    let spoilt = state.withLock(\.spoilt)
    if shown.contains(where: { spoilt.contains($0.key) }) { throw .unreadable(feed.server, reason: "no JSON") }
    state.withLock { state in for entry in shown { state.shown[entry.key] = entry.caption } }
    let items = shown.map { entry in
      let post = Post(source: .mastodon, uri: entry.uri, createdAt: entry.date, caption: entry.caption)
      return PageItem(id: entry.id, content: .post(post), raw: [])
    }
    return Page(items: items, next: shown.last.map { .after(Cursor($0.id)) } ?? .end)
  }
}
