import Foundation
import Posts
import PropertyTesting
import SQLite

@testable import Storage

/// Random edits of a library, the same for the same seed.
struct Turmoil {
  var dice: Dice

  private static let names = ["Ada", "bob", "Cyd", "ada", "", "Zoe", "Ümit"]
  private static let tags = ["cats", "dogs", "birds", "Cats", "aa"]
  private static let feeds = [
    cats, Feed(source: .usual, kind: .tag, value: "dogs", server: social),
    Feed(source: .usual, kind: .tag, value: "rare", server: birds),
    adas,
  ]

  init(seed: UInt64) { dice = Dice(state: seed) }

  mutating func stir(_ store: Store) throws {
    switch Int.random(in: 0..<12, using: &dice) {
    case 0..<6: try save(store)
    case 6: try store.delete(some(), now: noon)
    case 7: try store.restore(some(), now: noon)
    case 8: try store.add(manual(), id: UUID(), now: noon)
    case 9:
      let marker = Marker(machine: "desk", program: .command)
      try store.mark(some(), [.rating(Int.random(in: 0..<6, using: &dice))], by: marker, now: noon)
    default: try edit(store)
    }
  }

  private mutating func some() -> [Int64] { (0..<3).map { _ in Int64.random(in: 1..<60, using: &dice) } }

  private mutating func save(_ store: Store) throws {
    let feed = Self.feeds[Int.random(in: 0..<Self.feeds.count, using: &dice)]
    let items = (0..<Int.random(in: 1..<6, using: &dice)).map { _ in
      var item = item(made(Int.random(in: 0..<60, using: &dice)))
      if Bool.random(using: &dice), Bool.random(using: &dice) {
        item.id = "again-\(Int.random(in: 0..<40, using: &dice))"
        item.repetition = Repetition(by: author(Int.random(in: 0..<4, using: &dice)), at: noon)
      }
      return item
    }
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(Page(items: items, next: .end), in: pull, now: noon)
    try store.finishPull(pull, reached: true, now: noon)
  }

  private mutating func made(_ number: Int) -> Post {
    let tags = Self.tags.filter { _ in Int.random(in: 0..<3, using: &dice) == 0 }
    let word = ["sun", "moon", "Mondsüchtig"][Int.random(in: 0..<3, using: &dice)]
    var made = post(number, caption: "\(word) \(number)", tags: tags)
    made.author = author(Int.random(in: 0..<4, using: &dice))
    // Some minutes have several posts, and the range includes the end of October, when Berlin's clocks go back.
    let hours = Double(number * number % 61) * 3
    made.createdAt = Date(timeIntervalSince1970: 1_698_300_000 + hours * 3600)
    return made
  }

  private mutating func manual() -> Post {
    var manual = made(Int.random(in: 0..<60, using: &dice))
    manual.author = nil
    return manual
  }

  private mutating func author(_ number: Int) -> Author {
    let name = Self.names[Int.random(in: 0..<Self.names.count, using: &dice)]
    return Author(uri: "https://birds.example/users/\(number)", handle: "user\(number)@birds.example", name: name)
  }

  /// Edits that no command makes, but a person with SQL may.
  private mutating func edit(_ store: Store) throws {
    let id = Int64.random(in: 1..<60, using: &dice)
    let sql = [
      "DELETE FROM post WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM post_state WHERE post = $1)",
      "DELETE FROM post_state WHERE post = $1",
      "UPDATE post SET author = NULL WHERE id = $1",
      "UPDATE post SET created_at = '2023-10-29T00:30:00.000Z' WHERE id = $1",
      "DELETE FROM post_tag WHERE post = $1",
      "DELETE FROM feed_post WHERE post = $1",
      "DELETE FROM feed WHERE id = $1 - 50",
      "UPDATE feed_post SET (post, created_at) = (SELECT id, created_at FROM post ORDER BY id LIMIT 1) WHERE id = $1",
      "UPDATE attachment SET alt = 'x' WHERE post = $1",
    ].randomElement(using: &dice)
    try store.write { db in try db.run(sql ?? "", [id]) }
  }
}
