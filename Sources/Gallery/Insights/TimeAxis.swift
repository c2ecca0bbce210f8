import FoundationEssentials
import Machine
import Web
import Wording

/// A time range drawn from left to right, with marks at round moments of a time zone.
struct TimeAxis: Sendable {
  /// A mark with its words.
  struct Mark: Sendable, Equatable {
    /// From 0 to 1.
    let position: Double
    let words: String

    /// Which point of the words is at the position: those at an end stay inside.
    fileprivate var anchor: Anchor { position < 0.08 ? .start : position > 0.92 ? .end : .middle }
  }

  fileprivate enum Anchor: String { case start, middle, end }

  let range: DateInterval
  private let zone: TimeZone

  init(_ range: DateInterval, _ zone: TimeZone) {
    // An axis of one moment would have no positions.
    self.range = range.duration >= 60 ? range : DateInterval(start: range.end - 3600, end: range.end)
    self.zone = zone
  }

  /// Where a moment is, from 0 to 1. Moments outside are at the ends.
  func position(_ moment: Date) -> Double {
    min(max(moment.timeIntervalSince(range.start) / range.duration, 0), 1)
  }

  /// A part of the range as a rectangle, at least a pixel or two wide.
  func span(from: Date, to: Date) -> (x: String, width: String) {
    let (start, end) = (position(from), position(to))
    let width = max(end - start, 0.004)
    return (NumberText.percent(min(start, 1 - width)), NumberText.percent(width))
  }

  private static let hour = 3600.0, day = 86_400.0

  /// At most `limit` marks.
  func marks(atMost limit: Int = 5) -> [Mark] {
    let most = Double(limit)
    for hours in [1, 3, 6, 12] where range.duration / (Double(hours) * Self.hour) <= most { return self.hours(hours) }
    for days in [1, 2, 7, 14] where range.duration / (Double(days) * Self.day) <= most { return self.days(days) }
    for months in [1, 3, 6, 12, 24, 60, 120] where range.duration / (Double(months) * 30.4 * Self.day) <= most {
      return self.months(months)
    }
    return months(600)
  }

  private func hours(_ step: Int) -> [Mark] {
    let localCalendar = LocalCalendar(zone: zone)
    var (day, marks) = (localCalendar.day(of: range.start), [Mark]())
    while day.start < range.end {
      for hour in localCalendar.hours(of: day) where range.contains(hour.start) {
        let reading = ZoneCalendar(zone).reading(of: hour.start)
        guard reading.hour % step == 0, reading.minute == 0 else { continue }
        let isMidnight = reading.hour == 0
        marks.append(
          mark(hour.start, isMidnight ? "\(reading.day) \(Self.month(reading.month))" : localCalendar.time(hour.start)))
      }
      let next = localCalendar.day(of: day.end)
      guard next.start > day.start else { break }
      day = next
    }
    return marks
  }

  private func days(_ step: Int) -> [Mark] {
    let localCalendar = LocalCalendar(zone: zone)
    var (day, marks) = (localCalendar.day(of: range.end), [Mark]())
    while day.start >= range.start, marks.count < 20 {
      let reading = ZoneCalendar(zone).reading(of: day.start)
      marks.append(mark(day.start, "\(reading.day) \(Self.month(reading.month))"))
      day = localCalendar.day(-step, after: day)
    }
    return marks.reversed()
  }

  private func months(_ step: Int) -> [Mark] {
    let calendar = ZoneCalendar(zone)
    let last = calendar.reading(of: range.end)
    var (number, marks) = (last.year * 12 + last.month - 1, [Mark]())
    number -= step >= 12 ? number % (step / 12 * 12) : number % step
    while marks.count < 20, let start = calendar.moment(year: number / 12, month: number % 12 + 1, day: 1),
      start >= range.start
    {
      let year = number / 12
      marks.append(mark(start, step >= 12 ? "\(year)" : "\(Self.month(number % 12 + 1)) \(year)"))
      number -= step
    }
    return marks.reversed()
  }

  private func mark(_ moment: Date, _ words: String) -> Mark { Mark(position: position(moment), words: words) }

  private static func month(_ number: Int) -> Substring { LocalCalendar.months[number - 1].prefix(3) }

  /// The marks as a picture of their own. What they mark has words beside it, so screen readers skip it.
  var html: HTML {
    let all = marks()
    let marks = all.indices.map { index -> HTML in
      let (mark, anchor) = (all[index], all[index].anchor)
      let x = NumberText.percent(mark.position)
      // Words at an end are drawn towards those beside them, which a narrow screen has no room for.
      let isBesideEnd = [index - 1, index + 1].contains {
        all.indices.contains($0) && all[$0].anchor != .middle && abs(all[$0].position - mark.position) < 0.25
      }
      let crowded: HTML = isBesideEnd && anchor == .middle ? " class=\"crowded\"" : ""
      return """
        <line class="tick" x1="\(x)" x2="\(x)" y1="0" y2="5"/>\
        <text x="\(x)" y="18" text-anchor="\(anchor.rawValue)"\(crowded)>\(mark.words)</text>
        """
    }
    return """
      <svg class="axis" width="100%" height="22" aria-hidden="true" focusable="false"><line class="tick" x1="0" x2="100%" \
      y1="0.5" y2="0.5"/>\(HTML.joined(marks))</svg>
      """
  }
}
