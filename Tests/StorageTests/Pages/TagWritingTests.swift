import Posts
import Testing

@testable import Storage

/// The tags of a page are written together, whatever the page contains.
struct TagWritingTests {
  @Test func `many posts with many tags have them in the order in which they were written`() throws {
    let library = try TestLibrary()
    let posts = (1...30).map { number in
      post(number, tags: (0..<(number % 7)).map { "tag\(($0 * 5 + number) % 11)" })
    }
    try library.pull(posts)
    for (stored, pulled) in zip(try library.store.posts().sorted { $0.id < $1.id }, posts) {
      #expect(stored.tags == pulled.tags)
    }
    #expect(try library.lines("SELECT count(*) FROM tag WHERE name LIKE 'tag%'") == ["11"])
  }

  @Test func `a page that holds a post twice leaves the tags of the later one, and no others`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, tags: ["cats", "birds"]), post(2, tags: ["cats"]), post(1, tags: ["birds", "owls"])])
    let stored = try library.store.posts().sorted { $0.id < $1.id }
    #expect(stored.map(\.tags) == [["birds", "owls"], ["cats"]])
    let counted = try library.lines(
      "SELECT t.name, n.posts FROM total n JOIN tag t ON t.id = n.ref WHERE n.kind = 'tag' ORDER BY t.name")
    // The feed of #cats brought the first one as well.
    #expect(counted == ["birds|1", "cats|2", "owls|1"])
  }

  @Test func `a tag is one row, in whichever form its letters came`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, tags: ["caf\u{E9}"]), post(2, tags: ["cafe\u{301}"])])
    #expect(try library.lines("SELECT count(*) FROM tag WHERE name LIKE 'caf%'") == ["1"])
  }
}
