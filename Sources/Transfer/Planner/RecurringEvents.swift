import FoundationEssentials
import Machine

/// The recurring events of a calendar, and the changes of their instances, which may stand before them or after.
struct RecurringEvents {
  private struct Change {
    let moment: ICalendarTime.Moment
    let version: Int
    let reading: EntryReading?
  }

  private let local: ZoneCalendar
  private let end: Date
  private let known: (_ event: String) throws -> [(uri: String, start: Date)]
  private var series: [ICalendarSeries] = []
  private var changes: [String: [Change]] = [:]
  private var nextSeries = 0
  /// Changes whose events are not in the file, once all events were read; the last comes first.
  private var alone: [(event: String, changes: [Change])]?
  private var held = 0
  private var periods = 4_000_000

  /// The bytes of entries that wait for the file's end.
  private static let mostHeld = 64 << 20

  /// - Parameters:
  ///   - local: The calendar of whole days.
  ///   - now: The current time.
  ///   - known: Returns the entries that the library has of an event, the earliest first.
  init(
    local: ZoneCalendar, now: Date, known: @escaping (_ event: String) throws -> [(uri: String, start: Date)]
  ) {
    self.known = known
    (self.local, end) = (local, local.moment(24, .month, after: now) ?? now)
  }

  /// Keeps a recurring event or a change until the file's end.
  ///
  /// - Returns: What comes at once instead, because too much waits already.
  mutating func add(_ found: ICalendarEvent.Found, _ counts: inout ICalendarReader.LeftOut) throws -> EntryReading? {
    switch found {
    case .single(let reading): return reading
    case .cancelled(let event): counts.stale += try known(event).count
    case .series(let event):
      held += event.entry.byteCount
      guard held <= Self.mostHeld else {
        counts.rules += 1
        return .entry(event.entry)
      }
      series.append(event)
    case .change(let event, let moment, let version, let reading):
      if case .entry(let entry) = reading { held += entry.byteCount }
      held += event.utf8.count
      guard held <= Self.mostHeld else {
        counts.recurrences += 1
        return nil
      }
      changes[event, default: []].append(Change(moment: moment, version: version, reading: reading))
    }
    return nil
  }

  /// The entries of the next event, or of the changes whose events are not in the file; nil at the end.
  mutating func next(_ counts: inout ICalendarReader.LeftOut) throws -> [EntryReading]? {
    guard nextSeries < series.count else {
      if alone == nil { alone = changes.sorted { $0.key > $1.key }.map { ($0.key, Self.newest($0.value)) } }
      guard let (event, own) = alone?.popLast() else { return nil }
      let cancelled = own.filter { $0.reading == nil }.flatMap { change in
        [ICalendarSeries.uri, ICalendarSeries.formerURI].map { $0(event, change.moment, local) }
      }
      if !cancelled.isEmpty { counts.stale += try known(event).count { cancelled.contains($0.uri) } }
      return own.compactMap { change in
        change.reading.map {
          Self.named(
            $0, ICalendarSeries.uri(event, change.moment, local),
            former: ICalendarSeries.formerURI(event, change.moment, local))
        }
      }
    }
    defer { nextSeries += 1 }
    let event = series[nextSeries]
    let instances = event.instances(until: end, budget: &periods)
    counts.recurrences += instances.left
    counts.endless += instances.isEndless ? 1 : 0
    counts.rules += instances.isUnread ? 1 : 0
    var changed = Self.byVersion(changes.removeValue(forKey: event.entry.uri) ?? [])
    // Instances that were moved from where the rule is not followed any more.
    let astray = Self.newest(
      changed.filter { change in !instances.starts.contains { event.isMeant($0, by: change.moment) } })
    let entries = try known(event.entry.uri) + (event.entry.formerURI.map(known) ?? [])
    let names = SeriesNames(
      of: event, at: instances.starts, known: entries,
      except: Set(astray.flatMap { [event.uri(of: $0.moment.date), event.formerURI(of: $0.moment.date) ?? ""] }))
    var readings: [EntryReading] = []
    for start in instances.starts {
      // Of several changes of one instance, the last version counts.
      guard let change = changed.last(where: { event.isMeant(start, by: $0.moment) }) else {
        readings.append(Self.named(.entry(event.entry(at: start)), names[start]))
        continue
      }
      changed.removeAll { event.isMeant(start, by: $0.moment) }
      if let reading = change.reading { readings.append(Self.named(reading, names[start])) }
    }
    readings += astray.compactMap { change in
      let date = change.moment.date
      return change.reading.map { Self.named($0, event.uri(of: date), former: event.formerURI(of: date)) }
    }
    let own = Set(readings.flatMap(\.uris))
    counts.stale += entries.count { !own.contains($0.uri) }
    return readings
  }

  /// The newest last; of one version, the last in the file.
  private static func byVersion(_ changes: [Change]) -> [Change] {
    changes.enumerated().sorted { ($0.element.version, $0.offset) < ($1.element.version, $1.offset) }.map(\.element)
  }

  /// Of each instance its newest version.
  private static func newest(_ changes: [Change]) -> [Change] {
    var known: Set<Date> = []
    return byVersion(changes).reversed().filter { known.insert($0.moment.date).inserted }.reversed()
  }

  private static func named(_ reading: EntryReading, _ uri: String, former: String? = nil) -> EntryReading {
    guard case .entry(var entry) = reading else { return reading }
    (entry.uri, entry.formerURI) = (uri, former == uri ? nil : former)
    return .entry(entry)
  }
}

extension EntryReading {
  /// The identities of what can be read.
  fileprivate var uris: [String] {
    if case .entry(let entry) = self { [entry.uri, entry.formerURI].compactMap(\.self) } else { [] }
  }
}

extension CalendarEntry {
  /// About as many bytes as it takes.
  fileprivate var byteCount: Int {
    let own = name.utf8.count + text.utf8.count + tags.reduce(200) { $0 + $1.utf8.count }
    return files.reduce(own) { sum, file in
      switch file {
      case .link(let url, _): sum + url.utf8.count
      case .bytes(let bytes, _, _): sum + bytes.count
      }
    }
  }
}
