import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// The keys that mark posts, what they act on, and how marks are drawn.
struct MarkTests {
  /// A screen whose first pull is over.
  private func tester(_ columns: Int = 80, _ rows: Int = 24, posts: [ListRow] = ScreenTester.posts) throws
    -> ScreenTester
  {
    var tester = try ScreenTester(columns, rows, posts: posts)
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    _ = tester.done()
    return tester
  }

  private func marked(_ post: ListRow, _ edit: (inout RowMarks) -> Void) -> ListRow {
    var post = post
    edit(&post.marks)
    return post
  }

  private let names = ScreenEvent.markNames(
    MarkNames(ownTags: ["boat", "print", "sailboat"], albums: ["Winter", "Birds"]))

  // MARK: Keys

  @Test func `a star and a rating act on the post under the cursor, and u takes back the last one`() throws {
    var tester = try tester()
    tester.type("*4")
    #expect(tester.done() == [.write(.change(.toggleFavourites([12]))), .write(.change(.mark([12], [.rating(4)])))])
    tester.send(.done(.marked([12], .marked([.favourite(true)]), changes: [7])))
    #expect(tester.lines[22] == " Favourite.")
    tester.send(.done(.marked([12], .marked([.rating(4)]), changes: [8])))
    #expect(tester.lines[22] == " Rating 4 of 5.")
    tester.type("u")
    #expect(tester.done() == [.write(.change(.unmark([8])))])
    tester.send(.done(.unmarked([12], isPart: false)))
    #expect(tester.lines[22] == " 1 post as before.")
    tester.type("u")
    #expect(tester.done() == [.write(.change(.unmark([7])))])
    tester.send(.done(.unmarked([], isPart: true)))
    #expect(tester.lines[22] == " Not undone: it was changed again since.")
  }

  @Test(arguments: [60, 80]) func `a message that is longer than a line goes on in the next one, and u stays`(
    columns: Int
  ) throws {
    var tester = try tester(columns)
    tester.type("*")
    tester.send(.done(.marked([12], .marked([.favourite(true)]), changes: [7])))
    let message =
      "Cannot write to the library: the disk is full. Remove something from it or move the library"
    tester.send(.problem(message))
    let words = tester.lines[22...23].map { $0.trimmingPrefix(" ").description }
    #expect(tester.lines[22].count < columns && message.hasPrefix(words[0]))
    #expect("\(words[0]) \(words[1])".hasPrefix(message) && words[1].contains("  u undo"))
    // What does not fit in two lines leaves the key that it names.
    tester.send(.problem("\(message), or \(message.lowercased()) · Enter tries again"))
    #expect(tester.lines[23].contains("… · Enter tries again  u undo"))
    tester.press(.down)
    #expect(tester.lines[22].isEmpty && tester.lines[23].hasPrefix(" u undo"))
  }

  @Test func `marks and deletes are undone in the order in which they were done`() throws {
    var tester = try tester()
    tester.type("5")
    tester.send(.done(.marked([12], .marked([.rating(5)]), changes: [3])))
    tester.press(.down)
    tester.type("d")
    tester.send(.done(.deleted([11])))
    _ = tester.done()
    tester.type("u")
    tester.send(.done(.restored([11])))
    tester.type("u")
    #expect(tester.done() == [.restore([11]), .write(.change(.unmark([3])))])
  }

  @Test func `a mark that changed nothing leaves nothing to undo`() throws {
    var tester = try tester()
    tester.type("0")
    tester.send(.done(.marked([], .marked([.rating(0)]), changes: [])))
    #expect(tester.lines[22] == " It was so before.")
    tester.type("u")
    #expect(tester.lines[22] == " Nothing to undo.")
  }

