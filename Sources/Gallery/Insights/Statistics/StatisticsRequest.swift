import FoundationEssentials
import Machine
import Storage
import Web

/// Which statistics are asked for: `from` and `to` are days, both included.
struct StatisticsRequest: Sendable {
  let from: String?
  let to: String?
  let length: PeriodLength?
  let query: StatisticsQuery

  init(_ fields: Fields, zone: TimeZone = .autoupdatingCurrent) throws(RequestError) {
    func value(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }
    (from, to) = (value("from"), value("to"))
    let length = value("by")
    self.length = length.flatMap { PeriodLength(rawValue: $0) }
    if length != nil, self.length == nil { throw .badParameter("by", must: "day, week or month") }
    let start = try Self.day(from, "from", zone)?.start
    let end = try Self.day(to, "to", zone)?.end
    if let start, let end, end <= start { throw .badParameter("to", must: "a day that is not before from") }
    var within: DateInterval?
    if start != nil || end != nil { within = DateInterval(start: start ?? Self.first, end: end ?? Self.last) }
    query = StatisticsQuery(within: within, length: self.length, zone: zone)
  }

  /// The first and the last moments that posts can have.
  private static let first = Date(timeIntervalSince1970: -62_135_596_800)
  private static let last = Date(timeIntervalSince1970: 253_402_300_799)

  private static func day(_ text: String?, _ name: String, _ zone: TimeZone) throws(RequestError) -> DateInterval? {
    guard let text else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let calendar = ZoneCalendar(zone)
    guard parts.count == 3, let noon = calendar.moment(year: parts[0], month: parts[1], day: parts[2], hour: 12) else {
      throw .badParameter(name, must: "a day such as 2026-11-21")
    }
    return calendar.day(of: noon)
  }

  /// The parameters.
  var queryText: String {
    [("from", from), ("to", to), ("by", length?.rawValue)].compactMap { name, value in
      value.map { "\(name)=\($0.queryEncoded)" }
    }.joined(separator: "&")
  }
}
