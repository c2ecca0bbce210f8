/// A table whose columns fit a given width.
public struct Table: Sendable {
  /// One column.
  public struct Column: Sendable {
    /// The title above the column.
    public var title: SafeText
    /// The minimum width. If the minimum widths of all columns do not fit, the last columns are omitted.
    public var minimum: Int
    /// The maximum width; nil means the width of the longest cell.
    public var ideal: Int?
    /// Whether its cells are aligned to the right, like numbers. Such a column is never shortened: a cut number is wrong.
    public var trailing: Bool
    /// Whether it is shortened to its minimum before any other column gives way.
    public var givesWayFirst: Bool
    /// Whether what has no room in a cell goes on below the row, if it is the last column.
    public var wraps: Bool

    /// Creates a column. It is at least `minimum` cells wide.
    public init(
      _ title: SafeText, minimum: Int = 4, ideal: Int? = nil, trailing: Bool = false, givesWayFirst: Bool = false,
      wraps: Bool = false
    ) {
      self.wraps = wraps
      self.title = title
      self.givesWayFirst = givesWayFirst
      self.minimum = max(1, minimum)
      self.ideal = ideal.map { max($0, minimum) }
      self.trailing = trailing
    }
  }

  private let columns: [Column]
  private let rows: [[SafeText]]

  /// The number of spaces between two columns.
  private static let gap = 2

  /// A table of cells. Each cell is sanitized and put on one line. A row may lack its last cells.
  public init(_ columns: [Column], rows: [[String]]) {
    self.columns = columns
    self.rows = rows.map { $0.prefix(columns.count).map { SafeText($0) } }
  }

  /// The lines, the titles first, none wider than `width`; without a width every cell is shown whole.
  public func lines(width: Int?, style: Style = Style(.none)) -> [SafeText] {
    let widths = widths(fitting: width)
    let head = style.apply(.bold, to: line(columns.map(\.title), widths))
    return [head] + rows.flatMap { lines(of: $0, widths, within: width) }
  }

  private func lines(of cells: [SafeText], _ widths: [Int], within width: Int?) -> [SafeText] {
    let last = widths.count - 1
    guard let width, cells.indices.contains(last), columns[last].wraps, TextWidth.of(cells[last]) > widths[last] else {
      return [line(cells, widths)]
    }
    let words = cells[last].text.split(separator: " ")
    // A word that has no room here stands below, whole if it can: it may be an address.
    let isFitting = { TextWidth.of(words.prefix($0).joined(separator: " ")) <= widths[last] }
    let count = words.indices.first { !isFitting($0 + 1) } ?? words.count
    let (first, rest) = (words.prefix(count), words.dropFirst(count))
    return [line(Array(cells[..<last]) + [Self.text(first)], widths)]
      + Self.text(rest).wrapped(to: width - Table.gap).map { "  \($0)" }
  }

  private static func text(_ words: ArraySlice<Substring>) -> SafeText {
    SafeText(unchecked: words.joined(separator: " "))
  }

  private func line(_ cells: [SafeText], _ widths: [Int]) -> SafeText {
    let padded = zip(columns, widths).enumerated().map { index, column in
      (index < cells.count ? cells[index] : "").text.padded(to: column.1, trailing: column.0.trailing)
    }
    var line = padded.joined(separator: String(repeating: " ", count: Table.gap))
    while line.last == " " { line.removeLast() }
    return SafeText(unchecked: line)
  }

  /// The widths of the shown columns. Columns that do not fit are omitted from the end.
  private func widths(fitting width: Int?) -> [Int] {
    guard let width else { return columns.indices.map(widest) }
    var preferredWidths = columns.indices.map(preferredWidth)
    var minima = zip(columns, preferredWidths).map { $0.trailing ? $1 : min($0.minimum, $1) }
    while minima.count > 1, total(minima) > width { minima.removeLast() }
    preferredWidths.removeLast(preferredWidths.count - minima.count)
    if minima.count == 1, total(minima) > width { return [max(1, width)] }
    let early = zip(minima, preferredWidths).enumerated().map { columns[$0].givesWayFirst ? $1.0 : $1.1 }
    return shrunk(shrunk(preferredWidths, to: width, minima: early), to: width, minima: minima)
  }

  /// The preferred width of a column.
  private func preferredWidth(_ index: Int) -> Int { min(columns[index].ideal ?? .max, widest(index)) }

  /// The width of a column's widest cell.
  private func widest(_ index: Int) -> Int {
    rows.reduce(TextWidth.of(columns[index].title)) { index < $1.count ? max($0, TextWidth.of($1[index])) : $0 }
  }

  /// Shrinks the column with the most spare width until all columns fit.
  private func shrunk(_ preferredWidths: [Int], to width: Int, minima: [Int]) -> [Int] {
    var widths = preferredWidths
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
