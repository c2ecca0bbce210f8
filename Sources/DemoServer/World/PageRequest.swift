import Foundation

/// Which part of a timeline is asked for (https://docs.joinmastodon.org/api/guidelines/#pagination).
struct PageRequest: Sendable, Equatable {
  /// 20 when not said, never more than 40.
  var limit = 20
  /// Only what is older.
  var maxID: Int64?
  /// Only what is newer, from the newest down: what lies between the page and this id is skipped.
  var sinceID: Int64?
  /// Only what is newer, from this id up; stronger than `sinceID`.
  var minID: Int64?

  /// The page, newest first, of `ids` in rising order, leaving out what `keep` refuses.
  func page(of ids: [Int64], keep: (Int64) -> Bool = { _ in true }) -> [Int64] {
    let end = maxID.map { max in ids.partitionPoint { $0 >= max } } ?? ids.count
    let floor = minID ?? sinceID
    let start = floor.map { floor in ids.partitionPoint { $0 > floor } } ?? 0
    guard start < end else { return [] }
    if minID != nil { return first(of: ids[start..<end], keep).reversed() }
    return first(of: ids[start..<end].reversed(), keep)
  }

  /// As many as fit on a page; looks no further than it must.
  private func first(of ids: some Sequence<Int64>, _ keep: (Int64) -> Bool) -> [Int64] {
    var page: [Int64] = []
    for id in ids {
      guard page.count < limit else { break }
      if keep(id) { page.append(id) }
    }
    return page
  }
}

extension PageRequest {
  /// Reads `limit`, `max_id`, `since_id` and `min_id` as Mastodon does: what is no number counts as 0. `firstID` finds the
  /// id by which a post has its place.
  init(_ fields: Fields, limit usual: Int = 20, firstID: (Int64) -> Int64 = { $0 }) {
    limit = fields.count("limit", atMost: usual * 2) ?? usual
    maxID = fields["max_id"].map { firstID(PageRequest.id($0)) }
    sinceID = fields["since_id"].map { firstID(PageRequest.id($0)) }
    minID = fields["min_id"].map { firstID(PageRequest.id($0)) }
  }

  private static func id(_ text: String) -> Int64 { Int64(text) ?? 0 }
}

extension [Int64] {
  /// The first place whose id meets `condition`, which holds from some place on.
  fileprivate func partitionPoint(where condition: (Int64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
