import FoundationEssentials
import Machine

/// Which part of a list a window shows.
struct WindowPosition: Sendable {
  let anchor: PostKey?
  let before: Int
  let after: Int

  init(anchor: PostKey?, before: Int, after: Int) {
    self.anchor = anchor
    self.before = min(max(before, 0), Self.most)
    self.after = min(max(after, 0), Self.most)
  }

  /// The anchor in a list. A key without a section has no position in one of authors or tags: the window then begins at the
  /// list's start. A key with a section loses it in other lists.
  func anchor(in grouping: PostGrouping) -> PostKey? {
    guard grouping.hasOwners else { return anchor.map { PostKey(createdAt: $0.createdAt, id: $0.id) } }
    return anchor?.section == nil ? nil : anchor
  }

  /// More rows than any library has, small enough to add one.
  private static let most = Int(Int32.max)
}

/// Reads a window of a list.
struct PostWindowReader {
  let grouping: PostGrouping
  let position: WindowPosition
  /// The words that the list searches for.
  var search: SearchText?
  /// Whether the list leaves out later ones of posts that are the same.
  var isFolded = false

  /// The keys of a window, without the posts.
  struct Frame: Equatable {
    var anchor: PostKey?
    var keys: [PostKey] = []
    var hasMoreBefore = false
    var hasMoreAfter = false

    /// Whether a post with that key would be in the window, or move its rows.
    func covers(_ key: PostKey) -> Bool {
      guard let first = keys.first, let last = keys.last else { return true }
      // Rows may be missing on the other side of the anchor, so only the edge of this side decides.
      if let anchor, key < anchor { return !hasMoreBefore || !(key < first) }
      return !hasMoreAfter || !(last < key)
    }
  }

  func frame(of order: any PostOrder, in db: Database) throws -> Frame {
    let start = position.anchor(in: grouping)
    let onward = PostSelection.ScanRange(start: start, isInclusive: true)
    var after = try order.keys(onward, limit: position.after + 1, in: db)
    var before: [PostKey] = []
    if let anchor = start {
      let backward = PostSelection.ScanRange(start: anchor, continues: false)
      before = try order.keys(backward, limit: position.before + 1, in: db)
    }
    var frame = Frame(
      anchor: start,
      hasMoreBefore: before.count > position.before,
      hasMoreAfter: after.count > position.after
    )
    if frame.hasMoreAfter { after.removeLast() }
    if frame.hasMoreBefore { before.removeLast() }
    frame.keys = before.reversed() + after
    return frame
  }

  /// The rows for keys. `known` are unchanged posts, which are not read again.
  func rows(at keys: [PostKey], knowing known: [StoredPost] = [], in db: Database) throws -> [PostRow] {
    // A post may be in several sections.
    var numbered = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    let others = Set(keys.map(\.id)).filter { numbered[$0] == nil }
    let shared = try SamePictures.counts(of: Array(others), in: db)
    for var post in try PostReader(db: db).posts(Array(others), foundBy: search) {
      post.postsShowingIt = shared[post.id] ?? 1
      if isFolded { post.noteFolded() }
      numbered[post.id] = post
    }
    return keys.compactMap { key in numbered[key.id].map { PostRow(key: key, post: $0) } }
  }

  func sections(of keys: [PostKey], order: any PostOrder, in db: Database) throws -> [PostSection] {
    switch grouping {
    case .none, .sorted: []
    case .day(let zone): try days(of: keys, in: zone, order: order, in: db)
    case .author, .tag: try owners(of: keys, order: order, in: db)
    }
  }

  func reading(of order: any PostOrder, in db: Database) throws -> PostWindowReading {
    let frame = try frame(of: order, in: db)
    return try reading(frame, rows: rows(at: frame.keys, in: db), order: order, in: db)
  }

  func reading(
    _ frame: Frame,
    rows: [PostRow],
    order: any PostOrder,
    in db: Database
  ) throws -> PostWindowReading {
    var reading = PostWindowReading()
    (reading.rows, reading.grouping) = (rows, grouping)
    reading.sections = try sections(of: rows.map(\.key), order: order, in: db)
    reading.total = try order.total(in: db)
    reading.hidden = try order.hidden(in: db)
    reading.hasMoreBefore = frame.hasMoreBefore
    reading.hasMoreAfter = frame.hasMoreAfter
    return reading
  }

