import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// The form of an entry: 20 November 2026 is `Stage`'s today, at ten.
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

  private func written(_ stage: inout Stage) throws -> EntryWrite {
    let writes = stage.done().compactMap { effect -> EntryWrite? in
      if case .write(.change(.write(let entry))) = effect { entry } else { nil }
    }
    return try #require(writes.last)
  }

  @Test func `a text and Enter still add a post, and Tab goes on in the form with it as the name`() throws {
    var stage = try Stage()
    stage.press(.character("a"))
    stage.type("Dentist")
    stage.press(.tab)
    #expect(stage.text.contains("A new entry") && stage.text.contains("Name     Dentist"))
    stage.press(.down)
    stage.type("2026-12-03 14:30")
    stage.press(.down)
    stage.type("16:10")
    stage.press(.down)
    stage.type("bring papers")
    stage.press(.down)
    stage.type("Health, teeth")
    stage.press(.down)
    stage.type("/tmp/form.pdf")
    stage.press(.enter, .enter)
    let entry = try written(&stage)
    #expect(entry.post == nil && entry.files == ["/tmp/form.pdf"])
    #expect(entry.edit.title == "Dentist" && entry.edit.caption == "bring papers")
    #expect(entry.edit.start == Date(timeIntervalSince1970: 1_796_308_200))
    #expect(entry.edit.finish == Date(timeIntervalSince1970: 1_796_314_200))
    #expect(entry.edit.addedTags == ["health", "teeth"])
  }

  @Test func `a file that cannot be attached is taken out of the form, and its path can be mended`() throws {
    var stage = try Stage()
    stage.press(.character("a"), .tab, .up)
    stage.type("/nonexistent.pdf")
    stage.press(.enter)
    #expect(stage.text.contains("+ /nonexistent.pdf"))
    #expect(stage.done().last == .read(.checkFile("/nonexistent.pdf")))
    stage.send(.unfit(path: "/nonexistent.pdf", reason: "/nonexistent.pdf is not a file"))
    #expect(!stage.text.contains("+ /nonexistent.pdf"))
    #expect(stage.text.contains("Files    /nonexistent.pdf") && stage.text.contains("is not a file"))
    stage.press(.control("u"), .enter)
    #expect(stage.done().isEmpty)
  }

  @Test func `arrows move a time by a quarter of an hour, pages by a day, and the finish goes along`() throws {
    var stage = try Stage(posts: [Self.own])
    stage.press(.character("e"), .down, .right, .right, .pageDown, .enter)
    let edit = try written(&stage).edit
    let moved = Self.own.createdAt.addingTimeInterval(86_400 + 1800)
    #expect(edit.start == moved)
    #expect(edit.finish == moved.addingTimeInterval(5400))
    #expect(edit.title == nil && edit.caption == nil && edit.addedTags.isEmpty && edit.removed.isEmpty)
    #expect(edit.basis == Self.own.editableAt)
  }

  @Test func `only what was changed is written, and nothing if nothing was`() throws {
    var stage = try Stage(posts: [Self.own])
    _ = stage.done()
    stage.press(.character("e"), .enter)
    #expect(!stage.done().contains { if case .write = $0 { true } else { false } })
    stage.press(.character("e"), .control("u"))
    stage.type("The dentist")
    stage.press(.up, .backspace, .enter)
    let edit = try written(&stage).edit
    #expect(edit.title == "The dentist" && edit.start == nil && edit.finish == nil && edit.removed == [7])
  }

  @Test(arguments: [
    (EntryForm.Field.start, "noon", "Start: write it as 2026-11-21 14:05, or 14:05."),
    (.finish, "2020-01-01 10:00", "The finish is not after the start."), (.text, "ab", "A text has 3 characters"),
  ])
  func `what cannot be saved stays in the form, and is explained`(
    field: EntryForm.Field, text: String, message: String
  ) throws {
    var stage = try Stage(posts: [Self.own])
    stage.press(.character("e"))
    for _ in 0..<field.rawValue { stage.press(.down) }
    stage.press(.control("u"))
    stage.type(text)
    stage.press(.enter)
    #expect(stage.text.contains(message), "\(stage.text)")
    #expect(stage.text.contains("Change the entry"))
    stage.press(.escape)
    #expect(!stage.text.contains("Change the entry"))
  }

  @Test func `an edit that another process has overtaken comes back as it was written, and is saved over it`() throws {
    var stage = try Stage(posts: [Self.own])
    stage.press(.character("e"), .control("u"))
    stage.type("Mine")
    stage.press(.enter)
    _ = stage.done()
    var theirs = Self.own
    (theirs.title, theirs.editableAt) = ("Theirs", Self.own.createdAt.addingTimeInterval(9))
    stage.send(.list(Stage.reading([theirs])), .refused("post 50 was changed meanwhile"))
    #expect(stage.text.contains("Name     Mine") && stage.text.contains("post 50 was changed meanwhile"))
    stage.press(.enter)
    let edit = try written(&stage).edit
    #expect(edit.title == "Mine" && edit.basis == theirs.editableAt)
  }

  @Test func `an edit is undone by u, and a pulled post is not edited`() throws {
    var stage = try Stage(posts: [Self.own])
    stage.press(.character("e"), .control("u"))
    stage.type("Mine")
    stage.press(.enter)
    var back = PostEdit()
    back.title = "Dentist"
    stage.send(.done(.edited(50, undo: EntryWrite(post: 50, edit: back))))
    _ = stage.done()
    stage.press(.character("u"))
    #expect(try written(&stage).edit == back)
    var pulled = try Stage()
    pulled.press(.character("e"))
    #expect(pulled.text.contains("only posts of your own can be changed"))
  }

  @Test func `a text of several lines is not changed by the form`() throws {
    var long = Self.own
    (long.isPlain, long.caption) = (false, "first\nsecond")
    var stage = try Stage(posts: [long])
    stage.press(.character("e"), .down, .down, .down)
    stage.type("x")
    #expect(stage.text.contains("media edit changes it"))
    stage.press(.up, .up, .up)
    stage.type("!")
    stage.press(.enter)
    let edit = try written(&stage).edit
    #expect(edit.caption == nil && edit.title == "Dentist!")
  }

  @Test func `an hour of the calendar opens the form with that hour`() throws {
    var stage = try Stage()
    stage.press(.character("c"), .enter, .character("a"))
    #expect(stage.text.contains("A new entry"), "\(stage.text)")
    stage.type("Lunch")
    stage.press(.enter)
    let edit = try written(&stage).edit
    let (start, finish) = (try #require(edit.start), try #require(edit.finish ?? nil))
    #expect(finish.timeIntervalSince(start) == 3600)
    #expect(Int(start.timeIntervalSince1970) % 3600 == 0)
  }
}
