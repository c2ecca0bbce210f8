/// An order of no meaning: by what the numbers of posts are mixed to.
struct RandomOrder {
  /// A number with as many digits as all that are mixed and added to it.
  static let least: Int64 = 1_000_000_000
  /// 2^31 - 1. Both engines compute what is below its square in 64 bits.
  private static let prime: Int64 = 2_147_483_647
  private let factor: Int64

  init(_ seed: Int64) {
    let mixed = seed.multipliedReportingOverflow(by: 48_271).partialValue.addingReportingOverflow(1_103_515_245)
      .partialValue
    factor = Int64(mixed.magnitude % UInt64(Self.prime - 1)) + 1
  }

  /// What the column `number` is mixed to, below the prime: a square, so that neighbours are not neighbours in each order.
  var mixed: Clause {
    let line: Clause = "((number % \(bind: Self.prime)) * \(bind: factor) + 1) % \(bind: Self.prime)"
    return "((\(line)) * (\(line)) % \(bind: Self.prime))"
  }

  private func mixed(_ number: Int64) -> Int64 {
    let line = (number % Self.prime * factor + 1) % Self.prime
    return line * line % Self.prime
  }

  /// The keys of a long list from a position on. No posts are looked up but those whose numbers are mixed to what comes next:
  /// to mix a million takes a few milliseconds.
  ///
  /// - Returns: Nil if most posts are asked for, few numbers have posts, or the position is one in another list.
  func keys(
    of posts: OwnedPosts, _ course: PostSelection.ScanRange, limit: Int, in db: Database
  ) throws -> [PostKey]? {
    let last: Int64 = try db.value("SELECT max(id) FROM post") ?? 0
    guard (0..<last).contains(Int64(limit)), last / 10 <= (try db.total("library", 0)),
      let start = course.start.map(mixed(at:)) ?? (course.continues ? 0 : Self.prime - 1)
    else { return nil }
    var width = 2 * (Self.prime / last + 1) * (Int64(limit) + 1)
    while true {
      let range =
        course.continues ? start...min(start + width, Self.prime) : max(start - width, 0)...start
      let numbers = (1...last).filter { range.contains(mixed($0)) }
      let found = OwnedPosts(source: .numbered(Set(numbers)), predicate: posts.predicate, grouping: posts.grouping)
      let keys = try found.sorted(course, limit: limit, in: db)
      if keys.count == limit || range.contains(course.continues ? Self.prime : 0) { return keys }
      width *= 8
    }
  }

  /// What the post at a position was mixed to.
  private func mixed(at key: PostKey) -> Int64? {
    key.section.flatMap { Int64($0.name) }.map { $0 &- Self.least }.flatMap { (0..<Self.prime).contains($0) ? $0 : nil }
  }
}