  /// The first rows of a list that no index has, of the newest posts alone.
  ///
  /// - Parameter count: How many posts are looked at.
  /// - Returns: Nil if that is the whole list, and where the list is read by an index or from elsewhere than its start.
  func glance(at plan: PostPlan, looking count: Int = Self.glance, in db: Database) throws -> PostWindowReading? {
    guard position.anchor(in: grouping) == nil, !grouping.hasOwners,
      let found = try plan.glance(limit: position.after + 1, looking: count, in: db)
    else { return nil }
    var reading = PostWindowReading()
    let keys = Array(found.keys.prefix(position.after))
    reading.rows = try rows(at: keys, in: db)
    reading.sections = try sections(of: keys, order: found.order, in: db)
    // What is shown ends the look, if that found more.
    let edge = found.keys.count > keys.count ? keys.last?.createdAt ?? found.edge : found.edge
    (reading.grouping, reading.hasMoreAfter, reading.lookedTo) = (grouping, true, UTC.date(edge))
    reading.total = found.keys.isEmpty ? .exactly(0) : .moreThan(found.keys.count - 1)
    return reading
  }

  /// What takes some ten milliseconds.
  fileprivate static let glance = 10_000

  private func days(
    of keys: [PostKey],
    in zone: TimeZone,
    order: any PostOrder,
    in db: Database
  ) throws -> [PostSection] {
    let days = Days(in: zone)
    var (sections, start) = ([PostSection](), keys.startIndex)
    while start < keys.endIndex, let day = days.day(of: keys[start].createdAt) {
      let end = keys[start...].firstIndex { !day.timeRange.contains($0.createdAt) } ?? keys.endIndex
      let count = try order.count(within: day.timeRange, in: db)
      sections.append(PostSection(key: day.name, name: day.name, count: count, rows: start..<max(end, start + 1)))
      start = max(end, start + 1)
    }
    return sections
  }

  private func owners(of keys: [PostKey], order: any PostOrder, in db: Database) throws -> [PostSection] {
    var (sections, start) = ([PostSection](), keys.startIndex)
    while start < keys.endIndex, let owner = keys[start].section {
      let end = keys[start...].firstIndex { $0.section != owner } ?? keys.endIndex
      let count = try order.count(of: owner, in: db)
      sections.append(PostSection(key: String(owner.id), name: owner.name, count: count, rows: start..<end))
      start = end
    }
    return sections
  }
}

extension PostWindowReader {
  init(_ plan: PostPlan, _ position: WindowPosition) {
    self.init(
      grouping: plan.grouping, position: position, search: plan.predicate?.search,
      isFolded: plan.predicate?.isFolded == true)
  }
}

extension Store {
  /// The first rows of a list at once: where no index has the list, those among its newest posts. `lookedTo` says how far it
  /// was looked through, and `window` reads all of it.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - after: The maximum number of rows.
  /// - Throws: `StorageError` if the library cannot be read.
  public func glance(_ list: PostListQuery, after: Int = 50) throws(StorageError) -> PostWindowReading {
    try glance(list, after: after, looking: PostWindowReader.glance)
  }

  /// A glance at so many posts.
  package func glance(_ list: PostListQuery, after: Int, looking count: Int) throws(StorageError) -> PostWindowReading {
    let position = WindowPosition(anchor: nil, before: 0, after: after)
    return try read { db in
      let plan = try PostPlan(list, in: db)
      let reader = PostWindowReader(plan, position)
      return try reader.glance(at: plan, looking: count, in: db) ?? reader.reading(of: plan.order(in: db), in: db)
    }
  }

  /// A part of a list, read from one snapshot.
  ///
  /// The cost grows with the requested rows, not with the library. That of a search also grows with its results.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - anchor: A row's key. If its post is gone, or no longer on the list, the key's position still anchors the
  ///     window. nil for the list's start.
  ///   - before: The maximum number of rows before the anchor.
  ///   - after: The maximum number of rows from the anchor on.
  public func window(
    _ list: PostListQuery,
    around anchor: PostKey? = nil,
    before: Int = 0,
    after: Int = 50
  ) throws(StorageError) -> PostWindowReading {
    let position = WindowPosition(anchor: anchor, before: before, after: after)
    return try read { db in
      let plan = try PostPlan(list, in: db)
      let reader = PostWindowReader(plan, position)
      return try reader.reading(of: plan.order(in: db), in: db)
    }
  }
}
