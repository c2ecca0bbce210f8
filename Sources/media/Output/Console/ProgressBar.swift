import Machine
import Terminal
import Wording

/// A line that shows the progress of an operation. A value: the caller draws it. Without a total it shows only what is done.
struct ProgressBar: Sendable, Equatable {
  /// The name of the operation: `tag:cats@mastodon.social`.
  var title: SafeText
  /// The completed amount.
  var done = 0
  /// The total amount, if known.
  var total: Int?
  /// The unit of `done` and `total`: `pages`.
  var unit: SafeText
  /// A second count besides `done`, such as a pull's pictures.
  struct Part: Sendable, Equatable {
    /// The completed amount.
    var done: Int
    /// The amount known so far.
    var known: Int
    /// Its unit: `pictures`.
    var unit: SafeText
  }

  /// The second count; nil if there is none.
  var part: Part?
  /// The number of bytes received so far; not shown while it is 0.
  var bytes = 0
  /// A note at the end: `waits 12 s`. A narrow line drops it first.
  var note: SafeText = ""

  /// The completed share, from 0 to 1; nil if no total is known.
  ///
  /// A pull learns of its pictures page by page. Each page to come is expected to have as many as those so far. If the
  /// number of pages is not known, only the pictures count.
  var share: Double? {
    let share = total.map { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : 1 }
    guard let part, part.known > 0 else { return share }
    return (share ?? 1) * min(1, max(0, Double(part.done) / Double(part.known)))
  }

  /// The line, at most `width` columns wide. A narrow line drops the least important parts first.
  func render(width: Int, pace: ProgressPace = ProgressPace()) -> SafeText {
    let count: SafeText = total.map { "\(done)/\($0) \(unit)" } ?? "\(done) \(unit)"
    let other: SafeText = part.map { "\($0.done)/\($0.known) \($0.unit)" } ?? ""
    let size: SafeText = bytes > 0 ? "\(NumberText.bytes(bytes))" : ""
    let speed: SafeText = pace.bytesPerSecond.map { "\(NumberText.bytes($0))/s" } ?? ""
    let rest: SafeText = pace.timeLeft.map { "\(Self.time($0)) left" } ?? ""
    let bar: SafeText = share.map { drawn($0, columns: 20) } ?? ""
    let short: SafeText = part == nil ? bar : share.map { drawn($0, columns: 10) } ?? ""
    let layouts = [
      [title, bar, count, other, size, speed, rest, note], [title, bar, count, other, size, speed, rest],
      [title, bar, count, other, size, rest], [title, short, count, other, rest], [title, count, other, size],
      [title, count, size], [title, count],
    ]
    for layout in layouts {
      let line = layout.filter { !$0.isEmpty }.joined(separator: "  ")
      if TextWidth.of(line) <= width { return line }
    }
    let room = width - TextWidth.of(count) - 2
    return room < 4 ? count.truncated(to: width) : "\(title.truncated(to: room))  \(count)"
  }

  /// `0:07`, `12:40`, `3:05:00`.
  private static func time(_ duration: Duration) -> String {
    let seconds = Int(min(duration.components.seconds, 359_999))
    let minutes = seconds / 60 % 60
    let short = seconds >= 3600 ? "\(seconds / 3600):\(minutes.digits(2))" : "\(minutes)"
    return "\(short):\((seconds % 60).digits(2))"
  }

  private func drawn(_ share: Double, columns: Int) -> SafeText {
    let full = Int(share * Double(columns))
    return SafeText(String(repeating: "━", count: full) + String(repeating: "─", count: columns - full))
  }
}
