import Foundation
import Posts
import Testing

@testable import Storage

/// Who may see a post: what is stored of it, and how posts of earlier versions get it.
struct VisibilityTests {
  private func seen(_ number: Int, by visibility: Visibility?, caption: String? = nil) -> Post {
    var made = post(number, caption: caption)
    made.visibility = visibility
    return made
  }

  private func stored(_ library: TestLibrary) throws -> [String] {
    try library.lines("SELECT coalesce(visibility, '-') FROM post ORDER BY created_at")
  }

  @Test func `a post whose answer was not looked at yet is not for everybody`() throws {
    let store = try TestLibrary().store
    try OldLibrary.fill(store)
    // As a migration leaves what an earlier version stored.
    try store.write { db in
      try db.run("UPDATE post SET visibility = 'pending'")
      try UnreadVisibilities.expect(after: 0, in: db)
    }
    let posts = try store.posts(PostQuery(limit: nil, deleted: .included))
    #expect(posts.count > 10 && posts.allSatisfy { $0.visibility == .pending && !$0.visibility.isPublishable })
    #expect(try store.awaitsVisibilities())
    var looked = 0
    while try store.readVisibilities(
      atMost: 4,
      {
        looked += 1
        return $0.body.map { String(decoding: $0, as: UTF8.self).contains("/3\"") ? .direct : .public }
      }) != nil
    {}
    #expect(looked == posts.count)
    #expect(try !store.awaitsVisibilities())
    let then = try store.posts(PostQuery(limit: nil, deleted: .included))
    #expect(then.count { $0.visibility == .direct } == 1 && !then.contains { $0.visibility == .pending })
    #expect(then.filter(\.isManual).map(\.visibility) == [nil])
    #expect(then.map(\.updatedAt) == posts.map(\.updatedAt))
  }

  @Test
  func `steps go on where another process stopped, and begin again for what an earlier version stored behind them`()
    throws
  {
    let library = try TestLibrary()
    try library.pull((1...6).map { seen($0, by: .pending) })
    try library.store.write { try UnreadVisibilities.expect(after: 0, in: $0) }
    _ = try library.store.readVisibilities(atMost: 3) { _ in .public }
    // Killed here: what was not stored is looked at by the next one.
    let step = try library.store.read { try UnreadVisibilities(in: $0, atMost: 3) { _ in .followers } }
    _ = try library.store.readVisibilities(atMost: 2) { _ in .unlisted }
    try library.store.write { try #require(step).store(in: $0) }
    #expect(
      try library.lines("SELECT visibility FROM post ORDER BY id") == [
        "public", "public", "public", "unlisted", "unlisted", "pending",
      ])
    try library.store.write { try $0.run("UPDATE post SET visibility = 'pending' WHERE id = 1") }
    while try library.store.readVisibilities(atMost: 2, { _ in .local }) != nil {}
    #expect(
      try library.lines("SELECT visibility FROM post ORDER BY id") == [
        "local", "public", "public", "unlisted", "unlisted", "local",
      ])
    #expect(try !library.store.awaitsVisibilities())
  }

  @Test func `what cannot be decompressed any more is for the fewest`() throws {
    let library = try TestLibrary()
    try library.pull([seen(1, by: .pending)])
    try library.store.write { db in
      try UnreadVisibilities.expect(after: 0, in: db)
      try db.run("UPDATE raw SET body = x'00'")
    }
    while try library.store.readVisibilities(atMost: 9, { _ in .public }) != nil {}
    #expect(try stored(library) == ["direct"])
  }

  @Test func `a post that comes again without a visibility keeps it, and one of another word takes that`() throws {
    let library = try TestLibrary()
    try library.pull([seen(1, by: .direct)])
    try library.pull([seen(1, by: nil)])
    #expect(try stored(library) == ["direct"])
    try library.pull([seen(1, by: .public)])
    #expect(try stored(library) == ["public"])
  }

  @Test func `a stored word that this version does not know is the narrowest`() throws {
    let library = try TestLibrary()
    try library.pull([seen(1, by: .public)])
    try library.store.write { try $0.run("UPDATE post SET visibility = 'circle'") }
    #expect(try library.store.posts().map(\.visibility) == [.direct])
  }
}
