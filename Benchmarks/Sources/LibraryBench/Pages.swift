import Foundation
import MediaLibrary

/// Measures the time to store a page of 40 new posts above a known one.
struct Pages {
  let library: Library

  var rounds = 200

  func measure(into table: inout Table) throws {
    let store = library.store
    // Above all stored posts: those of earlier measurements stay.
    let newest = try library.snapshot(of: PostListQuery(includesDeleted: true), window: Window(after: 1)).rows.first
    var number = (newest?.post.remoteID.flatMap { Int($0) } ?? 0) + 1
    let count = try store.count(of: .library)
    var writer = Writer(count: count, seed: UInt64(number))
    var timings = Timings()
    var known: [PageItem] = []
    for _ in 0..<rounds {
      // The last one is known, as in a pull of new posts: it ends among known posts.
      let items = (0..<40).map { writer.item(number + 39 - $0) } + known
      known = [items[0]]
      number += 40
      let pull = try store.beginPull(of: Maker.feed, goal: PullGoal(pages: 1), now: Date())
      let page = Page(items: items, next: .after(Cursor("\(number)")))
      _ = try timings.time { try store.save(page, in: pull, pictures: false, now: Date()) }
      try store.finishPull(pull, reached: true, now: Date())
    }
    table.add("page of 40 new posts", timings)
    guard try store.count(of: .library) == count + 40 * rounds else { fatalError("posts were there before") }
  }
}
