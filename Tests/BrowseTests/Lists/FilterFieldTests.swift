import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// Filters in the field after `/`.
struct FilterFieldTests {
  private func tester() throws -> ScreenTester {
    var tester = try ScreenTester()
    _ = tester.done()
    return tester
  }

  private func offers(_ text: String, _ names: String...) -> ScreenEvent {
    .offers(FilterCompletion(of: text).offers { _, _ in names }, of: text)
  }

  @Test func `a filter is applied while it is typed, and shown in its one spelling`() throws {
    var tester = try tester()
    tester.type("/KIND:video  (garden)")
    tester.pass(1)
    #expect(tester.done() == [.search("kind:video garden ")])
    tester.press(.enter)
    #expect(tester.done() == [])
    #expect(tester.lines[0].contains("kind:video \"garden\""))
    // What was typed can be changed.
    tester.type("/")
    #expect(tester.lines[22].contains("KIND:video  (garden)"))
  }

  @Test func `what is not finished at the end changes nothing`() throws {
    var tester = try tester()
    tester.type("/garden ")
    tester.pass(1)
    #expect(tester.done() == [.search("garden")])
    tester.type("kind:vid")
    tester.pass(1)
    #expect(tester.done() == [.search("garden ")])
    tester.type("eo")
    tester.pass(1)
    #expect(tester.done() == [.search("garden kind:video")])
  }

  @Test func `a mistake is said in one line, and the list stays`() throws {
    var tester = try tester()
    tester.type("/is:delted x")
    tester.pass(1)
    #expect(tester.lines[23] == " is: knows no \"delted\": did you mean is:deleted?")
    #expect(tester.text.contains("Post 12 of the cats"))
    tester.press(.enter)
    #expect(tester.lines[22].contains("Search ▸ is:delted x") && tester.lines[23].contains("did you mean"))
    #expect(tester.done() == [])
    tester.press(.control("u"))
    tester.type("is:")
    tester.press(.enter)
    #expect(tester.lines[23] == " the key is has no value: write it as is:deleted")
  }

  @Test func `Tab completes a key at once, and a value as far as all that fit agree`() throws {
    var tester = try tester()
    tester.type("/red -ta")
    #expect(tester.lines[23].contains("Tab complete"))
    tester.press(.tab)
    #expect(tester.done() == [.read(.complete("red -ta"))])
    tester.send(offers("red -ta"))
    #expect(tester.lines[22].contains("Search ▸ red -tag:"))
    tester.press(.tab)
    tester.send(offers("red -tag:", "cats", "catfish"))
    #expect(tester.lines[22].contains("Search ▸ red -tag:cat"))
    #expect(tester.lines[21].contains("tag:cats") && tester.lines[20].contains("tag:catfish"))
  }

  @Test func `Tab goes on through what is offered, and Esc takes the offers away`() throws {
    var tester = try tester()
    tester.type("/tag:")
    tester.press(.tab)
    tester.send(offers("tag:", "ant", "bee"))
    tester.press(.tab, .tab)
    #expect(tester.lines[22].contains("tag:bee") && tester.lines[20].hasPrefix("▌ tag:bee"))
    tester.press(.backTab)
    #expect(tester.lines[22].contains("tag:ant"))
    tester.pass(1)
    #expect(tester.done().last == .search("tag:ant"))
    tester.press(.escape)
    #expect(tester.lines[22].contains("tag:ant") && !tester.text.contains("tag:bee"))
    tester.press(.escape)
    #expect(tester.done() == [.search("")])
  }

  @Test func `what is offered for a text that was changed is not shown`() throws {
    var tester = try tester()
    tester.type("/tag:")
    tester.press(.tab)
    tester.type("x")
    tester.send(offers("tag:", "ant", "bee"))
    #expect(tester.lines[22].contains("tag:x") && !tester.text.contains("tag:bee"))
  }

  @Test func `a key whose values nobody can list says how it is written`() throws {
    var tester = try tester()
    tester.type("/width:")
    tester.press(.tab)
    tester.send(offers("width:"))
    #expect(tester.lines[23].contains("width:>2000"))
  }

  @Test func `a server is asked for words, not for a filter`() throws {
    var scope = ScreenTester.cats
    scope.searcher = "social.example"
    var tester = try ScreenTester(scope: scope)
    tester.type("/red kind:video panda")
    #expect(!tester.lines[23].contains("ask"))
    tester.press(.enter)
    tester.send(.list(ScreenTester.reading([])))
    #expect(tester.text.contains("This filter finds no post.") && !tester.text.contains("social.example for them"))
  }

  @Test func `a list that is not looked through yet says how far it was`() throws {
    var tester = try tester()
    tester.type("/ratio:portrait")
    tester.press(.enter)
    var made = RowCache()
    let part = Snapshot<ListedPost>(
      rows: [], total: .exactly(0), hasMoreAfter: true, lookedTo: Date(timeIntervalSince1970: 1_763_640_000))
    tester.send(.list(ListReading(part, made: &made)))
    #expect(tester.lines[0].contains("0 posts so far, back to ") && tester.text.contains(". Looking on…"))
    tester.send(.list(ScreenTester.reading([])))
    #expect(tester.text.contains("This filter finds no post.") && !tester.text.contains("so far"))
  }

  @Test func `a long filter leaves room for the count`() throws {
    var tester = try tester()
    tester.type("/\(String(repeating: "kind:video ", count: 20))")
    tester.press(.enter)
    #expect(tester.lines[0].contains("kind:video") && tester.lines[0].contains("…  12 posts"))
  }
}
