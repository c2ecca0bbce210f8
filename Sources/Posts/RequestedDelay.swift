/// The delay that a server requests before the next request for a feed, from its answer on.
public struct RequestedDelay: Sendable, Hashable {
  /// How long nothing new is expected, by the document or by the answer's freshness.
  public var suggested: Duration?
  /// How long the server demands no requests at all.
  public var demanded: Duration?

  /// Creates a requested delay; by default none.
  public init(suggested: Duration? = nil, demanded: Duration? = nil) {
    self.suggested = suggested
    self.demanded = demanded
  }
}
