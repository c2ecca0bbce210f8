import FoundationEssentials
import JSONReading
import Machine
import Posts

/// Reads planner entries from the diary's JSON: a list, one object, or one object a line.
///
/// Numbers may be numbers or strings. Times are seconds since 1970, also with a fraction, and milliseconds from 10^11 on.
/// The file is read entry by entry, whatever its size.
public struct DiaryReader {
  private var stream: JSONStream

  /// The most bytes of an entry as it is written.
  static let longest = 8 << 20

  /// - Parameter read: Returns the file's next bytes; none at its end.
  public init(read: @escaping () throws -> [UInt8]) {
    var text = WideText(read)
    stream = JSONStream(most: Self.longest) { try text.next() }
  }

  /// The next entry; nil at the end.
  ///
  /// - Throws: `DiaryError` if the file is not JSON, or what `read` throws.
  public mutating func next() throws -> EntryReading? {
    let element: JSONStream.Element?
    do { element = try stream.next() } catch let fault as JSONStream.Fault {
      throw DiaryError.notJSON(fault)
    }
    guard let element else { return nil }
    guard let object = JSONObject(element.bytes) else {
      if element.bytes.first == UInt8(ascii: "{") { throw Self.error(in: element) }
      return .unreadable(UnreadableEntry(reason: "it is no object", bytes: element.bytes))
    }
    switch Self.entry(object) {
    case .success(let entry): return .entry(entry)
    case .failure(let fault): return .unreadable(UnreadableEntry(reason: fault.reason, bytes: element.bytes))
    }
  }

  /// Why an object is none.
  private static func error(in element: JSONStream.Element) -> DiaryError {
    var start = 0
    do {
      _ = try JSONSlices.member("id", in: element.bytes)
    } catch {
      if case .malformed(let offset) = error { start = offset }
    }
    // “ and ”, „ and ‟ are E2 80 9C to E2 80 9F.
    let isTypographic =
      element.bytes[start...].starts(with: [0xE2, 0x80]) && element.bytes.count > start + 2
      && (0x9C...0x9F).contains(element.bytes[start + 2])
    if isTypographic { return .typographicQuotes(at: element.offset + start) }
    return .notJSON(.malformed(at: element.offset + start))
  }

  private struct Fault: Error { let reason: String }

  private static func entry(_ object: JSONObject) -> Result<CalendarEntry, Fault> {
    guard let id = number(object.value("id")).flatMap({ Int64(exactly: $0) }) else {
      return .failure(Fault(reason: "it has no number as its id"))
    }
    guard let start = moment(object.value("date_start")) else {
      return .failure(Fault(reason: "its date_start is no time"))
    }
    var finish: Date?
    if let written = object.value("date_finish"), !written.isNull, written.string != "" {
      finish = moment(written)
      if finish == nil { return .failure(Fault(reason: "its date_finish is no time")) }
    }
    if let finish, finish < start { return .failure(Fault(reason: "it ends before it begins")) }
    let (title, text) = (object.string("name"), object.string("description") ?? "")
    guard text.utf8.count <= CalendarEntry.longestText, (title?.utf8.count ?? 0) <= CalendarEntry.longestLine else {
      return .failure(Fault(reason: "its name or its description is too long"))
    }
    let words = CalendarEntry.words(title: title, caption: text)
    guard !words.name.isEmpty else { return .failure(Fault(reason: "it has no name")) }
    return .success(
      CalendarEntry(uri: "urn:diary:\(id)", start: start, finish: finish, name: words.name, text: words.text))
  }

  private static func moment(_ value: JSONValue?) -> Date? {
    guard let number = number(value) else { return nil }
    let date = Date(timeIntervalSince1970: abs(number) < DiaryWriter.milliseconds ? number : number / 1000)
    // Other years have no text in the library.
    return UTC.date(UTC.text(date)).flatMap { abs($0.timeIntervalSince(date)) < 1 ? date : nil }
  }

  private static func number(_ value: JSONValue?) -> Double? {
    guard let value else { return nil }
    if let number = value.number { return number }
    guard let text = value.string?.trimmingWhiteSpace, !text.isEmpty, text.utf8.count <= 40,
      text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }
}