  @Test func `selected posts are called the same picture or different ones, and i finds what is alike`() throws {
    var tester = try tester()
    tester.type("=")
    #expect(tester.lines[22] == " Select the posts to compare with x, or find those alike with i.")
    tester.type("x")
    tester.press(.down)
    tester.type("x=!")
    #expect(tester.done() == [.write(.change(.call([11, 12], .same))), .write(.change(.call([11, 12], .different)))])
    tester.send(.done(.marked([11, 12], .called(.same, joined: 0), changes: [7])))
    #expect(tester.lines[22] == " 2 posts: the same picture.")
    tester.send(.done(.marked([], .called(.different, joined: 0), changes: [])))
    #expect(tester.lines[22] == " It was so before.")
    tester.type("u")
    #expect(tester.done() == [.write(.change(.unmark([7])))])
    tester.press(.escape)
    tester.type("i")
    let alike = try Filter(parsing: "like:11")
    #expect(tester.done() == [.read(.search(alike))])
    // The post under the cursor and the one that the list was asked for.
    tester.press(.up)
    tester.type("!")
    #expect(tester.done() == [.write(.change(.call([11, 12], .different)))])
  }

  @Test func `n marks a post as seen and goes on, and only goes on from one that was seen`() throws {
    var posts = ScreenTester.posts
    posts[1] = marked(posts[1]) { $0.seenAt = posts[0].createdAt }
    var tester = try tester(posts: posts)
    tester.type("n")
    #expect(tester.done() == [.write(.change(.mark([12], [.seen(true)])))])
    #expect(tester.screen.list.selected == 11)
    tester.type("n")
    #expect(tester.done().isEmpty)
    #expect(tester.screen.list.selected == 10)
  }

  @Test func `on a post's own screen marks act on that post, whatever is selected`() throws {
    var tester = try tester()
    tester.type("x")
    tester.press(.down, .enter)
    tester.type("*d")
    #expect(tester.done() == [.write(.change(.toggleFavourites([11]))), .delete([11])])
    tester.press(.escape)
    #expect(tester.lines[0].contains("1 selected"))
  }

  // MARK: The line

  @Test func `an own tag is completed by Tab, given, and taken away by a minus or where the post has it`() throws {
    var posts = ScreenTester.posts
    posts[1] = marked(posts[1]) { $0.ownTags = ["boat"] }
    var tester = try tester(posts: posts)
    tester.type("+")
    #expect(tester.done() == [.write(.markNames)])
    tester.send(names)
    tester.type("boa")
    tester.press(.tab)
    #expect(tester.lines[22] == " Tag + ▸ boat")
    tester.press(.tab)
    #expect(tester.lines[22] == " Tag + ▸ sailboat")
    tester.press(.backTab, .enter)
    #expect(tester.done() == [.write(.change(.mark([12], [.ownTag("boat")])))])
    tester.press(.down)
    for typed in ["boat", "-boat"] {
      tester.type("+\(typed)")
      tester.press(.enter)
      #expect(tester.done() == [.write(.markNames), .write(.change(.mark([11], [.noOwnTag("boat")])))])
    }
    tester.type("+-")
    tester.send(names)
    tester.press(.tab)
    #expect(tester.lines[22] == " Tag + ▸ -boat")
    tester.press(.escape)
    #expect(tester.screen.mode == .list)
  }

  @Test func `an album that is missing is made by a second Enter, and one that is there is not asked about`() throws {
    var tester = try tester()
    tester.type("A")
    tester.send(names)
    tester.type("winter")
    tester.press(.enter)
    #expect(tester.done() == [.write(.markNames), .write(.change(.addToAlbum([12], "Winter", makes: false)))])
    tester.send(.done(.marked([12], .added("Winter", isNew: false), changes: [3])))
    #expect(tester.lines[22] == " In the album “Winter”.")
    tester.type("A")
    tester.send(names)
    tester.type("Ships")
    _ = tester.done()
    tester.press(.enter)
    #expect(tester.done().isEmpty)
    #expect(tester.lines[23] == " There is no album “Ships”. Enter makes it, Esc does not.")
    tester.type("!")
    tester.press(.enter)
    #expect(tester.done().isEmpty)
    tester.press(.enter)
    #expect(tester.done() == [.write(.change(.addToAlbum([12], "Ships!", makes: true)))])
    tester.send(.done(.marked([12], .added("Ships!", isNew: true), changes: [4, 5])))
    #expect(tester.lines[22] == " In the new album “Ships!”.")
    tester.type("u")
    #expect(tester.done() == [.write(.change(.unmark([4, 5])))])
  }

