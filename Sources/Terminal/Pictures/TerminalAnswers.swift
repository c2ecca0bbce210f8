/// What a terminal has said of itself.
public struct TerminalAnswers: Sendable, Equatable {
  /// Whether it draws kitty's graphics; nil where it did not say.
  public var kitty: Bool?
  /// What it can do, by the numbers of DA1; nil where it did not say. 4 is sixel.
  public var attributes: [Int]?
  /// Its name and version (XTVERSION), where it told.
  public var version: String?
  /// The size of a cell, where it told.
  public var cell: CellSize?

  /// Nothing said.
  public init() {}

  /// Whether it draws sixels.
  public var sixel: Bool { attributes?.contains(4) == true }
}
