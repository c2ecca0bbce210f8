import FoundationEssentials
import Web

/// How far back the pictures of the status page go.
enum StatusSpan: Sendable, Equatable {
  /// As far as anything is known.
  case all
  /// So many days.
  case days(Int)

  /// What the page offers.
  static let choices: [(words: String, span: StatusSpan)] = [
    ("all", .all), ("5 years", .days(1826)), ("1 year", .days(365)), ("90 days", .days(90)), ("30 days", .days(30)),
    ("7 days", .days(7)), ("1 day", .days(1)),
  ]

  init(_ fields: Fields) throws(RequestError) {
    switch fields["days"] {
    case nil, "": self = .all
    case let text?:
      guard let days = Int(text), (1...100_000).contains(days) else {
        throw .badParameter("days", must: "a number of days")
      }
      self = .days(days)
    }
  }

  /// Its address.
  var link: String { if case .days(let days) = self { "/status?days=\(days)" } else { "/status" } }

  /// Its start; nil for all.
  func start(before now: Date) -> Date? { if case .days(let days) = self { now - Double(days) * 86_400 } else { nil } }
}
