import FoundationEssentials
import Posts

/// Reads planner entries from an iCalendar file (RFC 5545): its events.
///
/// Of a recurring event, only the first instance becomes an entry. Tasks, alarms, and whatever else a file has are counted.
/// The file is read line by line, whatever its size.
public struct ICalendarReader {
  /// What a file held besides the entries.
  public struct LeftOut: Sendable, Equatable {
    /// Recurring events, of which the first instance was read, and changed instances of recurring events.
    public var recurrences = 0
    /// Tasks and journal entries.
    public var tasks = 0
    /// Reminders.
    public var alarms = 0
    /// Events that were cancelled.
    public var cancelled = 0
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
  private var open: [String] = []
  private var isBegun = false

  /// The most bytes of a line: a file of 24 MB within it.
  static let longestLine = 32 << 20
  /// The most bytes of an event.
  static let longestEvent = 64 << 20

  /// - Parameters:
  ///   - zone: The zone of times that name none.
  ///   - read: Returns the file's next bytes; none at its end.
  public init(zone: TimeZone = .autoupdatingCurrent, read: @escaping () throws -> [UInt8]) {
    lines = ContentLineReader(most: Self.longestLine, read: read)
    times = ICalendarTime(local: ZoneCalendar(zone))
  }

  /// The next entry; nil at the end.
  ///
  /// - Throws: `ICalendarError` if the file is no calendar, or what `read` throws.
  public mutating func next() throws -> EntryReading? {
    while let (bytes, isCut) = try lines.next() {
      guard let line = ContentLine(String(decoding: bytes, as: UTF8.self)) else {
        if !isBegun { throw ICalendarError.notACalendar }
        continue
      }
      guard isBegun || line.name == "BEGIN" && line.value.uppercased() == "VCALENDAR" else {
        throw ICalendarError.notACalendar
      }
      isBegun = true
      switch line.name {
      case "BEGIN": try begin(line.value.uppercased())
      case "END":
        if let found = try end(line.value.uppercased()) { return found }
      default:
        if open.last == "VEVENT" { event?.add(line, length: bytes.count, isCut: isCut) }
      }
    }
    guard isBegun else { throw ICalendarError.empty }
    guard open.isEmpty else { throw ICalendarError.truncated }
    return nil
  }

  private mutating func begin(_ component: String) throws {
    guard open.count < 20, component.utf8.count <= 100 else { throw ICalendarError.notACalendar }
    switch component {
    case "VEVENT": if open.last == "VCALENDAR" { event = ICalendarEvent() }
    case "VTODO", "VJOURNAL": counts.tasks += 1
    case "VALARM": counts.alarms += 1
    default: break
    }
    open.append(component)
  }

  private mutating func end(_ component: String) throws -> EntryReading? {
    guard open.popLast() == component else { throw ICalendarError.misplacedEnd(component) }
    guard component == "VEVENT", open.last == "VCALENDAR", let event else { return nil }
    self.event = nil
    return event.reading(&times, &counts)
  }
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
    case .notACalendar: "the file is no calendar: it does not begin with BEGIN:VCALENDAR"
    case .truncated: "the calendar is cut off: its end is missing"
    case .misplacedEnd(let name): "the calendar is damaged: END:\(name.prefix(40)) ends nothing that began"
    }
  }

  /// What to do about it.
  public var cure: String? { "export it again from the program it came from" }

  /// The exit status of the command.
  public var exitCode: ExitCode { .unreadable }
}
