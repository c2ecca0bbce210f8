import Posts
import Synchronization

/// Money, in thousandths of a dollar.
public struct Price: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Thousandths of a dollar.
  public var mills: Int

  /// A price.
  public init(mills: Int) { self.mills = mills }

  /// Parses an amount as a person types it: `1.50`, `$2`. Returns nil for anything else and for amounts that are not
  /// positive.
  public init?(_ text: String) {
    let digits = text.hasPrefix("$") ? text.dropFirst() : text[...]
    guard digits.utf8.count <= 12, digits.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }),
      let dollars = Double(digits), dollars >= 0.001
    else { return nil }
    mills = Int((dollars * 1000).rounded(.down))
  }

  /// `$1.50`, with a third digit only if it is needed.
  public var description: String {
    let (dollars, rest) = mills.quotientAndRemainder(dividingBy: 1000)
    let digits = String(1000 + rest).dropFirst()
    return "$\(dollars).\(digits.hasSuffix("0") ? digits.dropLast() : digits)"
  }

  /// Subtracts an amount.
  public static func < (one: Price, other: Price) -> Bool { one.mills < other.mills }
  static func + (one: Price, other: Price) -> Price { Price(mills: one.mills + other.mills) }
  static func - (one: Price, other: Price) -> Price { Price(mills: one.mills - other.mills) }
  static func * (one: Price, count: Int) -> Price { Price(mills: one.mills * count) }
}

/// The prices that a service charges for pages and for single posts.
public struct Prices: Sendable {
  /// The price of a page.
  public struct Page: Sendable, Equatable {
    /// The most posts on the page.
    public var posts: Int
    /// The price of the posts alone.
    public var usual: Price
    /// The highest price, with everything that may accompany the posts.
    public var most: Price
  }

  /// The price of a post that is looked up by itself.
  public struct Lookup: Sendable, Equatable {
    /// The price of the post alone.
    public var usual: Price
    /// The highest price, with everything that may accompany the post.
    public var most: Price
  }

  /// The price of looking a post up.
  let lookUp: Lookup
  /// The price of a page of a feed, for the requested number of posts.
  let page: @Sendable (Feed, Int?) -> Page
  /// The price of the posts that a page returned.
  let paid: @Sendable (Posts.Page) -> Price

  /// The notice to show before this number of pages is read. The number is nil if it is not known.
  public func estimate(for feed: Feed, pages: Int?, size: Int?) -> String {
    let page = page(feed, size)
    guard let pages = pages.map({ min($0, 1_000_000) }) else {
      return "about \(page.usual) a page of \(page.posts) posts (at most \(page.most), \(Self.beside))"
    }
    return "up to \(page.posts * pages) posts, about \(page.usual * pages) "
      + "(at most \(page.most * pages), \(Self.beside))"
  }

  private static let beside = "with authors, pictures, and the posts they repeat, quote or answer"

  /// The notice to show before posts are looked up.
  public var lookupEstimate: String {
    "about \(lookUp.usual) a post that is looked up (at most \(lookUp.most), with its author and pictures)"
  }
}

/// A source that reads no page and looks up no post that could cost more than the rest of its budget.
public struct BudgetedSource: Source {
  private final class Purse: Sendable {
    private let left: Mutex<Price>

    init(_ budget: Price) { left = Mutex(budget) }

    var rest: Price { left.withLock { $0 } }
    func pay(_ price: Price) { left.withLock { $0 = $0 - price } }
  }

  private let source: any Source
  private let server: Server
  private let prices: Prices
  private let purse: Purse

  /// Wraps the source of a server. The budget lasts as long as this object.
  public init(_ source: any Source, at server: Server, prices: Prices, budget: Price) {
    self.source = source
    self.server = server
    self.prices = prices
    purse = Purse(budget)
  }

  /// The page. Throws `.budgetSpent` before any request if the page might cost too much.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let (left, next) = (purse.rest, prices.page(feed, size).most)
    guard next <= left else { throw .budgetSpent(server, left: left, next: next) }
    let page = try await source.page(of: feed, after: cursor, size: size)
    purse.pay(prices.paid(page))
    return page
  }

  /// The wrapped source's value.
  public func cursor(below id: String) -> Cursor? { source.cursor(below: id) }

  /// The number that the source accepts at once, or that the rest of the budget allows, but at least one.
  public var mostLookedUp: Int? {
    source.mostLookedUp.map { most in min(most, max(1, purse.rest.mills / max(1, prices.lookUp.most.mills))) }
  }

  /// The results of the lookup. Throws `.lookUpsSpent` before any request if it might cost too much.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    let (left, next) = (purse.rest, prices.lookUp.most)
    guard next * ids.count <= left else { throw .lookUpsSpent(server, left: left, next: next) }
    let looked = try await source.lookUp(ids)
    purse.pay(prices.paid(Posts.Page(items: looked.shown, next: .end)))
    return looked
  }
}
