import FoundationEssentials
import Machine
import Posts

/// The lines of one event of an iCalendar file (RFC 5545, 3.6.1).
struct ICalendarEvent {
  /// What an event is.
  enum Found {
    /// An entry, or why it cannot be one.
    case single(EntryReading)
    case series(ICalendarSeries)
    /// A changed instance of the event with an identity, and which version of it; without a reading it does not take place.
    case change(of: String, at: ICalendarTime.Moment, version: Int, EntryReading?)
    /// The event with an identity does not take place.
    case cancelled(String)
  }

  private var properties: [String: ContentLine] = [:]
  private var categories: [String] = []
  private var attachments: [ContentLine] = []
  private var rules: [ContentLine] = []
  private var added: [ContentLine] = []
  private var removed: [ContentLine] = []
  private var lostFiles = 0
  /// About how many bytes it takes.
  private(set) var length = 0
  private var isTooLong = false

  /// The properties that an entry is made of. The first of each counts.
  private static let known: Set<String> = [
    "SUMMARY", "DTSTART", "DTEND", "DURATION", "DESCRIPTION", "LOCATION", "URL", "UID", "STATUS", "RECURRENCE-ID",
    "SEQUENCE",
  ]
  private static let mostTags = 1000
  private static let mostFiles = 100
  private static let mostRules = 10
  private static let mostDates = 2000

  /// Takes a line of the event.
  mutating func add(_ line: ContentLine, length: Int, isCut: Bool) {
    let isFile = line.name == "ATTACH"
    guard !isCut, self.length + length <= ICalendarReader.longestEvent else {
      if isFile { lostFiles += 1 } else { isTooLong = true }
      return
    }
    switch line.name {
    case "CATEGORIES": categories += line.texts.prefix(Self.mostTags - categories.count)
    case "ATTACH": if attachments.count < Self.mostFiles { attachments.append(line) } else { lostFiles += 1 }
    case "RRULE": if rules.count < Self.mostRules { rules.append(line) }
    case "RDATE": if added.count < Self.mostDates { added.append(line) }
    case "EXDATE": if removed.count < Self.mostDates { removed.append(line) }
    case let name where Self.known.contains(name): if properties[name] == nil { properties[name] = line }
    default: return
    }
    self.length += length
  }

  /// Whether all zones that it names can be read by now.
  func isReadable(_ times: inout ICalendarTime) -> Bool {
    let names = (Array(properties.values) + added + removed).compactMap { $0.parameters["TZID"] }
    return Set(names).allSatisfy { times.knows($0) }
  }

  /// What the event is; nil if it is left out.
  func found(_ times: inout ICalendarTime, _ counts: inout ICalendarReader.LeftOut) -> Found? {
    counts.files += lostFiles
    let changed = properties["RECURRENCE-ID"].flatMap { times.moment($0) }
    let isCancelled = properties["STATUS"]?.value.uppercased() == "CANCELLED"
    if isCancelled { counts.cancelled += 1 }
    if let changed, let event = uri(start: nil, name: "") {
      let version = properties["SEQUENCE"].flatMap { Int($0.value) } ?? 0
      return .change(of: event, at: changed, version: version, isCancelled ? nil : reading(&times, &counts))
    }
    if isCancelled { return uri(start: nil, name: "").map(Found.cancelled) }
    let single = reading(&times, &counts)
    guard !rules.isEmpty || !added.isEmpty, case .entry(let entry) = single else { return .single(single) }
    return series(entry, &times).map(Found.series) ?? .single(single)
  }

  private func series(_ entry: CalendarEntry, _ times: inout ICalendarTime) -> ICalendarSeries? {
    guard let line = properties["DTSTART"], let start = times.moment(line) else { return nil }
    let calendar = calendar(of: start, line, &times)
    var limits: [(rule: RecurrenceRule?, until: ICalendarTime.Moment?)] = []
    for rule in rules.map({ RecurrenceRule($0.value) }) {
      limits.append((rule, rule?.until.flatMap { times.moment($0, in: line.parameters["TZID"]) }))
    }
    return ICalendarSeries(
      entry: entry, calendar: calendar, isDay: start.isDay, isFloating: start.isFloating,
      length: length(of: entry, isDay: start.isDay),
      rules: limits,
      added: added.flatMap { times.moments($0) }.map(\.date), removed: removed.flatMap { times.moments($0) },
      ends: added.reduce(into: [:]) { ends, line in ends.merge(times.ends(line)) { first, _ in first } })
  }

  private func length(of entry: CalendarEntry, isDay: Bool) -> ICalendarSeries.Length {
    let written = properties["DTEND"] == nil ? properties["DURATION"].flatMap { ICalendarDuration($0.value) } : nil
    if let written { return .duration(written) }
    guard let finish = entry.finish else { return .none }
    let seconds = finish.timeIntervalSince(entry.start)
    return isDay ? .duration(ICalendarDuration(days: Int((seconds / 86_400).rounded()))) : .seconds(seconds)
  }

  /// The zone in which an event keeps its time of day.
  private func calendar(
    of start: ICalendarTime.Moment, _ line: ContentLine, _ times: inout ICalendarTime
  ) -> ZoneCalendar {
    let isZoned = !start.isDay && !line.value.hasSuffix("Z")
    return isZoned ? times.calendar(of: line.parameters["TZID"]) : start.isDay ? times.local : ZoneCalendar(.gmt)
  }

