/// A terminal's answers about its features.
public struct TerminalAnswers: Sendable, Equatable {
  /// Whether it supports kitty's graphics; nil if it did not answer.
  public var kitty: Bool?
  /// Its features by the numbers of DA1; nil if it did not answer. 4 is sixel.
  public var attributes: [Int]?
  /// Its name and version (XTVERSION); nil if it did not answer.
  public var version: String?
  /// The size of a cell; nil if it did not answer.
  public var cell: CellSize?

  /// No answers yet.
  public init() {}

  /// Whether it supports sixel.
  public var sixel: Bool { attributes?.contains(4) == true }
}
