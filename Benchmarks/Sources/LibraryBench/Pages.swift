import Foundation
import MediaLibrary

/// How long it takes to store a page of 40 posts that are not there yet.
struct Pages {
  let library: Library

  private static let rounds = 50

  func measure(into table: inout Table) throws {
    let store = library.store
    // Above all that is there: posts of earlier measurements stay.
    var number = Int(Date().timeIntervalSince(Writer.start) / Writer.pace)
    var writer = Writer(count: try store.count(of: .library), seed: UInt64(number))
    var timings = Timings()
    for _ in 0..<Self.rounds {
      let items = (0..<40).map { writer.item(number + 39 - $0) }
      number += 40
      let pull = try store.beginPull(of: Maker.feed, goal: PullGoal(pages: 1), now: Date())
      let page = Page(items: items, next: .after(Cursor("\(number)")))
      _ = try timings.time { try store.save(page, in: pull, pictures: false, now: Date()) }
      try store.finishPull(pull, reached: true, now: Date())
    }
    table.add("page of 40 new posts", timings)
  }
}