  @Test func `a post is hidden, or its author or a tag that Tab offers, and all comes back`() throws {
    var tester = try tester()
    tester.type("H")
    #expect(tester.done().isEmpty)
    #expect(tester.lines[22].hasSuffix("this post"))
    tester.press(.enter)
    #expect(tester.done() == [.write(.change(.hide([12], [])))])
    tester.send(.done(.marked([12], .hidden([]), changes: [3])))
    #expect(tester.lines[22] == " Hidden.")
    tester.type("H")
    tester.press(.tab)
    let handle = try #require(tester.screen.selectedPost).handle.text
    #expect(tester.lines[22].hasPrefix(" Hide ▸ by:\(handle)"))
    tester.press(.enter)
    #expect(tester.done() == [.write(.change(.hide([], [.author(handle)])))])
    tester.send(.done(.marked([], .hidden(["by:\(handle)"]), changes: [4])))
    #expect(tester.lines[22] == " Hidden: by:\(handle).")
    tester.type("u")
    #expect(tester.done() == [.write(.change(.unmark([4])))])
    tester.type("Hnonsense")
    tester.press(.enter)
    #expect(tester.done().isEmpty)
    #expect(tester.lines[23].contains("by:HANDLE is an author"))
    tester.press(.escape)
    tester.type("xjxH")
    #expect(tester.lines[22].hasSuffix("2 posts"))
    tester.press(.enter)
    #expect(tester.done().contains(.write(.change(.hide([12, 11], [])))))
  }

  @Test func `an album that was deleted meanwhile is asked about, too`() throws {
    var tester = try tester()
    tester.type("AWinter")
    tester.press(.enter)
    tester.send(.refused("there is no album \"Winter\""))
    #expect(tester.lines[22] == " Album ▸ Winter")
    _ = tester.done()
    tester.press(.enter)
    #expect(tester.done() == [.write(.change(.addToAlbum([12], "Winter", makes: true)))])
  }

  @Test func `a note is changed in its line, and an empty one is none`() throws {
    let post = marked(ScreenTester.posts[0]) { $0.note = "by the sea" }
    var tester = try tester(posts: [post])
    tester.type("N")
    #expect(tester.lines[22] == " Note ▸ by the sea")
    tester.type("!")
    tester.press(.enter)
    #expect(tester.done() == [.write(.change(.mark([12], [.note("by the sea!")])))])
    tester.type("N")
    tester.press(.control("u"), .enter)
    #expect(tester.done() == [.write(.change(.mark([12], [.note("")])))])
  }

  @Test func `a note that could not be stored is not lost`() throws {
    var tester = try tester()
    tester.type("Nat dawn")
    tester.press(.enter)
    tester.send(.refused("The disk is full."))
    #expect(tester.lines[22] == " Note ▸ at dawn")
    #expect(tester.lines[23] == " The disk is full.")
  }

  @Test func `a message below a text field that is longer than a line has two, and the field rises`() throws {
    var tester = try tester(60)
    tester.type("Nat dawn")
    tester.press(.enter)
    let message = "Cannot write to the library: the disk is full. Remove something from it or move the library"
    tester.send(.refused(message))
    #expect(tester.lines[21] == " Note ▸ at dawn" && tester.canvas.cursor?.row == 21)
    #expect(tester.lines[22...23].map { $0.trimmingPrefix(" ") }.joined(separator: " ") == message)
    tester.type("!")
    #expect(tester.lines[22] == " Note ▸ at dawn!" && tester.lines[23].hasPrefix(" Enter"))
  }

