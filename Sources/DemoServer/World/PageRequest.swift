import Web

/// The requested part of a timeline (https://docs.joinmastodon.org/api/guidelines/#pagination).
struct PageRequest: Sendable, Equatable {
  /// 20 by default, never more than 40.
  var limit = 20
  /// Only older posts.
  var maxID: Int64?
  /// Only newer posts, from the newest down: posts between the page and this id are skipped.
  var sinceID: Int64?
  /// Only newer posts, from this id up; overrides `sinceID`.
  var minID: Int64?

  /// The page, newest first, of `ids` in rising order, without those that `keep` rejects.
  func page(of ids: [Int64], keep: (Int64) -> Bool = { _ in true }) -> [Int64] {
    let end = maxID.map { max in ids.partitionPoint { $0 >= max } } ?? ids.count
    let floor = minID ?? sinceID
    let start = floor.map { floor in ids.partitionPoint { $0 > floor } } ?? 0
    guard start < end else { return [] }
    if minID != nil { return first(of: ids[start..<end], keep).reversed() }
    return first(of: ids[start..<end].reversed(), keep)
  }

  /// The first ids that fit on a page; stops as soon as it is full.
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
  /// Reads `limit`, `max_id`, `since_id` and `min_id` as Mastodon does: text that is not a number counts as 0. `firstID`
  /// returns the id that determines a post's position.
  init(_ fields: Fields, limit usual: Int = 20, firstID: (Int64) -> Int64 = { $0 }) {
    limit = fields.count("limit", atMost: usual * 2) ?? usual
    maxID = fields["max_id"].map { firstID(PageRequest.id($0)) }
    sinceID = fields["since_id"].map { firstID(PageRequest.id($0)) }
    minID = fields["min_id"].map { firstID(PageRequest.id($0)) }
  }

  private static func id(_ text: String) -> Int64 { Int64(text) ?? 0 }
}

extension [Int64] {
  /// The first index whose id meets `condition`, which holds for all later ones.
  fileprivate func partitionPoint(where condition: (Int64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
