import FoundationEssentials

/// Writes planner entries as the diary's JSON: a list of objects such as
/// `{"id":1,"date_start":"147600000","date_finish":"147610000","name":"My task","description":"…"}`.
///
/// Times are whole seconds since 1970, as strings. From the year 5138 on they are milliseconds, as readers take so large a
/// number. An entry without an end has its start in its place.
public struct DiaryWriter {
  private var count = 0

  /// A writer of a new list.
  public init() {}

  /// The bytes of the next entry.
  public mutating func write(_ entry: CalendarEntry, id: Int64) -> [UInt8] {
    defer { count += 1 }
    var json = JSONBytes()
    json.raw(count == 0 ? "[\n{" : ",\n{")
    json.raw("\"id\":")
    json.integer(id)
    json.raw(",\"date_start\":\"\(Self.number(entry.start))\"")
    json.raw(",\"date_finish\":\"\(Self.number(entry.finish ?? entry.start))\"")
    json.raw(",\"name\":")
    json.string(entry.name)
    json.raw(",\"description\":")
    json.string(entry.text)
    json.raw("}")
    return json.bytes
  }

  /// The bytes after the last entry.
  public func end() -> [UInt8] { Array((count == 0 ? "[]\n" : "\n]\n").utf8) }

  /// The time at which seconds are taken for milliseconds, in seconds.
  static let milliseconds = 1e11

  private static func number(_ date: Date) -> Int64 {
    let seconds = date.timeIntervalSince1970
    return Int64((abs(seconds) < milliseconds ? seconds : seconds * 1000).rounded(.down))
  }
}