  @Test func `a note of several lines is not torn by one line`() throws {
    var stored = StoredPost(id: 9, source: .manual, uri: "", createdAt: ScreenTester.posts[0].createdAt, caption: "x")
    stored.marks.note = "one\ntwo"
    var tester = try tester(posts: [ListRow(stored)])
    tester.type("N")
    #expect(tester.screen.mode == .list)
    #expect(tester.lines[22].contains("\"media mark 9 --note\" changes it"))
  }

  // MARK: Selecting

  @Test func `what is selected is marked at once, and Esc selects none before it does anything else`() throws {
    var tester = try tester()
    tester.type("x")
    tester.press(.down, .down)
    tester.type("X")
    #expect(tester.lines[0].contains("3 selected"))
    #expect(tester.lines[23].hasPrefix(" Esc select none  * favourite"))
    #expect(tester.text.contains("\n ● BB"))
    tester.type("*3n")
    #expect(
      tester.done() == [
        .write(.change(.toggleFavourites([12, 11, 10]))), .write(.change(.mark([12, 11, 10], [.rating(3)]))),
        .write(.change(.mark([12, 11, 10], [.seen(true)]))),
      ])
    tester.send(.done(.marked([12, 11, 10], .marked([.favourite(true)]), changes: [1])))
    #expect(tester.lines[22] == " 3 posts: favourite.")
    tester.press(.up)
    tester.type("x")
    #expect(tester.lines[0].contains("2 selected"))
    tester.press(.escape)
    #expect(!tester.lines[0].contains("selected"))
    #expect(tester.done().isEmpty)
  }

  @Test func `a delete of what is selected is one change, and selects none`() throws {
    var tester = try tester()
    tester.type("x")
    tester.press(.down)
    tester.type("xd")
    #expect(tester.done() == [.delete([12, 11])])
    #expect(tester.screen.selection.isEmpty)
  }

  @Test func `M selects all posts of the list, also those that were not read`() throws {
    var tester = try tester()
    tester.type("M")
    #expect(tester.done() == [.read(.members(.all))])
    // Before the answer it would act on the post under the cursor.
    tester.type("2")
    #expect(tester.done().isEmpty)
    #expect(tester.lines[22] == " What is selected is still being read: nothing was done.")
    tester.send(.members(Array(1...500), .all))
    #expect(tester.lines[0].contains("500 selected"))
    tester.type("2")
    guard case .write(.change(.mark(let ids, [.rating(2)])))? = tester.done().first else { return #expect(Bool(false)) }
    #expect(Set(ids) == Set(1...500) && ids.count == 500)
    #expect(Array(ids.prefix(12)) == ScreenTester.posts.map(\.id))
  }

  @Test func `X selects from a post that is no longer among the rows, by what the store has between`() throws {
    var tester = try tester()
    tester.type("x")
    tester.send(.list(ScreenTester.reading(Array(ScreenTester.posts.dropFirst(6)), before: true)))
    tester.type("X")
    let here = try #require(tester.screen.list.selected)
    #expect(tester.done().contains(.read(.members(.range(12, here)))))
    tester.type("*")
    #expect(tester.done().isEmpty)
    tester.send(.members(Array(here...12), .range(12, here)))
    #expect(tester.screen.selection.ids == Set(here...12))
    tester.type("*")
    guard case .write(.change(.toggleFavourites(let ids)))? = tester.done().first else { return #expect(Bool(false)) }
    #expect(Set(ids) == Set(here...12))
  }

  @Test func `an answer that comes after Esc selects nothing`() throws {
    var tester = try tester()
    tester.type("M")
    tester.press(.escape)
    tester.send(.members(Array(1...500), .all))
    #expect(tester.screen.selection.isEmpty)
    tester.type("d")
    #expect(tester.done().contains(.delete([12])))
  }

  @Test func `posts that leave the list are no longer selected, those that leave the window are`() throws {
    var tester = try tester()
    tester.type("M")
    tester.send(.members([12, 11, 1], .all))
    tester.send(.list(ScreenTester.reading(ScreenTester.posts.filter { $0.id != 11 && $0.id != 1 }, after: true)))
    #expect(tester.screen.selection.ids == [12, 1])
    tester.send(.scope(ListScope(title: "#birds", isWhole: false)))
    #expect(tester.screen.selection.isEmpty)
  }

  @Test func `what is selected beyond the rows is asked for once posts of it leave the list, and the others stay`()
    throws
  {
    var tester = try tester()
    tester.type("M")
    tester.send(.members(Array(1...500), .all))
    _ = tester.done()
    tester.send(.list(ScreenTester.reading(Array(ScreenTester.posts.dropFirst()), after: true)))
    let others = Set<Int64>(1...500).subtracting(1...12)
    let effects = tester.done()
    guard case .read(.members(.among(let asked)))? = effects.first else { return #expect(Bool(false), "\(effects)") }
    #expect(asked == others)
    tester.type("d")
    #expect(tester.done().isEmpty)
    tester.send(.members(Array(13...400), .among(asked)))
    #expect(tester.screen.selection.ids == Set(1...11).union(13...400))
  }

  @Test func `once all that was selected has left the list, the next key does not act on another post`() throws {
    var tester = try tester()
    tester.type("x")
    let others = Array(ScreenTester.posts.dropFirst())
    tester.send(.list(ScreenTester.reading(others)))
    #expect(tester.lines[22] == " What you selected has left the list.")
    tester.type("d")
    #expect(!tester.done().contains(.delete([11])))
    #expect(tester.lines[22] == " What you selected has left the list: nothing was done.")
    tester.type("d")
    #expect(tester.done().contains(.delete([11])))
    // What a key of the person took off the list is no surprise.
    tester.type("jxn")
    tester.send(.list(ScreenTester.reading(others.filter { $0.id != 10 })))
    _ = tester.done()
    tester.type("d")
    #expect(tester.done().count == 1)
  }

  // MARK: Drawing

  @Test func `marks stand before the age, and own tags behind the author's`() throws {
    let post = marked(ScreenTester.post(1, hours: 1, "A cat.", tags: ["cats"])) {
      ($0.isFavourite, $0.rating, $0.note, $0.seenAt) = (true, 4, "fine", Date(timeIntervalSince1970: 0))
      $0.ownTags = ["boat", "print"]
    }
    let tester = try tester(posts: [post])
    #expect(tester.lines[3].hasSuffix("  ★ 4/5 ✎ ✓  1 h"))
    #expect(tester.lines[5] == "▌       #cats +boat +print")
    #expect(tester.canvas[5, 8].style == .accent && tester.canvas[5, 14].style == .mark)
    var wall = try Wall(80, 24, posts: [post], isGrid: true)
    #expect(wall.lines()[10].contains("★ 4/5 1 h"))
    #expect(!wall.text().contains("✎"))
  }

  @Test func `a long name makes room for marks`() throws {
    var post = marked(ScreenTester.post(1, hours: 1, "A cat.")) { ($0.isFavourite, $0.rating) = (true, 5) }
    post.name = SafeText(String(repeating: "Name ", count: 30))
    for columns in [40, 80] {
      let lines = try tester(columns, 24, posts: [post]).lines
      #expect(lines[3].hasSuffix(" ★ 5/5  1 h") && TextWidth.of(lines[3]) <= columns, "\(lines[3])")
    }
  }

  @Test func `a post's own screen tells all marks`() throws {
    let post = marked(ScreenTester.posts[0]) {
      ($0.isFavourite, $0.rating, $0.note) = (true, 2, "by the sea\nat dawn")
      ($0.ownTags, $0.albums) = (["boat"], ["Winter", "Birds"])
    }
    var tester = try tester(posts: [post])
    tester.press(.enter)
    #expect(
      tester.text.contains(
        "\n ★ Favourite · Rating 2 of 5\n +boat\n Albums: Winter, Birds\n\n Note: by the sea\n at dawn"))
  }
}
