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

  /// The line, never wider than `width` columns; what matters least goes first when it is narrow.
  public func render(width: Int) -> Inert {
    let count: Inert = total.map { "\(done)/\($0) \(unit)" } ?? "\(done) \(unit)"
    let weight: Inert = bytes > 0 ? "\(ByteText.of(bytes))" : ""
    let bar: Inert = total.map { drawn(of: $0, columns: 20) } ?? ""
    let choices = [
      [title, bar, count, weight, note], [title, bar, count, weight], [title, count, weight], [title, count],
    ]
    for choice in choices {
      let line = choice.filter { !$0.isEmpty }.joined(separator: "  ")
      if TextWidth.of(line) <= width { return line }
    }
    let room = width - TextWidth.of(count) - 2
    return room < 4 ? count.truncated(to: width) : "\(title.truncated(to: room))  \(count)"
  }

  private func drawn(of total: Int, columns: Int) -> Inert {
    let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
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
