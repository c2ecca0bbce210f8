import FoundationEssentials
import Posts

/// The lines of one event of an iCalendar file (RFC 5545, 3.6.1).
struct ICalendarEvent {
  private var properties: [String: ContentLine] = [:]
  private var categories: [String] = []
  private var attachments: [ContentLine] = []
  private var isRecurring = false
  private var lostFiles = 0
  private var length = 0
  private var isTooLong = false

  /// The properties that an entry is made of. The first of each counts.
  private static let known: Set<String> = [
    "SUMMARY", "DTSTART", "DTEND", "DURATION", "DESCRIPTION", "LOCATION", "URL", "UID", "STATUS", "RECURRENCE-ID",
  ]
  private static let mostTags = 1000
  private static let mostFiles = 100

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
    case "RRULE", "RDATE": isRecurring = true
    case let name where Self.known.contains(name): if properties[name] == nil { properties[name] = line }
    default: return
    }
    self.length += length
  }

  /// The entry; nil if it is left out.
  func reading(_ times: inout ICalendarTime, _ counts: inout ICalendarReader.LeftOut) -> EntryReading? {
    counts.files += lostFiles
    if properties["RECURRENCE-ID"] != nil {
      counts.recurrences += 1
      return nil
    }
    if properties["STATUS"]?.value.uppercased() == "CANCELLED" {
      counts.cancelled += 1
      return nil
    }
    if isRecurring { counts.recurrences += 1 }
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
    guard let uri = uri(start: start.date, name: name) else { return unreadable("its UID is too long") }
    return .entry(
      CalendarEntry(
        uri: uri, start: start.date, finish: finish.date, name: name, text: words.text, url: url, tags: tags,
        files: files(&counts)))
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
    let isZoned = !start.isDay && !line.value.hasSuffix("Z")
    let calendar =
      isZoned ? times.calendar(of: line.parameters["TZID"]) : start.isDay ? times.local : ZoneCalendar(.gmt)
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

  private func uri(start: Date, name: String) -> String? {
    let uid = properties["UID"]?.text.trimmingWhiteSpace ?? ""
    if uid.utf8.count > 1000 { return nil }
    // Entries that the library wrote carry their own identity.
    if ["urn:uuid:", "urn:diary:", "urn:ical:"].contains(where: uid.hasPrefix) { return uid }
    return uid.isEmpty ? "urn:ical:\(UTC.text(start)) \(name.prefix(200))" : "urn:ical:\(uid)"
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
