import FoundationEssentials
import Posts
import Web

/// A moment as a person reads it here, with the exact one behind it.
struct LocalTime {
  private let moment: Date
  private let zone: TimeZone
  private var reading: ZoneCalendar.Reading { ZoneCalendar(zone).reading(of: moment) }

  init(_ moment: Date, _ zone: TimeZone = .autoupdatingCurrent) { (self.moment, self.zone) = (moment, zone) }

  /// `2026-11-21`.
  var day: String {
    let year = String(reading.year)
    return "\(String(repeating: "0", count: max(0, 4 - year.count)))\(year)-\(two(reading.month))-\(two(reading.day))"
  }

  /// `2026-11-21 14:05`.
  var text: String { "\(day) \(time)" }

  private var time: String { "\(two(reading.hour)):\(two(reading.minute))" }

  /// `2026-11-21 14:05:33 UTC+01:00`.
  var exact: String { "\(text):\(two(reading.second)) \(zoneName)" }

  /// `UTC+01:00`: what the clock here is ahead of UTC at the moment.
  var zoneName: String {
    // Before there were zones, towns were apart by seconds.
    let minutes = ZoneCalendar(zone).offset(at: moment) / 60
    guard minutes != 0 else { return "UTC" }
    return "UTC\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
  }

  /// As markup.
  var html: HTML { html(as: text) }

  /// As markup, with an end: `2026-11-21 14:05–16:00`, or with the day of the end if that is another.
  func html(until end: Date?) -> HTML {
    guard let last = end.map({ LocalTime($0, zone) }) else { return html }
    return last.day == day ? "\(html)–\(last.html(as: last.time))" : "\(html) – \(last.html)"
  }

  private func html(as text: String) -> HTML {
    "<time datetime=\"\(UTC.text(moment))\" title=\"\(exact)\">\(text)</time>"
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
