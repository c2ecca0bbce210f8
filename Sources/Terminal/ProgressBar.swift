/// A line that shows the progress of an operation. A value: the caller draws it.
public struct ProgressBar: Sendable, Equatable {
  /// The name of the operation: `tag:cats@mastodon.social`.
  public var title: SafeText
  /// The completed amount.
  public var done: Int
  /// The total amount, if known.
  public var total: Int?
  /// The unit of `done` and `total`: `pages`.
  public var unit: SafeText
  /// A second count besides `done`, such as a pull's pictures.
  public struct Part: Sendable, Equatable {
    /// The completed amount.
    public var done: Int
    /// The amount known so far.
    public var known: Int
    /// Its unit: `pictures`.
    public var unit: SafeText

    /// A count from its parts.
    public init(done: Int, known: Int, unit: SafeText) {
      (self.done, self.known, self.unit) = (done, known, unit)
    }
  }

  /// The second count; nil if there is none.
  public var part: Part?
  /// The number of bytes received so far; not shown while it is 0.
  public var bytes: Int
  /// A note at the end: `waits 12 s`. A narrow line drops it first.
  public var note: SafeText

  /// A bar from its parts.
  public init(title: SafeText, done: Int = 0, total: Int? = nil, unit: SafeText, bytes: Int = 0, note: SafeText = "") {
    self.title = title
    self.done = done
    self.total = total
    self.unit = unit
    self.bytes = bytes
    self.note = note
  }

  /// The completed share, from 0 to 1; nil if no total is known.
  ///
  /// A pull learns of its pictures page by page. Each page to come is expected to have as many as those so far. If the
  /// number of pages is not known, only the pictures count.
  public var share: Double? {
    let share = total.map { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : 1 }
    guard let part, part.known > 0 else { return share }
    return (share ?? 1) * min(1, max(0, Double(part.done) / Double(part.known)))
  }

  /// The line, at most `width` columns wide. A narrow line drops the least important parts first.
  public func render(width: Int, pace: ProgressPace = ProgressPace()) -> SafeText {
    let count: SafeText = total.map { "\(done)/\($0) \(unit)" } ?? "\(done) \(unit)"
    let other: SafeText = part.map { "\($0.done)/\($0.known) \($0.unit)" } ?? ""
    let size: SafeText = bytes > 0 ? "\(ByteText.of(bytes))" : ""
    let speed: SafeText = pace.bytesPerSecond.map { "\(ByteText.of($0))/s" } ?? ""
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
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60 % 60
    let short = seconds >= 3600 ? "\(seconds / 3600):\(two(minutes))" : "\(minutes)"
    return "\(short):\(two(seconds % 60))"
  }

  private func drawn(_ share: Double, columns: Int) -> SafeText {
    let full = Int(share * Double(columns))
    return SafeText(unchecked: String(repeating: "━", count: full) + String(repeating: "─", count: columns - full))
  }
}

/// Formats numbers of bytes for people.
public enum ByteText {
  /// `999 B`, `1.5 kB`, `61.2 MB`: powers of 1000, the usual units of disks and networks.
  public static func of(_ bytes: Int) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard bytes >= 1000 else { return "\(max(0, bytes)) B" }
    var tenths = bytes / 100
    var unit = 0
    while tenths >= 10_000, unit < units.count - 1 {
      tenths /= 1000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
