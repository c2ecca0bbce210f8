import Foundation
import HTTP
import Posts
import Synchronization

/// Money, in thousandths of a dollar.
public struct Price: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Thousandths of a dollar.
  public var mills: Int

  /// A price.
  public init(mills: Int) { self.mills = mills }

  /// What a person types: `1.50`, `$2`; nil for anything else, and for nothing or less.
  public init?(_ text: String) {
    let digits = text.hasPrefix("$") ? text.dropFirst() : text[...]
    guard digits.utf8.count <= 12, digits.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }),
      let dollars = Double(digits), dollars >= 0.001
    else { return nil }
    mills = Int((dollars * 1000).rounded(.down))
  }

  /// `$1.50`, with a third digit only where it is needed.
  public var description: String {
    let (dollars, rest) = mills.quotientAndRemainder(dividingBy: 1000)
    let digits = String(1000 + rest).dropFirst()
    return "$\(dollars).\(digits.hasSuffix("0") ? digits.dropLast() : digits)"
  }

  /// Less money.
  public static func < (one: Price, other: Price) -> Bool { one.mills < other.mills }
  static func + (one: Price, other: Price) -> Price { Price(mills: one.mills + other.mills) }
  static func - (one: Price, other: Price) -> Price { Price(mills: one.mills - other.mills) }
  static func * (one: Price, count: Int) -> Price { Price(mills: one.mills * count) }
}

/// What a service charges for reading pages, and posts by themselves.
public struct Prices: Sendable {
  /// What a page may cost.
  public struct Page: Sendable, Equatable {
    /// The most posts on it.
    public var posts: Int
    /// Of the posts alone.
    public var usual: Price
    /// With all that may come along.
    public var most: Price
  }

  /// What a post that is looked up by itself may cost.
  public struct LookUp: Sendable, Equatable {
    /// Of the post alone.
    public var usual: Price
    /// With all that may come along.
    public var most: Price
  }

  /// A post that is looked up.
  let lookUp: LookUp
  /// A page of a feed, for a wish for posts a page.
  let page: @Sendable (Feed, Int?) -> Page
  /// What came on one.
  let paid: @Sendable (Posts.Page) -> Price

  /// What is to be said before so many pages are read; nil pages where their number is not known.
  public func words(for feed: Feed, pages: Int?, size: Int?) -> String {
    let page = page(feed, size)
    guard let pages = pages.map({ min($0, 1_000_000) }) else {
      return "about \(page.usual) a page of \(page.posts) posts (at most \(page.most), \(Self.beside))"
    }
    return "up to \(page.posts * pages) posts, about \(page.usual * pages) "
      + "(at most \(page.most * pages), \(Self.beside))"
  }

  private static let beside = "with authors, pictures, and the posts they repeat, quote or answer"

  /// What is to be said before posts are looked up.
  public var wordsForLookUps: String {
    "about \(lookUp.usual) a post that is looked up (at most \(lookUp.most), with its author and pictures)"
  }
}

/// A source that reads no page, and looks up no post, which could cost more than what is left.
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

  /// The source of a server, with so much to spend as long as this is used.
  public init(_ source: any Source, at server: Server, prices: Prices, budget: Price) {
    self.source = source
    self.server = server
    self.prices = prices
    purse = Purse(budget)
  }

  /// The page; `.budgetSpent`, before anything is asked for, where it might cost too much.
  public func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    let (left, next) = (purse.rest, prices.page(feed, size).most)
    guard next <= left else { throw .budgetSpent(server, left: left, next: next) }
    let page = try await source.page(of: feed, after: cursor, size: size)
    purse.pay(prices.paid(page))
    return page
  }

  /// The source's own.
  public func cursor(below id: String) -> Cursor? { source.cursor(below: id) }

  /// As many as the source takes at once, or as what is left does for, and never none.
  public var mostLookedUp: Int? {
    source.mostLookedUp.map { most in min(most, max(1, purse.rest.mills / max(1, prices.lookUp.most.mills))) }
  }

  /// What became of the posts; `.lookUpsSpent`, before anything is asked for, where that might cost too much.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookedUp {
    let (left, next) = (purse.rest, prices.lookUp.most)
    guard next * ids.count <= left else { throw .lookUpsSpent(server, left: left, next: next) }
    let looked = try await source.lookUp(ids)
    purse.pay(prices.paid(Posts.Page(items: looked.shown, next: .end)))
    return looked
  }
}
