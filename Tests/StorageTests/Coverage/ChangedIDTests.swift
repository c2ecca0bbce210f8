import Foundation
import Posts
import Testing

@testable import Storage

/// Posts whose server changes their ids.
struct ChangedIDTests {
  private func edited(_ number: Int, in numbers: [Int], repeated: Bool = false) -> Page {
    let items = numbers.map { known -> PageItem in
      guard known == number else { return item(post(known)) }
      var made = post(known, caption: "edited")
      made.remoteID = "social.example-0\(known)"
      let by = made.author ?? Author(uri: "https://birds.example/users/ada", handle: "ada@birds.example", name: "Ada")
      return PageItem(
        id: made.remoteID, content: .post(made), repetition: repeated ? Repetition(by: by, at: noon) : nil, raw: [])
    }
    return Page(items: items, next: .after(Cursor("c")))
  }

  @Test(arguments: [3, 4, 5]) func `an edited post with a new id is not a new item of its feed`(number: Int) throws {
    let library = try TestLibrary()
    try library.pull([page([5, 4, 3])])
    let saved = try library.pull([edited(number, in: [5, 4, 3])])[0]
    #expect((saved.new, saved.updated, saved.arrived) == (0, 1, 0))
    #expect(saved.known.isTouched)
    let ids = try library.lines("SELECT remote_id FROM feed_post ORDER BY place DESC")
    #expect(ids == [5, 4, 3].map { "social.example-\($0 == number ? "0" : "")\($0)" })
    #expect(try library.lines("SELECT newest, oldest FROM coverage") == ["\(ids[0])|\(ids[2])"])
  }

  @Test func `a page joins the interval although the post at its edge has a new id`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])])
    try library.pull([edited(3, in: [5, 4, 3])])
    #expect(try library.lines("SELECT newest, oldest FROM coverage") == ["social.example-5|social.example-1"])
    #expect(try library.store.gaps().isEmpty)
  }

  @Test func `a post and its repeat are two items, and so are two ids of it on one page`() throws {
    let library = try TestLibrary()
    try library.pull([page([5, 4, 3])])
    try library.pull([edited(4, in: [4, 5], repeated: true)])
    #expect(try library.lines("SELECT count(*) FROM feed_post") == ["4"])
    let twice = try TestLibrary()
    try twice.pull([page([5, 4, 3])])
    var both = edited(4, in: [5, 4, 3])
    both = Page(items: both.items + [item(post(4, caption: "edited"))], next: .after(Cursor("c")))
    try twice.pull([both])
    #expect(try twice.lines("SELECT count(*), count(DISTINCT remote_id) FROM feed_post") == ["4|4"])
  }
}
