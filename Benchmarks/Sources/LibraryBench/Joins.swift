import Foundation
import MediaLibrary
import Synchronization

/// Measures how long a join of two long intervals of a feed blocks other writers: another writer runs meanwhile, and waits
/// at most as long as the longest transaction.
struct Joins {
  /// The posts of each interval.
  let count: Int

  private static let feed = Maker.feed

  func measure(into table: inout Table) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("joins-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(in: folder.path) { Date() }
    defer { library.close() }
    var writer = Writer(count: 0, seed: 1)
    try fill(1...count, of: library.store, &writer)
    try fill(count + 10...2 * count + 9, of: library.store, &writer)
    let pull = try library.store.beginPull(of: Self.feed, goal: PullGoal(), now: Date())
    let items = (count - 5..<count + 15).reversed().map { writer.item($0) }
    var save = Timings()
    let other = try Library(in: folder.path) { Date() }
    defer { other.close() }
    let isDone = Mutex(false)
    let thread = Mutex(Timings())
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isDone.withLock(\.self) {
        try? thread.withLock { waits in _ = try waits.time { try other.store.noteTag("cats") } }
      }
      ended.signal()
    }
    _ = try save.time {
      try library.store.save(
        Page(items: items, next: .after(Cursor("next"))), in: pull, pictures: false, now: Date())
    }
    isDone.withLock { $0 = true }
    ended.wait()
    table.add("join of 2 × \(count) posts", Table.text(save.percentile(100)))
    table.add("longest wait of another's write", Table.text(thread.withLock { $0.percentile(100) }))
  }

  private func fill(_ numbers: ClosedRange<Int>, of store: Store, _ writer: inout Writer) throws {
    let pull = try store.beginPull(of: Self.feed, goal: PullGoal(), now: Date())
    for end in stride(from: numbers.upperBound, through: numbers.lowerBound, by: -1000) {
      let items = (max(numbers.lowerBound, end - 999)...end).reversed().map { writer.item($0) }
      _ = try store.save(Page(items: items, next: .after(Cursor("\(end)"))), in: pull, pictures: false, now: Date())
    }
    try store.finishPull(pull, reached: true, now: Date())
  }
}
