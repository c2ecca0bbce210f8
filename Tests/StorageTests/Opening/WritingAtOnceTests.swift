import Folders
import Foundation
import Posts
import SQLite
import Testing

@testable import Storage

struct WritingAtOnceTests {
  @Test func `two stores on one file write at once and lose nothing`() async throws {
    let scratch = try Scratch()
    let path = scratch.path
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<4 {
        group.addTask {
          // Each task opens the library, and may create it.
          let store = try Store.open(library: path, now: noon)
          let feed = Feed(source: .usual, kind: .search, value: "q\(worker)", server: social)
          let pull = try store.beginPull(of: feed, goal: PullGoal(), now: noon)
          var new = 0
          for step in 0..<10 {
            // Every second page is the same for all.
            let first = step % 2 == 0 ? 1_000 + step * 5 : worker * 100 + step * 5
            new += try store.save(page(first..<first + 5), in: pull, now: noon).new
          }
          try store.finishPull(pull, reached: true, now: noon)
          return new
        }
      }
      return try await group.reduce(0, +)
    }
    let store = try Store.open(library: path, now: noon)
    #expect(total == 25 + 4 * 25)
    #expect(try store.posts(PostQuery(limit: nil)).count == total)
    #expect(try store.writer.read { try $0.value("PRAGMA integrity_check") as String? } == "ok")
  }
}
