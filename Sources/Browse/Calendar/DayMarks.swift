import MediaLibrary
import Terminal

/// How a month shows post counts. All days use one form, so that they can be compared.
struct DayMarks: Sendable, Equatable {
  /// The mark of a day.
  enum Kind: Sendable, Equatable { case text, number, bar }

  let kind: Kind
  /// Whether the mark stands after the day's number; otherwise below it.
  let isBeside: Bool
  private let most: Int

  /// Marks for these counts in cells of this width. Every day gets a bar if one number does not fit.
  init(_ counts: [Total], width: Int, isBeside: Bool) {
    let counts = counts.filter { $0.known > 0 }
    self.isBeside = isBeside
    most = counts.map(\.known).max() ?? 0
    // The wide gap keeps the day's number and the count from being read as one number or as two days.
    let room = isBeside ? width - 4 : width
    let fits = { (text: (Total) -> String) in counts.allSatisfy { TextWidth.of(text($0)) <= room } }
    kind = !isBeside && fits(\.text) ? .text : fits(\.brief) ? .number : .bar
  }

  /// The columns before the mark.
  var column: Int { isBeside ? (kind == .bar ? 2 : 4) : 0 }

  /// The mark of a day with this many posts.
  func text(of count: Total) -> String {
    switch kind {
    case .text: count.text
    case .number: count.brief
    case .bar: bar(count.known)
    }
  }

  /// The bar's height relative to the largest count.
  private func bar(_ count: Int) -> String {
    let bars = ["▁", "▃", "▅", "█"]
    return bars[min(bars.count - 1, max(0, (count * bars.count - 1) / max(1, most)))]
  }
}
