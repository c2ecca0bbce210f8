import Posts
import Storage
import Web

/// Which part of the tags or authors a page shows.
struct CountsRequest: Sendable {
  /// A part of the names; empty for all.
  let part: String
  let order: CountOrder
  /// The key of the last one of the page before.
  let after: CountKey?

  /// How many a page shows.
  static let limit = 120

  init(_ fields: Fields) throws(RequestError) {
    part = (fields["q"] ?? "").trimmingWhiteSpace
    let order = fields["by"].map { CountOrder(rawValue: $0) } ?? .count
    guard let order else { throw .badParameter("by", must: "count or name") }
    self.order = order
    after = fields["after"].flatMap { CountKey($0) }
    if let text = fields["after"], !text.isEmpty, after == nil {
      throw .badParameter("after", must: "the key of a row")
    }
  }

  /// The parameters of another page of the same list.
  func query(by order: CountOrder? = nil, after key: CountKey? = nil) -> String {
    let pairs = [
      ("q", part), ("by", (order ?? self.order) == .count ? "" : "name"), ("after", key?.description ?? ""),
    ]
    return pairs.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1.queryEncoded)" }.joined(separator: "&")
  }
}
