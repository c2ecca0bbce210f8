import Foundation
import Posts
import Storage
import Testing

/// How many changes of marks can be undone.
struct KeptChangesTests {
  @Test func `the last two thousand changes can be taken back, and no more`() throws {
    let library = try TestLibrary()
    let person = Marker(machine: "desk", program: .gallery)
    let id = try #require(try library.pull([post(1)]).posts.first)
    let changes = try (0..<2_003).map { number in
      try library.store.mark([id], [.rating(1 + number % 5)], by: person, now: noon).change
    }
    #expect(try library.store.undo(changes[2], by: person, now: noon) == nil)
    #expect(try library.store.undo(changes[3], by: person, now: noon) != nil)
    #expect(try library.store.undo(by: person, now: noon)?.posts == [id])
  }
}
