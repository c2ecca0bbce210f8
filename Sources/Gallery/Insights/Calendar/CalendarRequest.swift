import FoundationEssentials
import Machine
import MediaLibrary
import Storage
import Web

/// Which month of which list the calendar shows, and which day is open in it.
struct CalendarRequest: Sendable {
  /// The list, without the day.
  let list: ListAddress
  let zone: TimeZone
  /// The open day: today, unless another day or a month is named.
  let open: DateInterval?
  /// A day of the month.
  let month: DateInterval
  /// The present day.
  let today: DateInterval

  init(_ fields: Fields, now: Date, zone: TimeZone = .autoupdatingCurrent) throws(RequestError) {
    var list = ListAddress(fields)
    let day = list.day
    list.day = nil
    (self.list, self.zone) = (list, zone)
    let localCalendar = LocalCalendar(zone: zone)
    today = localCalendar.day(of: now)
    let chosen = try day.map { (text: String) throws(RequestError) in
      try Self.day(Self.numbers(text, 3), of: zone, "day", "a day such as 2026-11-21")
    }
    let text = fields["month"].flatMap { $0.isEmpty ? nil : $0 }
    guard let text else {
      (open, month) = (chosen ?? today, chosen ?? today)
      return
    }
    month = try Self.day(Self.numbers(text, 2).map { $0 + [15] }, of: zone, "month", "a month such as 2026-11")
    // A day of another month would be shown below a month in which nobody can see it.
    let shown = month
    open = chosen.flatMap { localCalendar.days(ofMonthOf: shown).contains($0) ? $0 : nil }
  }

  private static func numbers(_ text: String, _ count: Int) -> [Int]? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil }
    return parts.count == count && numbers.count == count ? numbers : nil
  }

  private static func day(
    _ numbers: [Int]?, of zone: TimeZone, _ name: String, _ must: String
  ) throws(RequestError) -> DateInterval {
    let calendar = ZoneCalendar(zone)
    let noon = numbers.flatMap { calendar.moment(year: $0[0], month: $0[1], day: $0[2], hour: 12) }
    guard let noon else { throw .badParameter(name, must: must) }
    return calendar.day(of: noon)
  }

  /// The posts that are counted: what is planned among them, and nothing that is hidden, as in the lists that the days lead to.
  func counted(in library: Library) throws -> PostListQuery {
    var list = try list.list(in: library)
    list.hidden = .excluded
    return list
  }

  /// The address of another month or day of the same list.
  func link(month: String? = nil, day: String? = nil) -> String {
    var list = list
    list.day = day
    let parts = [month.map { "month=\($0)" }, list.query.isEmpty ? nil : list.query].compactMap(\.self)
    return parts.isEmpty ? "/calendar" : "/calendar?\(parts.joined(separator: "&"))"
  }
}
