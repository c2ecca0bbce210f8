/// Observes a window of a list, and yields a reading whenever it changed.
struct WindowObserver {
  typealias Readings = AsyncThrowingStream<PostWindowReading, any Error>

  private let list: PostListQuery
  private let readings: Readings.Continuation
  private let position: WindowPosition
  private var plan: PostPlan
  private var order: any PostOrder
  private var frame = PostWindowReader.Frame()
  private var last: PostWindowReading?

  /// The most changed posts that are checked one by one.
  private static let limit = 500

  /// Reads the window for the first time.
  init(_ list: PostListQuery, at position: WindowPosition, for readings: Readings.Continuation, in db: Database) throws
  {
    self.list = list
    self.readings = readings
    self.position = position
    plan = try PostPlan(list, in: db)
    if let glance = try PostWindowReader(plan, position).glance(at: plan, in: db) { readings.yield(glance) }
    order = try plan.order(in: db)
    try readWhole(in: db)
  }

  private var reader: PostWindowReader {
    PostWindowReader(plan, position)
  }

  /// Updates the window after a change.
  mutating func follow(_ change: LibraryChange, in db: Database) throws {
    let present = try PostPlan(list, in: db)
    let isSame = present.predicate == plan.predicate
    plan = present
    let change = plan.predicate?.isFolded == true ? try change.withLinks(in: db) : change
    guard isSame, plan.predicate?.dependsOnOthers != true, case .posts(let posts, let authors) = change,
      posts.count <= Self.limit,
      plan.grouping != .author || authors.isEmpty, try order.follow(posts, in: db)
    else {
      order = try plan.order(in: db)
      return try readWhole(in: db)
    }
    if try moves(posts, in: db) { try readFrame(in: db) } else { try readEdges(in: db) }
    // A post also tells where the same one is: what becomes of that changes it, and a link goes with a removed post.
    let touched = posts.union(try db.links(of: posts))
    let known = (last?.rows ?? []).map(\.post).filter { post in
      !touched.contains(post.id) && !post.elsewhere.contains { posts.contains($0.post) }
        && post.author.map { authors.contains($0.id) } != true
        && !post.repeatedBy.contains { authors.contains($0.author) }
    }
    let rows = try reader.rows(at: frame.keys, knowing: known, in: db)
    deliver(try reader.reading(frame, rows: rows, order: order, in: db))
  }

  /// Ends the stream.
  func finish(_ error: (any Error)? = nil) { readings.finish(throwing: error) }

  /// Whether one of the posts entered, left or moved within the window.
  private func moves(_ posts: Set<Int64>, in db: Database) throws -> Bool {
    guard let predicate = plan.predicate else { return false }
    let changed = OwnedPosts(source: .numbered(posts), predicate: predicate, grouping: plan.grouping)
    let present = try changed.keys(limit: -1, in: db).filter { frame.covers($0) }
    return Set(present) != Set(frame.keys.filter { posts.contains($0.id) })
  }

  /// The last posts beyond the window may have changed.
  private mutating func readEdges(in db: Database) throws {
    guard let first = frame.keys.first, let last = frame.keys.last else { return try readFrame(in: db) }
    if frame.hasMoreAfter {
      frame.hasMoreAfter = try order.hasAny(PostSelection.ScanRange(start: last), in: db)
    }
    if frame.hasMoreBefore {
      let back = PostSelection.ScanRange(start: first, continues: false)
      frame.hasMoreBefore = try order.hasAny(back, in: db)
    }
  }

  private mutating func readFrame(in db: Database) throws { frame = try reader.frame(of: order, in: db) }

  private mutating func readWhole(in db: Database) throws {
    try readFrame(in: db)
    deliver(try reader.reading(frame, rows: reader.rows(at: frame.keys, in: db), order: order, in: db))
  }

  private mutating func deliver(_ reading: PostWindowReading) {
    guard reading != last else { return }
    last = reading
    readings.yield(reading)
  }
}
