import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// The form of an entry: 20 November 2026 is `ScreenTester`'s today, at ten.
struct EntryFormTests {
  private static let own: ListRow = {
    var post = ListRow(
      id: 50, name: "You", createdAt: Date(timeIntervalSince1970: 1_795_168_800), caption: "bring papers",
      tags: ["health"])
    (post.title, post.endsAt) = ("Dentist", post.createdAt.addingTimeInterval(5400))
    post.editableAt = post.createdAt
    post.pictures = [ListRow.Picture(kind: "file", state: "stored")]
    (post.pictures[0].number, post.pictures[0].name) = (7, "form.pdf")
    return post
  }()

  private func written(_ tester: inout ScreenTester) throws -> EntryWrite {
    let writes = tester.done().compactMap { effect -> EntryWrite? in
      if case .write(.change(.write(let entry))) = effect { entry } else { nil }
    }
    return try #require(writes.last)
  }

  @Test func `a text and Enter still add a post, and Tab goes on in the form with it as the name`() throws {
    var tester = try ScreenTester()
    tester.press(.character("a"))
    tester.type("Dentist")
    tester.press(.tab)
    #expect(tester.text.contains("A new entry") && tester.text.contains("Name     Dentist"))
    tester.press(.down)
    tester.type("2026-12-03 14:30")
    tester.press(.down)
    tester.type("16:10")
    tester.press(.down)
    tester.type("bring papers")
    tester.press(.down)
    tester.type("Health, teeth")
    tester.press(.down)
    tester.type("/tmp/form.pdf")
    tester.press(.enter, .enter)
    let entry = try written(&tester)
    #expect(entry.post == nil && entry.files == ["/tmp/form.pdf"])
    #expect(entry.edit.title == "Dentist" && entry.edit.caption == "bring papers")
    #expect(entry.edit.start == Date(timeIntervalSince1970: 1_796_308_200))
    #expect(entry.edit.finish == Date(timeIntervalSince1970: 1_796_314_200))
    #expect(entry.edit.addedTags == ["health", "teeth"])
  }

  @Test func `a file that cannot be attached is taken out of the form, and its path can be mended`() throws {
    var tester = try ScreenTester()
    tester.press(.character("a"), .tab, .up)
    tester.type("/nonexistent.pdf")
    tester.press(.enter)
    #expect(tester.text.contains("+ /nonexistent.pdf"))
    #expect(tester.done().last == .read(.checkFile("/nonexistent.pdf")))
    tester.send(.unfit(path: "/nonexistent.pdf", reason: "/nonexistent.pdf is not a file"))
    #expect(!tester.text.contains("+ /nonexistent.pdf"))
    #expect(tester.text.contains("Files    /nonexistent.pdf") && tester.text.contains("is not a file"))
    tester.press(.control("u"), .enter)
    #expect(tester.done().isEmpty)
  }

  @Test func `arrows move a time by a quarter of an hour, pages by a day, and the finish goes along`() throws {
    var tester = try ScreenTester(posts: [Self.own])
    tester.press(.character("e"), .down, .right, .right, .pageDown, .enter)
    let edit = try written(&tester).edit
    let moved = Self.own.createdAt.addingTimeInterval(86_400 + 1800)
    #expect(edit.start == moved)
    #expect(edit.finish == moved.addingTimeInterval(5400))
    #expect(edit.title == nil && edit.caption == nil && edit.addedTags.isEmpty && edit.removed.isEmpty)
    #expect(edit.basis == Self.own.editableAt)
  }

  @Test func `only what was changed is written, and nothing if nothing was`() throws {
    var tester = try ScreenTester(posts: [Self.own])
    _ = tester.done()
    tester.press(.character("e"), .enter)
    #expect(!tester.done().contains { if case .write = $0 { true } else { false } })
    tester.press(.character("e"), .control("u"))
    tester.type("The dentist")
    tester.press(.up, .backspace, .enter)
    let edit = try written(&tester).edit
    #expect(edit.title == "The dentist" && edit.start == nil && edit.finish == nil && edit.removed == [7])
  }

  @Test(arguments: [
    (EntryForm.Field.start, "noon", "Start: write it as 2026-11-21 14:05, or 14:05."),
    (.finish, "2020-01-01 10:00", "The finish is not after the start."), (.text, "ab", "A text has 3 characters"),
  ])
  func `what cannot be saved stays in the form, and is explained`(
    field: EntryForm.Field, text: String, message: String
  ) throws {
    var tester = try ScreenTester(posts: [Self.own])
    tester.press(.character("e"))
    for _ in 0..<field.rawValue { tester.press(.down) }
    tester.press(.control("u"))
    tester.type(text)
    tester.press(.enter)
    #expect(tester.text.contains(message), "\(tester.text)")
    #expect(tester.text.contains("Change the entry"))
    tester.press(.escape)
    #expect(!tester.text.contains("Change the entry"))
  }

  @Test func `an edit that another process has overtaken comes back as it was written, and is saved over it`() throws {
    var tester = try ScreenTester(posts: [Self.own])
    tester.press(.character("e"), .control("u"))
    tester.type("Mine")
    tester.press(.enter)
    _ = tester.done()
    var theirs = Self.own
    (theirs.title, theirs.editableAt) = ("Theirs", Self.own.createdAt.addingTimeInterval(9))
    tester.send(.list(ScreenTester.reading([theirs])), .refused("post 50 was changed meanwhile"))
    #expect(tester.text.contains("Name     Mine") && tester.text.contains("post 50 was changed meanwhile"))
    tester.press(.enter)
    let edit = try written(&tester).edit
    #expect(edit.title == "Mine" && edit.basis == theirs.editableAt)
  }

  @Test func `an edit is undone by u, and a pulled post is not edited`() throws {
    var tester = try ScreenTester(posts: [Self.own])
    tester.press(.character("e"), .control("u"))
    tester.type("Mine")
    tester.press(.enter)
    var back = PostEdit()
    back.title = "Dentist"
    tester.send(.done(.edited(50, undo: EntryWrite(post: 50, edit: back))))
    _ = tester.done()
    tester.press(.character("u"))
    #expect(try written(&tester).edit == back)
    var pulled = try ScreenTester()
    pulled.press(.character("e"))
    #expect(pulled.text.contains("only posts of your own can be changed"))
  }

  @Test func `a text of several lines is not changed by the form`() throws {
    var long = Self.own
    (long.isPlain, long.caption) = (false, "first\nsecond")
    var tester = try ScreenTester(posts: [long])
    tester.press(.character("e"), .down, .down, .down)
    tester.type("x")
    #expect(tester.text.contains("media edit changes it"))
    tester.press(.up, .up, .up)
    tester.type("!")
    tester.press(.enter)
    let edit = try written(&tester).edit
    #expect(edit.caption == nil && edit.title == "Dentist!")
  }

  @Test func `an hour of the calendar opens the form with that hour`() throws {
    var tester = try ScreenTester()
    tester.press(.character("c"), .enter, .character("a"))
    #expect(tester.text.contains("A new entry"), "\(tester.text)")
    tester.type("Lunch")
    tester.press(.enter)
    let edit = try written(&tester).edit
    let (start, finish) = (try #require(edit.start), try #require(edit.finish ?? nil))
    #expect(finish.timeIntervalSince(start) == 3600)
    #expect(Int(start.timeIntervalSince1970) % 3600 == 0)
  }
}
