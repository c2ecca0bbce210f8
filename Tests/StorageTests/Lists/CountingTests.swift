import Blobs
import Foundation
import Machine
import Posts
import Testing

@testable import Storage

/// What counts as new, updated, unchanged, deleted and unreadable.
struct CountingTests {
  private func counts(_ saved: Saved) -> [Int] {
    [saved.new, saved.updated, saved.unchanged, saved.deleted, saved.unreadable]
  }

  @Test func `a post is new once, and unchanged afterwards`() throws {
    let library = try TestLibrary()
    #expect(counts(try library.pull([post(2), post(1)])) == [2, 0, 0, 0, 0])
    #expect(counts(try library.pull([post(3), post(2), post(1)])) == [1, 0, 2, 0, 0])
  }

  @Test func `an unchanged page writes no row but the pull's own`() throws {
    let library = try TestLibrary()
    let posts = (1...5).map { post($0, attachments: [picture("p\($0)", id: "m\($0)", alt: "bird")]) }
    try library.pull(posts)
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(), now: noon)
    let before = try library.database.read { $0.totalChangesCount }
    _ = try library.store.save(page(posts), in: pull, now: noon.addingTimeInterval(60))
    #expect(try library.database.read { $0.totalChangesCount } - before == 2)
  }

  @Test func `a post twice on one page is new and unchanged`() throws {
    let library = try TestLibrary()
    let saved = try library.pull([post(1), post(1)])
    #expect(counts(saved) == [1, 0, 1, 0, 0])
    #expect(saved.posts.count == 1)
  }

  @Test(arguments: [true, false])
  func `a post twice on one page with different dates has one of them in all lists`(isKnown: Bool) throws {
    let library = try TestLibrary()
    var (first, other) = (post(5, tags: ["cats", "birds"]), post(5, tags: ["birds"]))
    other.createdAt += 86_400
    if isKnown { try library.pull([post(5)]) }
    var repeated = item(other)
    repeated.id = "another id"
    try library.pull([Page(items: [item(post(6)), item(first), repeated, item(post(4))], next: .end)])
    first.createdAt = other.createdAt
    let dates = [UTC.text(first.createdAt)]
    for table in ["feed_post", "post_tag", "tag_extra"] {
      let sql = "SELECT DISTINCT l.created_at FROM \(table) l JOIN post p ON p.id = l.post WHERE p.uri LIKE '%/5'"
      #expect(try library.lines(sql) == dates, "\(table)")
    }
    for list in [PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(feed: cats)] {
      #expect(try library.store.window(list).rows.map(\.post.caption) == ["post 5", "post 6", "post 4"], "\(list)")
    }
  }

  @Test func `a post twice on one page, edited between, is new and updated`() throws {
    let library = try TestLibrary()
    #expect(counts(try library.pull([post(1), post(1, caption: "better")])) == [1, 1, 0, 0, 0])
    #expect(try library.store.posts(PostQuery(search: "better")).count == 1)
    try library.checkIndex()
  }

  @Test(
    arguments: [
      { (post: inout Post) in post.caption = "other" }, { post in post.warning = "spiders" },
      { post in post.title = "Headline" }, { post in post.tags = ["dogs"] }, { post in post.tags = [] },
      { post in post.attachments[0].alt = "a red bird" }, { post in post.attachments = [] },
      { post in post.attachments.append(picture("c", id: "3")) }, { post in post.attachments.swapAt(0, 1) },
      { post in post.attachments[1] = picture("c", id: "3") }, { post in post.author?.name = "Ada L." },
    ] as [@Sendable (inout Post) -> Void]
  )
  func `a change of anything that people read makes a post updated, once`(edit: @Sendable (inout Post) -> Void) throws {
    let library = try TestLibrary()
    let original = post(1, attachments: [picture("a", id: "1", alt: "bird"), picture("b", id: "2")])
    try library.pull([original])
    var edited = original
    edit(&edited)
    #expect(counts(try library.pull([edited])) == [0, 1, 0, 0, 0])
    #expect(counts(try library.pull([edited])) == [0, 0, 1, 0, 0])
    try library.checkIndex()
  }

  @Test(
    arguments: [
      { (post: inout Post) in post.attachments[0].url = "https://files.example/a.jpg?signed=2" },
      { post in post.attachments[0].url = "https://cdn.example/moved.jpg" },
      { post in post.attachments[0].previewURL = "https://files.example/small.jpg" },
      { post in post.attachments[0].blurhash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj" }, { post in post.language = "de" },
      { post in post.editedAt = noon }, { post in post.captionHTML = "<p>post 1</p>" },
      { post in post.author?.avatarURL = "https://files.example/face.png" }, { post in post.tags.reverse() },
    ] as [@Sendable (inout Post) -> Void]
  )
  func `addresses and hints never make a post updated`(edit: @Sendable (inout Post) -> Void) throws {
    let library = try TestLibrary()
    let original = post(1, tags: ["cats", "dogs"], attachments: [picture("a", id: "1", query: "?signed=1")])
    try library.pull([original])
    var edited = original
    edit(&edited)
    #expect(counts(try library.pull([edited])) == [0, 0, 1, 0, 0])
    #expect(try library.lines("SELECT count(*) FROM revision") == ["0"])
  }

  @Test func `an author's new name updates each of the author's posts on the page`() throws {
    let library = try TestLibrary()
    try library.pull([post(3), post(2), post(1)])
    let renamed = [4, 3, 2].map { post($0, by: "Ada L.") }
    #expect(counts(try library.pull(renamed)) == [1, 2, 0, 0, 0])
    #expect(counts(try library.pull([post(1, by: "Ada L.")])) == [0, 0, 1, 0, 0])
    #expect(try library.lines("SELECT name FROM author") == ["Ada L."])
  }

  @Test(arguments: [1, 2, 3, 6]) func `a new name counts the same whatever the page size`(size: Int) throws {
    let library = try TestLibrary()
    try library.pull((1...6).reversed().map { post($0) })
    let renamed = stride(from: 6, to: 0, by: -size).map { first in
      // Each page shows the last post of the one before it again.
      page((max(first - size + 1, 1)...min(first + 1, 6)).reversed().map { post($0, by: "Ada L.") })
    }
    let saved = try library.pull(renamed)
    #expect(saved.map(\.updated).reduce(0, +) == 6)
    #expect(try library.pull(renamed).map(\.updated).reduce(0, +) == 0)
    #expect(try library.lines("SELECT count(*) FROM renaming") == ["0"])
  }

  @Test func `a page without authors' names renames nobody`() throws {
    func nameless(_ number: Int) -> Post {
      var post = post(number, by: "ada")
      post.author?.isNamed = false
      post.author?.avatarURL = nil
      return post
    }
    let library = try TestLibrary()
    try library.pull([nameless(1)])
    #expect(try library.lines("SELECT name FROM author") == ["ada"])
    #expect(counts(try library.pull([nameless(2), post(1)])) == [1, 1, 0, 0, 0])
    let authorRows = try library.lines("SELECT name, avatar_url FROM author")
    #expect(authorRows.first?.hasPrefix("Ada|") == true)
    #expect(counts(try library.pull([nameless(2), nameless(1)])) == [0, 0, 2, 0, 0])
    #expect(try library.lines("SELECT name, avatar_url FROM author") == authorRows)
  }

  @Test func `an unreadable item is stored in its last form until it can be read`() throws {
    let library = try TestLibrary()
    for counter in 1...3 {
      let raw = Array("{\"id\":\"social.example-1\",\"favourites\":\(counter)}".utf8)
      let bad = PageItem(id: "social.example-1", content: .unreadable(reason: "no uri"), raw: raw)
      let nameless = PageItem(id: nil, content: .unreadable(reason: "no id"), raw: Array("{}".utf8))
      try library.pull([Page(items: [bad, nameless], next: .end)])
    }
    let left = "SELECT remote_id, reason FROM unreadable ORDER BY id"
    #expect(try library.lines(left) == ["social.example-1|no uri", "-|no id"])
    let digest = BlobID(hashing: Array("{\"id\":\"social.example-1\",\"favourites\":3}".utf8))
    #expect(try library.lines("SELECT digest FROM unreadable WHERE remote_id IS NOT NULL") == ["\(digest)"])
    try library.pull([post(1)])
    #expect(try library.lines(left) == ["-|no id"])
  }

  @Test func `an unreadable item is stored once and counted each time`() throws {
    let library = try TestLibrary()
    let bad = PageItem(id: "x", content: .unreadable(reason: "no uri"), raw: Array("{\"id\":\"x\"}".utf8))
    let mixed = Page(items: [item(post(2)), bad, item(post(1))], next: .end)
    #expect(counts(try library.pull([mixed])[0]) == [2, 0, 0, 0, 1])
    #expect(counts(try library.pull([mixed])[0]) == [0, 0, 2, 0, 1])
    #expect(try library.lines("SELECT remote_id, reason FROM unreadable") == ["x|no uri"])
  }

  @Test func `a text with NUL is stored whole, and unchanged the next time`() throws {
    let library = try TestLibrary()
    let hostile = post(1, caption: "before\0after", tags: ["a\0b"])
    #expect(counts(try library.pull([hostile])) == [1, 0, 0, 0, 0])
    #expect(try library.store.posts()[0].caption == "beforeafter")
    #expect(counts(try library.pull([hostile])) == [0, 0, 1, 0, 0])
  }

  @Test func `a repeat is stored as its original, with who repeated it`() throws {
    let library = try TestLibrary()
    var repeated = item(post(1))
    repeated.id = "900"
    repeated.repetition = Repetition(
      by: Author(uri: "https://b.example/u/bob", handle: "bob@b.example", name: "Bob"),
      at: noon
    )
    let saved = try library.pull([Page(items: [repeated, item(post(1))], next: .end)])[0]
    #expect(counts(saved) == [1, 0, 1, 0, 0])
    #expect(
      try library.lines(
        "SELECT f.remote_id, a.handle FROM feed_post f LEFT JOIN author a ON a.id = f.repeated_by ORDER BY f.id"
      )
        == ["900|bob@b.example", "social.example-1|-"]
    )
    #expect(try library.store.posts().compactMap(\.author).map(\.handle) == ["ada@birds.example"])
  }

  @Test func `a post that was stored by itself becomes a repeat in its feed, and stays`() throws {
    let library = try TestLibrary()
    var stub = post(900, caption: "RT @ada: po…", by: "Bob")
    stub.remoteID = "900"
    try library.pull([stub])
    var repeated = item(post(1))
    repeated.id = "900"
    repeated.repetition = Repetition(
      by: Author(uri: "https://b.example/u/bob", handle: "bob@b.example", name: "Bob"), at: noon)
    let saved = try library.pull([Page(items: [repeated], next: .end)])[0]
    #expect(counts(saved) == [1, 0, 0, 0, 0])
    let rows = """
      SELECT f.remote_id, p.caption, a.handle FROM feed_post f JOIN post p ON p.id = f.post
      LEFT JOIN author a ON a.id = f.repeated_by
      """
    let shown = try library.lines(rows)
    #expect(shown == ["900|post 1|bob@b.example"])
    // A pull removes nothing: a person who wants the beginning of a text gone deletes it.
    #expect(try library.lines("SELECT caption FROM post ORDER BY id") == ["RT @ada: po…", "post 1"])
    #expect(counts(try library.pull([Page(items: [repeated], next: .end)])[0]) == [0, 0, 1, 0, 0])
  }
}
