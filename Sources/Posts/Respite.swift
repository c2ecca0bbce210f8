/// How long a server would have a feed left alone, counted from its answer.
public struct Respite: Sendable, Hashable {
  /// For how long there is nothing new to look for, as its document or the answer's freshness has it.
  public var suggested: Duration?
  /// For how long it asks not to be asked, whatever may come meanwhile.
  public var demanded: Duration?

  /// A respite from its parts; none unless said.
  public init(suggested: Duration? = nil, demanded: Duration? = nil) {
    self.suggested = suggested
    self.demanded = demanded
  }
}
