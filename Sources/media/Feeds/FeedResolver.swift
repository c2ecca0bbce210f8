import HTTP
import Harvest
import Posts
import Services
import Storage
import Terminal

/// Finds the feed that a user names. Uses the network only for unknown addresses.
struct FeedResolver: Sendable {
  let parser: FeedParser
  let library: LibraryOpener
  let transports: TransportFactory
  let console: Console
  let time: TimeSource

  /// The feed that a user names to follow or to harvest: a known one, by an unambiguous part of its name; an address; a
  /// name such as `user:birds@photos.example`; or a tag as `media tag` accepts it. Without `asking`, an address is taken
  /// for that of a feed.
  func feed(
    named text: String, source: String?, among known: [Feed], _ titles: [String: String], asking: Bool = true
  ) async throws -> Feed {
    let named = try source.map(SourceName.named)
    let options = try PullOptions.parse(source.map { ["--source", $0] } ?? [])
    if text.hasPrefix("http://") || text.hasPrefix("https://") {
      if named != Catalogue.ofAddresses, let page = try await page(at: text, among: known, asking) { return page }
      return try await feed(at: text, asking: asking)
    }
    let meant = known.filter { named == nil || $0.source == named }
    if let found = try FeedNames.feed(text, among: meant, titles) { return found }
    if let (kind, value) = FeedNames.kind(of: text) {
      return try parser.feed(kind, value, options, cure: FeedNames.cure)
    }
    try FeedNames.expectKind(of: text)
    let mayBeTag = text.contains("@") || !text.contains("/")
    if named == Catalogue.ofAddresses || !mayBeTag || text.hasPrefix("feed:") {
      return try await feed(at: text, asking: asking)
    }
    return try parser.feed(.tag, text, options, cure: FeedNames.cure)
  }

  /// The feed of a profile's or a tag's web address, unless the address is that of a known document. A server that is not
  /// known is asked whether it runs what its source speaks with: other sites have such addresses, too.
  private func page(at text: String, among known: [Feed], _ asking: Bool) async throws -> Feed? {
    guard let page = Catalogue.feed(at: text), !known.contains(where: { $0.kind == .url && $0.value == text }) else {
      return nil
    }
    return try await spoken(page, among: known, asking)
  }

  /// A feed of a web address by the source that its server speaks with; nil if none does, or if that is not known and it may not
  /// be asked.
  func spoken(_ page: Feed, among known: [Feed], _ asking: Bool = true) async throws -> Feed? {
    if let found = parser.servers.known(page, among: known) { return found }
    guard asking else { return nil }
    let discovery = ServerDiscovery(transport: transports.transport { [console] in console.message($0) })
    let software = try await Interruption.guarding { await discovery.software(of: page.server) }
    guard let entry = software.flatMap(Catalogue.entry(speakingAs:)) else { return nil }
    return Feed(source: entry.name, kind: page.kind, value: page.value, server: page.server)
  }

  /// The feed of an address: a known one, the one at the address, or the one that the page there names.
  func feed(at text: String, asking: Bool = true) async throws -> Feed {
    let typed = try Feed(addressed: text)
    if let known = try knownFeed(at: typed.value) { return known }
    guard asking else { return typed }
    let address = try await address(of: typed)
    if address == typed.value { return typed }
    let found = try Feed(addressed: address)
    console.message("media: the page names its feed: \(found.value)")
    return try knownFeed(at: found.value) ?? found
  }

  /// Where a feed was read. The request counts in the library's budget, if there is a library.
  private func address(of typed: Feed) async throws -> String {
    let store: Store? = library.exists ? try library.openStore() : nil
    defer { store?.close() }
    let rates = RateGate(store: store, rank: .interactive, time: time)
    let transport = transports.findingTransport(rates: rates) { [console] in console.message($0) }
    let finder = FeedFinder(transport: transport, time: time)
    do {
      let address = try await Interruption.guarding { try await finder.address(of: typed) }
      await rates.giveBack()
      return address
    } catch {
      await rates.giveBack()
      throw error
    }
  }

  private func knownFeed(at address: String) throws -> Feed? {
    guard library.exists else { return nil }
    return try library.withStore(for: .reading) { try $0.feed(at: address) }
  }
}
