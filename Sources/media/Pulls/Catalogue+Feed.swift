import HTTP
import Login
import Posts
import Services
import Storage

extension SourceAPI {
  /// The API by which to pull a feed: the requested one, the remembered one, the login's, or the default.
  static func chosen(for feed: Feed, as account: Account?, asked: String? = nil, in store: Store) throws -> SourceAPI {
    try Catalogue.expect(feed.source)
    let name = try asked ?? store.api(of: feed) ?? account?.api
    guard let api = Catalogue.entry(feed.source)?.api(name, at: feed.server) else {
      throw UsageError("\(feed.source.rawValue) cannot be pulled\(name.map { " by \($0)" } ?? "")", cure: nil)
    }
    return api
  }

  /// A feed's source, which keeps to a budget if there is one.
  func source(
    of feed: Feed, as caller: Caller, over transport: Transport, _ time: TimeSource, budget: Price? = nil
  ) throws -> any Source {
    let source = make(feed.server, caller, transport, time)
    guard let budget else { return source }
    guard let prices else {
      throw UsageError("\(feed.source.rawValue) charges nothing that is known", cure: "leave --budget out")
    }
    return BudgetedSource(source, at: feed.server, prices: prices, budget: budget)
  }
}