  private func reading(_ times: inout ICalendarTime, _ counts: inout ICalendarReader.LeftOut) -> EntryReading {
    guard !isTooLong else { return unreadable("it is too long") }
    guard let line = properties["DTSTART"], let start = times.moment(line) else {
      return unreadable("it has no start that can be read")
    }
    guard let finish = finish(of: start, line, &times) else { return unreadable("it has no end that can be read") }
    if let finish = finish.date, finish < start.date { return unreadable("it ends before it begins") }
    let text = [properties["DESCRIPTION"]?.text ?? "", location].filter { !$0.isEmpty }.joined(separator: "\n\n")
    let words = CalendarEntry.words(title: properties["SUMMARY"]?.text, caption: text)
    guard words.name.utf8.count <= CalendarEntry.longestLine, text.utf8.count <= CalendarEntry.longestText else {
      return unreadable("its name or its description is too long")
    }
    let name = words.name.isEmpty ? "Untitled" : words.name
    // What is written is the same wherever it is read.
    let written = start.isDay || start.isFloating ? String(line.value) : UTC.text(start.date)
    guard let uri = uri(start: written, name: name) else { return unreadable("its UID is too long") }
    var entry = CalendarEntry(
      uri: uri, start: start.date, finish: finish.date, name: name, text: words.text, url: url, tags: tags,
      files: files(&counts))
    let former = self.uri(start: UTC.text(start.date), name: name)
    entry.formerURI = former == uri ? nil : former
    return .entry(entry)
  }

  private func unreadable(_ reason: String) -> EntryReading {
    let lines = ["UID", "SUMMARY", "DTSTART", "DTEND"].compactMap { name in
      properties[name].map { "\(name):\($0.value.prefix(1000))\n" }
    }
    return .unreadable(UnreadableEntry(reason: reason, bytes: Array(lines.joined().utf8)))
  }

  /// The end, from its own line or from the duration. A whole day without either lasts a day. nil if it cannot be read.
  private func finish(
    of start: ICalendarTime.Moment, _ line: ContentLine, _ times: inout ICalendarTime
  ) -> (date: Date?, Void)? {
    if let end = properties["DTEND"] { return times.moment(end).map { ($0.date, ()) } }
    let calendar = calendar(of: start, line, &times)
    if let line = properties["DURATION"] {
      guard let duration = ICalendarDuration(line.value) else { return nil }
      return duration.end(from: start.date, in: calendar).map { ($0, ()) }
    }
    return (start.isDay ? calendar.day(of: start.date).end : nil, ())
  }

  private var location: String {
    let location = properties["LOCATION"]?.text ?? ""
    return location.isEmpty ? "" : "Location: \(location)"
  }

  private var url: String? {
    guard let url = properties["URL"]?.value, url.utf8.count <= CalendarEntry.longestLine, Self.isOnWeb(url) else {
      return nil
    }
    return String(url)
  }

  /// Categories may have several words, and tags are one.
  private var tags: [String] {
    var seen: Set<String> = []
    return categories.map { Feed.tagName($0.split(whereSeparator: \.isWhitespace).joined(separator: "_")) }
      .filter { !$0.isEmpty && $0.utf8.count <= 600 && seen.insert($0).inserted }
  }

  /// The identity; nil if it is too long, or if only a start could tell it.
  private func uri(start: String?, name: String) -> String? {
    let uid = properties["UID"]?.text.trimmingWhiteSpace ?? ""
    if uid.utf8.count > 1000 { return nil }
    // Entries that the library wrote carry their own identity.
    if ["urn:uuid:", "urn:diary:", "urn:ical:"].contains(where: uid.hasPrefix) { return uid }
    return uid.isEmpty ? start.map { "urn:ical:\($0) \(name.prefix(200))" } : "urn:ical:\(uid)"
  }

  private func files(_ counts: inout ICalendarReader.LeftOut) -> [CalendarEntry.File] {
    var files: [CalendarEntry.File] = []
    for line in attachments {
      if let file = Self.file(line) { files.append(file) } else { counts.files += 1 }
    }
    return files
  }

  private static func file(_ line: ContentLine) -> CalendarEntry.File? {
    let type = line.parameters["FMTTYPE"].flatMap { $0.utf8.count <= 100 ? $0.lowercased() : nil }
    if line.parameters["ENCODING"]?.uppercased() == "BASE64" || line.parameters["VALUE"]?.uppercased() == "BINARY" {
      guard let data = Data(base64Encoded: String(line.value), options: .ignoreUnknownCharacters), !data.isEmpty else {
        return nil
      }
      let name = line.parameters["FILENAME"] ?? line.parameters["X-FILENAME"]
      return .bytes([UInt8](data), mediaType: type, name: name.flatMap { $0.utf8.count <= 1000 ? $0 : nil })
    }
    guard line.value.utf8.count <= CalendarEntry.longestLine, isOnWeb(line.value) else { return nil }
    return .link(String(line.value), mediaType: type)
  }

  private static func isOnWeb(_ url: Substring) -> Bool {
    ["https://", "http://"].contains { url.prefix($0.count).lowercased() == $0 }
      && !url.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }
}
