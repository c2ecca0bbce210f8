import Foundation
import Terminal
import Testing

@testable import Browse

/// Searches at the server.
struct SearchThereTests {
  private func stage(searcher: String = "social.example", posts: [ListRow]? = Stage.posts) throws -> Stage {
    var scope = Stage.cats
    scope.searcher = searcher
    var stage = try Stage(posts: posts, scope: scope)
    _ = stage.done()
    return stage
  }

  @Test func `Tab asks the list's server for the words`() throws {
    var stage = try stage()
    stage.type("/red panda")
    #expect(stage.lines[23].contains("Tab ask social.example"))
    stage.press(.tab)
    #expect(stage.done().last == .searchThere("red panda"))
    #expect(stage.lines[23].contains("? help"))
  }

  @Test func `Enter asks the server if no stored post has the words`() throws {
    var stage = try stage()
    stage.type("/red")
    stage.press(.enter)
    stage.send(.list(Stage.reading([])))
    #expect(stage.text.contains("Enter asks social.example for them"))
    _ = stage.done()
    stage.press(.enter)
    #expect(stage.done() == [.searchThere("red")])
  }

  @Test func `while words are typed, Tab is named as the key that asks the server`() throws {
    var stage = try stage()
    stage.type("/red")
    stage.pass(1)
    stage.send(.list(Stage.reading([])))
    #expect(stage.text.contains("Tab asks social.example for them") && !stage.text.contains("Enter asks"))
    stage.press(.enter)
    #expect(stage.lines[23].contains("Enter ask social.example") && !stage.lines[23].contains("whole"))
  }

  @Test func `an empty list offers no key for a post, and says that there is none`() throws {
    var stage = try Stage(posts: [])
    #expect(!stage.lines[23].contains("Enter whole") && !stage.lines[23].contains("delete"))
    for key in ["o", "y", "z", "O"] {
      stage.type(key)
      #expect(stage.lines[22] == " No post is selected.", "\(key)")
    }
  }

  @Test func `older posts are named at the end of all posts only where a tag has some`() throws {
    var stage = try Stage(scope: ListScope(title: "All posts", canRefresh: true))
    stage.type("G")
    #expect(stage.text.contains("That is all that is stored.") && !stage.text.contains("older"))
    stage.send(.older(true))
    #expect(stage.text.contains("t shows one tag, which has older posts."))
  }

  @Test func `a message about a post is gone with the next post, and one about a setting with the settings`() throws {
    var stage = try Stage()
    stage.press(.enter)
    stage.type("z")
    #expect(stage.lines[22] == " This post has no picture.")
    stage.press(.right)
    #expect(!stage.text.contains("This post has no picture."))
    stage.press(.escape)
    stage.type("s")
    stage.send(.problem("refresh takes a time"))
    stage.press(.escape)
    #expect(!stage.text.contains("refresh takes a time"))
  }

  @Test func `a list without a server that searches asks nobody`() throws {
    var stage = try stage(searcher: "", posts: [])
    stage.type("/red")
    #expect(!stage.lines[23].contains("Tab"))
    stage.press(.tab)
    stage.press(.enter)
    stage.press(.enter)
    #expect(!stage.done().contains { if case .read(.searchThere) = $0 { true } else { false } })
  }

  @Test func `the field after t says what the typed text means`() throws {
    var stage = try stage()
    stage.type("t@birds")
    #expect(stage.lines[22].hasSuffix("a user"))
    stage.press(.escape)
    stage.type("tred panda")
    #expect(stage.lines[22].hasSuffix("a search"))
    stage.press(.enter)
    #expect(stage.done().last == .choose("red panda"))
  }

  @Test func `another list is not searched for what the one before was`() throws {
    var stage = try stage()
    stage.type("/garden")
    stage.press(.enter)
    stage.send(.list(Stage.reading(Stage.posts)))
    #expect(stage.lines[0].contains("“garden”"))
    stage.type("tbirds")
    stage.press(.enter)
    #expect(stage.done().last == .choose("birds"))
    // Until it arrives, or if it does not, the scope is the previous one.
    #expect(stage.lines[0].contains("“garden”"))
    stage.send(.problem("no"))
    #expect(stage.lines[0].contains("“garden”"))
    stage.type("tbirds")
    stage.press(.enter)
    stage.send(.scope(ListScope(title: "#birds", canPullOlder: true)), .list(Stage.reading(Stage.posts)))
    #expect(!stage.text.contains("garden”"))
    stage.type("/")
    #expect(!stage.lines[22].contains("garden"))
  }

  @Test func `help lists the keys of the screen behind it`() throws {
    var stage = try stage()
    stage.type("c?")
    #expect(stage.text.contains("the month before, the month after"))
    #expect(!stage.text.contains("delete the post"))
    stage.press(.escape, .escape, .enter)
    stage.type("?")
    #expect(stage.text.contains("the next picture; Shift-Tab the one before"))
  }
}
