/// One live line that says how far a work is: a value, drawn by whoever owns the terminal.
public struct ProgressBar: Sendable, Equatable {
  /// What is being done: `tag:cats@mastodon.social`.
  public var title: Inert
  /// How much is done.
  public var done: Int
  /// How much there is, where known.
  public var total: Int?
  /// The unit of `done` and `total`: `pages`.
  public var unit: Inert
  /// A second thing that is counted beside the first, such as a pull's pictures.
  public struct Part: Sendable, Equatable {
    /// How much of it is done.
    public var done: Int
    /// How much of it is known of so far.
    public var known: Int
    /// Its unit: `pictures`.
    public var unit: Inert

    /// A part from its parts.
    public init(done: Int, known: Int, unit: Inert) {
      (self.done, self.known, self.unit) = (done, known, unit)
    }
  }

  /// What is counted beside `done`; nil where there is nothing.
  public var part: Part?
  /// Bytes that came so far; none are shown while there are none.
  public var bytes: Int
  /// What else is to be said, at the end and first to go: `waits 12 s`.
  public var note: Inert

  /// A bar from its parts.
  public init(title: Inert, done: Int = 0, total: Int? = nil, unit: Inert, bytes: Int = 0, note: Inert = "") {
    self.title = title
    self.done = done
    self.total = total
    self.unit = unit
    self.bytes = bytes
    self.note = note
  }

  /// How much of all is done, from 0 to 1; nil where the total is not known. Pictures become known page by page: of the
  /// pages to come as many are expected as of those that came.
  public var share: Double? {
    guard let total else { return nil }
    let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
    guard let part, part.known > 0 else { return share }
    return share * min(1, max(0, Double(part.done) / Double(part.known)))
  }

  /// The line, never wider than `width` columns; what matters least goes first when it is narrow.
  public func render(width: Int, pace: ProgressPace = ProgressPace()) -> Inert {
    let count: Inert = total.map { "\(done)/\($0) \(unit)" } ?? "\(done) \(unit)"
    let other: Inert = part.map { "\($0.done)/\($0.known) \($0.unit)" } ?? ""
    let weight: Inert = bytes > 0 ? "\(ByteText.of(bytes))" : ""
    let speed: Inert = pace.bytesPerSecond.map { "\(ByteText.of($0))/s" } ?? ""
    let rest: Inert = pace.timeLeft.map { "\(Self.time($0)) left" } ?? ""
    let bar: Inert = share.map { drawn($0, columns: 20) } ?? ""
    let short: Inert = part == nil ? bar : share.map { drawn($0, columns: 10) } ?? ""
    let choices = [
      [title, bar, count, other, weight, speed, rest, note], [title, bar, count, other, weight, speed, rest],
      [title, bar, count, other, weight, rest], [title, short, count, other, rest], [title, count, other, weight],
      [title, count, weight], [title, count],
    ]
    for choice in choices {
      let line = choice.filter { !$0.isEmpty }.joined(separator: "  ")
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

  private func drawn(_ share: Double, columns: Int) -> Inert {
    let full = Int(share * Double(columns))
    return Inert(asIs: String(repeating: "━", count: full) + String(repeating: "─", count: columns - full))
  }
}

/// Numbers of bytes as people read them.
public enum ByteText {
  /// `999 B`, `1.5 kB`, `61.2 MB`: powers of a thousand, as disks and networks are sold.
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
