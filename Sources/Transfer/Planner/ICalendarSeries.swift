import FoundationEssentials
import Machine

/// A recurring event (RFC 5545, 3.8.5): its first entry, and when the others are.
///
/// Each instance is an entry of its own. The first has the identity of the event, each other one that and the time that the
/// rule gives it, so that a second import finds it (`SeriesNames`).
struct ICalendarSeries {
  /// How long each instance is.
  enum Length { case none, seconds(Double), duration(ICalendarDuration) }

  /// The instances of a series within the bounds.
  struct Instances {
    var starts: [Date] = []
    /// How many more there are.
    var left = 0
    /// Whether there are more without end.
    var isEndless = false
    /// Whether a rule was not read.
    var isUnread = false
  }

  /// The first instance.
  let entry: CalendarEntry
  /// The zone in which the event keeps its time of day.
  let calendar: ZoneCalendar
  let isDay: Bool
  /// Whether the event has a time of day and no zone.
  let isFloating: Bool
  let length: Length
  let rules: [(rule: RecurrenceRule?, until: ICalendarTime.Moment?)]
  /// Times that are added, and those that are left out.
  let added: [Date], removed: [ICalendarTime.Moment]
  /// When added times end that have an end of their own.
  let ends: [Date: Date]

  /// The most instances that become entries, and the most that are counted.
  static let most = 1000
  private static let mostCounted = 100_000

  /// The starts of the instances until a time.
  ///
  /// - Parameter budget: How many periods of rules may be looked at in the whole file.
  func instances(until end: Date, budget: inout Int) -> Instances {
    var instances = Instances()
    var starts: Set<Date> = [entry.start]
    for (rule, until) in rules {
      guard let rule, until != nil || rule.until == nil else {
        instances.isUnread = true
        continue
      }
      let isEndless = rule.count == nil && until == nil
      let most = min(Self.mostCounted, budget)
      var count = 0
      budget -= rule.eachDay(from: firstDay, most: most) { day in
        count += 1
        guard count <= min(rule.count ?? .max, Self.mostCounted) else { return false }
        guard let start = start(on: day) else { return true }
        if let until, until.day.map({ self.day(of: start) > $0 }) ?? (start > until.date) { return false }
        if isEndless, start > end {
          instances.isEndless = true
          return false
        }
        starts.insert(start)
        return true
      }
    }
    starts.formUnion(added)
    let exceptions = Set(removed.filter { !$0.isDay }.map(\.date)), days = removed.filter(\.isDay)
    let meant = starts.filter { start in
      !exceptions.contains(start) && !days.contains { isMeant(start, by: $0) }
    }.sorted()
    instances.starts = Array(meant.prefix { $0 <= end }.prefix(Self.most))
    instances.left = meant.count - instances.starts.count
    return instances
  }

  /// The entry of an instance. Only the first has the event's own files.
  func entry(at start: Date) -> CalendarEntry {
    guard start != entry.start else { return entry }
    var entry = entry
    (entry.uri, entry.start) = (uri(of: start), start)
    switch length {
    case .none: entry.finish = nil
    case .seconds(let seconds): entry.finish = start.addingTimeInterval(seconds)
    case .duration(let duration): entry.finish = duration.end(from: start, in: calendar)
    }
    entry.finish = ends[start] ?? entry.finish
    entry.files = entry.files.filter { if case .link = $0 { true } else { false } }
    return entry
  }

  /// The identity of the instance that the rule puts at a time.
  func uri(of start: Date) -> String {
    start == entry.start ? entry.uri : wholeURI(of: start)
  }

  /// The same with the time, even if it is the first.
  func wholeURI(of start: Date) -> String {
    Self.uri(entry.uri, moment(start), calendar)
  }

  /// The same as earlier versions named it, if that depended on the machine's zone.
  func formerURI(of start: Date) -> String? {
    guard isFloating || entry.formerURI != nil else { return nil }
    return Self.formerURI(entry.formerURI ?? entry.uri, moment(start), calendar)
  }

  private func moment(_ start: Date) -> ICalendarTime.Moment {
    ICalendarTime.Moment(date: start, day: isDay ? day(of: start) : nil, isFloating: isFloating)
  }

  /// The day of a time, counted in the zone of the event.
  func day(of start: Date) -> Int {
    let parts = calendar.reading(of: start)
    return UTC.days(year: parts.year, month: parts.month, day: parts.day)
  }

  /// `urn:ical:UID#20261124T090000Z`; without the `Z` for a time in no zone; or the day alone. So it is the same wherever the file is
  /// read.
  static func uri(_ event: String, _ moment: ICalendarTime.Moment, _ calendar: ZoneCalendar) -> String {
    let parts = (moment.isDay || moment.isFloating ? calendar : ZoneCalendar(.gmt)).reading(of: moment.date)
    let day = "\(parts.year)\(parts.month.digits(2))\(parts.day.digits(2))"
    let time = "\(parts.hour.digits(2))\(parts.minute.digits(2))\(parts.second.digits(2))"
    return moment.isDay ? "\(event)#\(day)" : "\(event)#\(day)T\(time)\(moment.isFloating ? "" : "Z")"
  }

  /// The same as earlier versions named it.
  static func formerURI(_ event: String, _ moment: ICalendarTime.Moment, _ calendar: ZoneCalendar) -> String {
    uri(event, ICalendarTime.Moment(date: moment.date, day: moment.day), calendar)
  }

  /// Whether a change or an exception means the instance at a time. Some programs write only its day.
  func isMeant(_ start: Date, by moment: ICalendarTime.Moment) -> Bool {
    moment.day.map { day(of: start) == $0 } ?? (start == moment.date)
  }

  private var firstDay: Int { day(of: entry.start) }

  /// The moment at which the clock shows the event's time on a day; nil if the zone skips the day.
  private func start(on day: Int) -> Date? {
    if day == firstDay { return entry.start }
    let (date, time) = (UTC.civil(fromDays: Int64(day)), calendar.reading(of: entry.start))
    return calendar.moment(
      year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: time.hour, minute: time.minute,
      second: time.second)
  }
}
