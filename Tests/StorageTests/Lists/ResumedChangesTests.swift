import Folders
import Foundation
import Posts
import Testing

@testable import Storage

/// Readers of changes that come back with an earlier position.
struct ResumedChangesTests {
  private func save(_ numbers: some Sequence<Int>, in store: Store, now: Date = noon) throws {
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: now)
    _ = try store.save(page(Array(numbers)), in: pull, now: now)
    try store.finishPull(pull, reached: true, now: now)
  }

  private func first(after position: ChangePosition?, in store: Store) async throws -> PositionedChange? {
    var changes = store.changes(after: position).makeAsyncIterator()
    return try await changes.next()
  }

  @Test(.timeLimit(.minutes(10))) func `a position whose changes are no longer listed begins with everything`()
    async throws
  {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try save([2, 1], in: store)
    let old = try store.changePosition()
    try store.delete([1], now: noon)
    #expect(try await first(after: old, in: store)?.change == .posts([1], authors: []))
    try store.write { try $0.run("DELETE FROM change WHERE id <= ?", [old.number + 1]) }
    try store.delete([2], now: noon)
    let change = try await first(after: old, in: store)
    #expect(change?.change == .everything)
    #expect(try change?.position == store.changePosition())
  }

  @Test(.timeLimit(.minutes(10))) func `too many changes to list are everything`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try save([2, 1], in: store)
    let old = try store.changePosition()
    try store.write { db in
      try db.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5001)
        INSERT INTO change (post) SELECT 1 FROM n
        """)
    }
    #expect(try await first(after: old, in: store)?.change == .everything)
  }

  @Test(.timeLimit(.minutes(10))) func `a position of another library begins with everything`() async throws {
    let scratches = try (0..<2).map { _ in try Scratch() }
    let stores = try scratches.map { try Store.open(library: $0.path, now: noon) }
    defer { for store in stores { store.close() } }
    // The same posts, stored at the same time.
    for store in stores { try save([2, 1], in: store) }
    let position = try stores[0].changePosition()
    for store in stores { try store.delete([1], now: noon) }
    #expect(try await first(after: position, in: stores[0])?.change == .posts([1], authors: []))
    #expect(try await first(after: position, in: stores[1])?.change == .everything)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func `a position of a library that an older copy replaced begins with everything`(isLonger: Bool) async throws {
    let scratch = try Scratch()
    let file = "\(scratch.path)/media.sqlite"
    var store = try Store.open(library: scratch.path, now: noon)
    try save([2, 1], in: store)
    store.close()
    let copy = try Data(contentsOf: URL(filePath: file))
    store = try Store.open(library: scratch.path, now: noon)
    try save([3], in: store, now: noon + 60)
    let position = try store.changePosition()
    store.close()
    // Written into the same file, as `cp` does.
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: copy)
    try handle.close()
    store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    if isLonger { try save([4, 3], in: store, now: noon + 120) }
    #expect(try await first(after: position, in: store)?.change == .everything)
  }

  @Test(.timeLimit(.minutes(10))) func `a slow reader gets several commits as one change, and misses none`()
    async throws
  {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try save((1...300).reversed(), in: store)
    let ids = try store.window(PostListQuery(), after: 300).rows.map(\.post.id)
    var changes = store.changes(after: try store.changePosition()).makeAsyncIterator()
    for id in ids { try store.delete([id], now: noon) }
    let last = try store.changePosition()
    var (found, position) = (Set<Int64>(), ChangePosition?.none)
    while position != last {
      let next = try #require(try await changes.next())
      guard case .posts(let posts, _) = next.change else { break }
      found.formUnion(posts)
      position = next.position
    }
    #expect(found == Set(ids))
  }

  @Test(.timeLimit(.minutes(10))) func `a resumed stream ends with the store`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    let position = try store.changePosition()
    var changes = store.changes(after: nil).makeAsyncIterator()
    #expect(try await changes.next() == PositionedChange(change: .everything, position: position))
    store.close()
    #expect(try await changes.next() == nil)
  }

  @Test func `a later change leaves an earlier position as it is`() throws {
    let library = try TestLibrary()
    try library.pull([3, 2, 1].map { post($0) })
    let position = try library.store.changePosition()
    func isKnown() throws -> Bool {
      try library.store.read { db in
        try PositionReader(db, of: library.store.writer).changes(after: position)?.change != .everything
      }
    }
    try library.store.delete([1], now: noon)
    try library.store.restore([1], now: noon)
    try library.pull([post(3, caption: "better", by: "Bea"), post(2, tags: ["dogs"])])
    #expect(try isKnown())
  }

  @Test func `a position survives conversion to text`() throws {
    for position in [ChangePosition(number: 0, mark: 0), ChangePosition(number: .max, mark: .max)] {
      #expect(ChangePosition(position.description) == position)
    }
  }

  @Test(arguments: [
    "", "-", "1", "1-", "-1", "-1-a", "1-A", "01-a", "1-a-b", "1-é", "1 -a", "9223372036854775808-a", "+1-a",
  ])
  func `text that no position has is not a position`(text: String) {
    #expect(ChangePosition(text) == nil)
  }
}
