import MediaLibrary
import Terminal

/// How the days of a month tell how many posts they hold: all of them alike, so that one can be held against another.
struct DayMarks: Sendable, Equatable {
  /// What stands at a day.
  enum Kind: Sendable, Equatable { case words, number, bar }

  let kind: Kind
  /// Whether it stands behind the day's number; else below it.
  let isBeside: Bool
  private let most: Int

  /// Marks for these counts, each on so many columns. A bar stands for all of them where a number has no room.
  init(_ counts: [Total], width: Int, isBeside: Bool) {
    let counts = counts.filter { $0.known > 0 }
    self.isBeside = isBeside
    most = counts.map(\.known).max() ?? 0
    // Behind the number of a day and a wide gap: two numbers next to each other are taken for one, or for two days.
    let room = isBeside ? width - 4 : width
    let fits = { (text: (Total) -> String) in counts.allSatisfy { TextWidth.of(text($0)) <= room } }
    kind = !isBeside && fits(\.words) ? .words : fits(\.brief) ? .number : .bar
  }

  /// The columns of a day before it.
  var column: Int { isBeside ? (kind == .bar ? 2 : 4) : 0 }

  /// What stands at a day with so many posts.
  func text(of count: Total) -> String {
    switch kind {
    case .words: count.words
    case .number: count.brief
    case .bar: bar(count.known)
    }
  }

  /// As high as the count is among the others.
  private func bar(_ count: Int) -> String {
    let bars = ["▁", "▃", "▅", "█"]
    return bars[min(bars.count - 1, max(0, (count * bars.count - 1) / max(1, most)))]
  }
}
