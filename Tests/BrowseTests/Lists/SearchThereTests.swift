import Foundation
import Terminal
import Testing

@testable import Browse

/// Searches at the server.
struct SearchThereTests {
  private func tester(searcher: String = "social.example", posts: [ListRow]? = ScreenTester.posts) throws
    -> ScreenTester
  {
    var scope = ScreenTester.cats
    scope.searcher = searcher
    var tester = try ScreenTester(posts: posts, scope: scope)
    _ = tester.done()
    return tester
  }

  @Test func `Tab asks the list's server for the words`() throws {
    var tester = try tester()
    tester.type("/red panda")
    #expect(tester.lines[23].contains("Tab ask social.example"))
    tester.press(.tab)
    #expect(tester.done().last == .searchThere("red panda"))
    #expect(tester.lines[23].contains("? help"))
  }

  @Test func `Enter asks the server if no stored post has the words`() throws {
    var tester = try tester()
    tester.type("/red")
    tester.press(.enter)
    tester.send(.list(ScreenTester.reading([])))
    #expect(tester.text.contains("Enter asks social.example for them"))
    _ = tester.done()
    tester.press(.enter)
    #expect(tester.done() == [.searchThere("red")])
  }

  @Test func `while words are typed, Tab is named as the key that asks the server`() throws {
    var tester = try tester()
    tester.type("/red")
    tester.pass(1)
    tester.send(.list(ScreenTester.reading([])))
    #expect(tester.text.contains("Tab asks social.example for them") && !tester.text.contains("Enter asks"))
    tester.press(.enter)
    #expect(tester.lines[23].contains("Enter ask social.example") && !tester.lines[23].contains("whole"))
  }

  @Test func `an empty list offers no key for a post, and says that there is none`() throws {
    var tester = try ScreenTester(posts: [])
    #expect(!tester.lines[23].contains("Enter whole") && !tester.lines[23].contains("delete"))
    for key in ["o", "y", "z", "O"] {
      tester.type(key)
      #expect(tester.lines[22] == " No post is selected.", "\(key)")
    }
  }

  @Test func `older posts are named at the end of all posts only where a tag has some`() throws {
    var tester = try ScreenTester(scope: ListScope(title: "All posts", canRefresh: true))
    tester.type("G")
    #expect(tester.text.contains("That is all that is stored.") && !tester.text.contains("older"))
    tester.send(.older(true))
    #expect(tester.text.contains("t shows one tag, which has older posts."))
  }

  @Test func `a message about a post is gone with the next post, and one about a setting with the settings`() throws {
    var tester = try ScreenTester()
    tester.press(.enter)
    tester.type("z")
    #expect(tester.lines[22] == " This post has no picture.")
    tester.press(.right)
    #expect(!tester.text.contains("This post has no picture."))
    tester.press(.escape)
    tester.type("s")
    tester.send(.problem("refresh takes a time"))
    tester.press(.escape)
    #expect(!tester.text.contains("refresh takes a time"))
  }

  @Test func `a list without a server that searches asks nobody`() throws {
    var tester = try tester(searcher: "", posts: [])
    tester.type("/red")
    #expect(!tester.lines[23].contains("Tab"))
    tester.press(.tab)
    tester.press(.enter)
    tester.press(.enter)
    #expect(!tester.done().contains { if case .read(.searchThere) = $0 { true } else { false } })
  }

  @Test func `the field after t says what the typed text means`() throws {
    var tester = try tester()
    tester.type("t@birds")
    #expect(tester.lines[22].hasSuffix("a user"))
    tester.press(.escape)
    tester.type("tred panda")
    #expect(tester.lines[22].hasSuffix("a search"))
    tester.press(.enter)
    #expect(tester.done().last == .choose("red panda"))
  }

  @Test func `another list is not searched for what the one before was`() throws {
    var tester = try tester()
    tester.type("/garden")
    tester.press(.enter)
    tester.send(.list(ScreenTester.reading(ScreenTester.posts)))
    #expect(tester.lines[0].contains("garden*"))
    tester.type("tbirds")
    tester.press(.enter)
    #expect(tester.done().last == .choose("birds"))
    // Until it arrives, or if it does not, the scope is the previous one.
    #expect(tester.lines[0].contains("garden*"))
    tester.send(.problem("no"))
    #expect(tester.lines[0].contains("garden*"))
    tester.type("tbirds")
    tester.press(.enter)
    tester.send(.scope(ListScope(title: "#birds", canPullOlder: true)), .list(ScreenTester.reading(ScreenTester.posts)))
    #expect(!tester.text.contains("garden*"))
    tester.type("/")
    #expect(!tester.lines[22].contains("garden"))
  }

  @Test func `help lists the keys of the screen behind it`() throws {
    var tester = try tester()
    tester.type("c?")
    #expect(tester.text.contains("the month before, the month after"))
    #expect(!tester.text.contains("delete the post"))
    tester.press(.escape, .escape, .enter)
    tester.type("?")
    #expect(tester.text.contains("the next picture; Shift-Tab the one before"))
  }
}
