/// Rows set in columns that fit the width at hand: a value in, lines out.
public struct Table: Sendable {
  /// One column.
  public struct Column: Sendable {
    /// Stands above it.
    public var title: Inert
    /// It is never narrower, unless the terminal is too narrow for every column's minimum; then the last ones go.
    public var minimum: Int
    /// It is never wider; nil is as wide as its longest cell.
    public var ideal: Int?
    /// Whether its cells stand to the right, as numbers do. Such a column is never shortened: half a number is a lie.
    public var trailing: Bool

    /// A column from its parts.
    public init(_ title: Inert, minimum: Int = 4, ideal: Int? = nil, trailing: Bool = false) {
      self.title = title
      self.minimum = max(1, minimum)
      self.ideal = ideal.map { max($0, minimum) }
      self.trailing = trailing
    }
  }

  private let columns: [Column]
  private let rows: [[Inert]]

  // Between two columns.
  private static let gap = 2

  /// A table of cells, made harmless and put on one line each; a row may lack its last cells.
  public init(_ columns: [Column], rows: [[String]]) {
    self.columns = columns
    self.rows = rows.map { $0.prefix(columns.count).map { Inert($0) } }
  }

  /// The lines, the titles first, none wider than `width`; without a width every cell is shown whole.
  public func lines(width: Int?, style: Style = Style(isOn: false)) -> [Inert] {
    let widths = widths(fitting: width)
    let head = style.apply(.bold, to: line(columns.map(\.title), widths))
    return [head] + rows.map { line($0, widths) }
  }

  private func line(_ cells: [Inert], _ widths: [Int]) -> Inert {
    let padded = zip(columns, widths).enumerated().map { index, column in
      (index < cells.count ? cells[index] : "").text.padded(to: column.1, trailing: column.0.trailing)
    }
    var line = padded.joined(separator: String(repeating: " ", count: Table.gap))
    while line.last == " " { line.removeLast() }
    return Inert(asIs: line)
  }

  /// What each shown column gets; columns that have no place at all are left out, from the end.
  private func widths(fitting width: Int?) -> [Int] {
    guard let width else { return columns.indices.map(widest) }
    var wishes = columns.indices.map(wish)
    var minima = zip(columns, wishes).map { $0.trailing ? $1 : min($0.minimum, $1) }
    while minima.count > 1, total(minima) > width { minima.removeLast() }
    wishes.removeLast(wishes.count - minima.count)
    if minima.count == 1, total(minima) > width { return [max(1, width)] }
    return shrunk(wishes, to: width, minima: minima)
  }

  /// How wide a column would like to be.
  private func wish(_ index: Int) -> Int { min(columns[index].ideal ?? .max, widest(index)) }

  /// How wide a column's widest cell is.
  private func widest(_ index: Int) -> Int {
    rows.reduce(TextWidth.of(columns[index].title)) { index < $1.count ? max($0, TextWidth.of($1[index])) : $0 }
  }

  /// Takes from the column that has most to give, until all fit.
  private func shrunk(_ wishes: [Int], to width: Int, minima: [Int]) -> [Int] {
    var widths = wishes
    var excess = total(widths) - width
    while excess > 0 {
      let spare = zip(widths, minima).map { $0 - $1 }
      guard let richest = spare.indices.max(by: { spare[$0] < spare[$1] }), spare[richest] > 0 else { break }
      let next = spare.filter { $0 < spare[richest] }.max() ?? 0
      let taken = min(excess, max(1, min(spare[richest], spare[richest] - next)))
      widths[richest] -= taken
      excess -= taken
    }
    return widths
  }

  private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + Table.gap * max(0, widths.count - 1) }
}
