import Foundation
import MediaLibrary
import Testing

@Suite(.timeLimit(.minutes(10))) struct ValuesTests {
  @Test func `a reading is repeated when any process changes the library, and equal values are skipped`() async throws {
    let home = try Home()
    try home.save([1, 2, 3])
    let stream = home.library.values(of: { try $0.deletedPosts().count })
    var values = stream.makeAsyncIterator()
    #expect(try await values.next() == 0)
    // Changes that leave the value as it is.
    try home.save([4])
    try home.library.delete([1])
    #expect(try await values.next() == 1)
    let other = try OtherProcess(at: home.folder)
    try other.send("INSERT INTO post_state (post, deleted_at) VALUES (2, '2025-01-01T00:00:00.000Z');")
    try other.waitForCommits()
    #expect(try await values.next() == 2)
    home.library.close()
    #expect(try await values.next() == nil)
  }

  @Test func `no change is missed, however soon it follows the first value`() async throws {
    for _ in 0..<50 {
      let home = try Home()
      try home.save([1, 2])
      var values = home.library.values(of: { try $0.deletedPosts().count }).makeAsyncIterator()
      let first = try await values.next()
      #expect(first == 0)
      try home.library.delete([1])
      #expect(try await values.next() == 1)
    }
  }

  @Test func `values end when the library is closed, also if changes still wait to be read`() async throws {
    for _ in 0..<20 {
      let home = try Home()
      try home.save([1, 2])
      var values = home.library.values(of: { try $0.deletedPosts().count }).makeAsyncIterator()
      let first = try await values.next()
      #expect(first == 0)
      try home.library.delete([1])
      try home.library.delete([2])
      home.library.close()
      while let value = try await values.next() { #expect(value > 0) }
    }
  }

  @Test func `a reading that fails ends the values with its error`() async throws {
    struct Failure: Error {}
    let home = try Home()
    var values = home.library.values(of: { _ -> Int in throw Failure() }).makeAsyncIterator()
    await #expect(throws: Failure.self) { try await values.next() }
  }
}
