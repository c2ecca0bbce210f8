import FoundationEssentials
import Machine
import Posts

/// Reads planner entries from an iCalendar file (RFC 5545): its events.
///
/// Each instance of a recurring event becomes an entry, until two years ahead and at most `ICalendarSeries.most`; they come
/// after all others, because changes of them may stand anywhere in the file. So may descriptions of zones: events wait for
/// those. Tasks, alarms, and whatever else a file has are counted. The file is read line by line, whatever its size.
public struct ICalendarReader {
  /// What a file held besides the entries.
  public struct LeftOut: Sendable, Equatable {
    /// Instances of recurring events.
    public var recurrences = 0
    /// Recurring events that have more instances after two years, without end.
    public var endless = 0
    /// Recurring events with a rule that is not read, of which the first instance was.
    public var rules = 0
    /// Tasks and journal entries.
    public var tasks = 0
    /// Reminders.
    public var alarms = 0
    /// Events that were cancelled.
    public var cancelled = 0
    /// Entries of the library that the calendar cancels, or whose events have them no more.
    public var stale = 0
    /// Files that are neither on the web nor in the file, or too large.
    public var files = 0
    /// Zones that the system does not know. Their times were taken as local.
    public var zones: Set<String> = []

    /// Nothing was left out.
    public init() {}
  }

  /// What was left out so far.
  public var leftOut: LeftOut {
    var all = counts
    all.zones = times.unknown
    return all
  }

  private var lines: ContentLineReader
  private var times: ICalendarTime
  private var counts = LeftOut()
  private var event: ICalendarEvent?
  /// Events whose zones nothing has described so far, and the bytes that they take.
  private var waiting: [ICalendarEvent] = []
  private var held = 0
  private var open: [String] = []
  private var isBegun = false
  private var zone: ICalendarZone?
  private var recurring: RecurringEvents
  private var left: [EntryReading] = []

  /// The most bytes of a line: a file of 24 MB within it.
  static let longestLine = 32 << 20
  /// The most bytes of an event.
  static let longestEvent = 64 << 20

  /// - Parameters:
  ///   - zone: The zone of times that name none.
  ///   - now: The current time.
  ///   - known: Returns the entries that the library has of a recurring event, by their identities, the earliest first.
  ///   - read: Returns the file's next bytes; none at its end.
  public init(
    zone: TimeZone = .autoupdatingCurrent, now: Date,
    known: @escaping (_ event: String) throws -> [(uri: String, start: Date)] = { _ in [] },
    read: @escaping () throws -> [UInt8]
  ) {
    var text = WideText(read)
    lines = ContentLineReader(most: Self.longestLine) { try text.next() }
    times = ICalendarTime(local: ZoneCalendar(zone))
    recurring = RecurringEvents(local: ZoneCalendar(zone), now: now, known: known)
  }

  /// The next entry; nil at the end.
  ///
  /// - Throws: `ICalendarError` if the file is no calendar, or what `read` and `known` throw.
  public mutating func next() throws -> EntryReading? {
    if let found = try nextOfFile() { return found }
    while left.isEmpty {
      guard let more = try recurring.next(&counts) else { return nil }
      left = more.reversed()
    }
    return left.popLast()
  }

  private mutating func nextOfFile() throws -> EntryReading? {
    while let (bytes, isCut) = try lines.next() {
      guard let line = ContentLine(String(decoding: bytes, as: UTF8.self)) else {
        if !isBegun { throw ICalendarError.notACalendar }
        continue
      }
      guard isBegun || line.name == "BEGIN" && ["VCALENDAR", "VEVENT"].contains(line.value.uppercased()) else {
        throw ICalendarError.notACalendar
      }
      isBegun = true
      switch line.name {
      case "BEGIN": try begin(line.value.uppercased())
      case "END":
        if let found = try end(line.value.uppercased()) { return found }
      default:
        switch open.last {
        case "VEVENT": event?.add(line, length: bytes.count, isCut: isCut)
        case "VTIMEZONE": zone?.add(line, isInClock: false)
        case "STANDARD", "DAYLIGHT": zone?.add(line, isInClock: true)
        default: break
        }
      }
    }
    guard isBegun else { throw ICalendarError.empty }
    guard open.isEmpty else { throw ICalendarError.truncated }
    return try nextWaiting()
  }

  private mutating func nextWaiting() throws -> EntryReading? {
    if held > 0 { (waiting, held) = (waiting.reversed(), 0) }
    while let event = waiting.popLast() {
      if let reading = try reading(of: event) { return reading }
    }
    return nil
  }

  private mutating func begin(_ component: String) throws {
    guard open.count < 20, component.utf8.count <= 100 else { throw ICalendarError.notACalendar }
    switch component {
    case "VEVENT": if isOutermost { event = ICalendarEvent() }
    case "VTIMEZONE": zone = ICalendarZone()
    case "STANDARD", "DAYLIGHT": zone?.beginClock()
    case "VTODO", "VJOURNAL": counts.tasks += 1
    case "VALARM": counts.alarms += 1
    default: break
    }
    open.append(component)
  }

  private mutating func end(_ component: String) throws -> EntryReading? {
    guard open.popLast() == component else { throw ICalendarError.misplacedEnd(component) }
    if component == "VTIMEZONE", let zone {
      if let name = zone.name, let file = zone.file { times.describe(name, as: file) }
      self.zone = nil
    }
    guard component == "VEVENT", isOutermost, let event else { return nil }
    self.event = nil
    if !event.isReadable(&times), held + event.length <= Self.longestEvent {
      // Of an event with few letters, the rest is more.
      held += event.length + 1000
      waiting.append(event)
      return nil
    }
    return try reading(of: event)
  }

  private mutating func reading(of event: ICalendarEvent) throws -> EntryReading? {
    guard let found = event.found(&times, &counts) else { return nil }
    if case .single(let reading) = found { return reading }
    return try recurring.add(found, &counts)
  }

  /// Whether an event here belongs to the calendar. A file may be one event alone.
  private var isOutermost: Bool { open.isEmpty || open == ["VCALENDAR"] }
}

/// Why a file is no calendar.
public enum ICalendarError: ExplainedError, Equatable {
  /// It has nothing.
  case empty
  /// It does not begin as calendars do.
  case notACalendar
  /// It ends too early.
  case truncated
  /// A component ends that did not begin; its name.
  case misplacedEnd(String)

  /// What failed.
  public var summary: String {
    switch self {
    case .empty: "the calendar is empty"
    case .notACalendar: "the file is no calendar: it begins neither with BEGIN:VCALENDAR nor with BEGIN:VEVENT"
    case .truncated: "the calendar is cut off: its end is missing"
    case .misplacedEnd(let name): "the calendar is damaged: END:\(name.prefix(40)) ends nothing that began"
    }
  }

  /// What to do about it.
  public var cure: String? { "export it again from the program it came from" }

  /// The exit status of the command.
  public var exitCode: ExitCode { .unreadable }
}
