import Foundation
import MediaLibrary
import PropertyTesting

/// Random edits of a library, by this process and another one at the same time.
struct RandomEdits {
  var dice: Dice
  private let library: Library
  private let otherProcess: OtherProcess

  private static let names = ["Ada", "bob", "Cyd", "ada", "Zoe"]
  private static let tags = ["cats", "dogs", "birds", "aa"]
  private static let words = ["sun", "moon", "Mondsüchtig"]

  init(seed: UInt64, library: Library) throws {
    dice = Dice(state: seed)
    self.library = library
    otherProcess = try OtherProcess(at: library.folder)
  }

  mutating func makeEdit() throws {
    if dice.below(2) == 0 { try edit() } else { try otherProcess.send(statement()) }
  }

  /// Returns when all edits are committed.
  func waitForCommits() throws { try otherProcess.waitForCommits() }

  /// Makes an edit in this process.
  private mutating func edit() throws {
    switch dice.below(8) {
    case 0..<4:
      let posts = (0..<1 + dice.below(5)).map { _ in made() }
      try library.save([page(posts)], of: cats)
    case 4: try library.delete((0..<2).map { _ in number() })
    case 5: try library.restore((0..<2).map { _ in number() })
    default:
      var manual = made()
      manual.author = nil
      try library.add(manual, id: UUID())
    }
  }

  /// An edit for the other process: an SQL statement or a transaction.
  private mutating func statement() -> String {
    let id = number()
    switch dice.below(8) {
    case 0, 1:
      return """
        INSERT INTO post_state (post, deleted_at) SELECT id, '2025-01-01T00:00:00.000Z' FROM post WHERE id = \(id) \
        ON CONFLICT (post) DO UPDATE SET deleted_at = excluded.deleted_at;
        """
    case 2: return "UPDATE post_state SET deleted_at = NULL WHERE post = \(id);"
    case 3: return "UPDATE post SET caption = '\(word()) \(id)' WHERE id = \(id);"
    case 4: return "UPDATE post SET created_at = '\(moment())' WHERE id = \(id);"
    case 5: return "DELETE FROM post_tag WHERE post = \(id) AND tag = \(1 + dice.below(4));"
    case 6: return "UPDATE author SET name = '\(name())' WHERE id = \(1 + dice.below(4));"
    default: return insertion()
    }
  }

  private mutating func insertion() -> String {
    """
    BEGIN IMMEDIATE; \
    INSERT INTO post (source, uri, author, created_at, caption, stored_at, updated_at) \
    SELECT 'mastodon', 'urn:\(dice.next())', max(id), '\(moment())', '\(word())', '\(moment())', '\(moment())' FROM author; \
    INSERT INTO caption_fts (rowid, title, caption, warning) \
    SELECT id, title, caption, warning FROM post WHERE id = (SELECT max(id) FROM post); \
    INSERT INTO post_tag (tag, post, position, created_at) \
    SELECT t.id, p.id, 0, p.created_at FROM tag t, post p \
    WHERE t.name = '\(tag())' AND p.id = (SELECT max(id) FROM post); \
    COMMIT;
    """
  }

  private mutating func made() -> Post {
    let number = dice.below(40)
    let tags = Self.tags.filter { _ in dice.below(3) == 0 }
    var made = post(number, caption: "\(word()) \(number)", tags: tags)
    // The name changes, the identity does not.
    let author = dice.below(4)
    made.author = Author(
      uri: "https://birds.example/users/\(author)", handle: "user\(author)@birds.example", name: name())
    // Some times have several posts, and the span includes the end of October, when Berlin's clocks go back.
    made.createdAt = Date(timeIntervalSince1970: 1_698_300_000 + Double(number * number % 61) * 3 * 3600)
    return made
  }

  private mutating func number() -> Int64 { Int64(1 + dice.below(50)) }
  private mutating func name() -> String { Self.names[dice.below(Self.names.count)] }
  private mutating func tag() -> String { Self.tags[dice.below(Self.tags.count)] }
  private mutating func word() -> String { Self.words[dice.below(Self.words.count)] }
  private mutating func moment() -> String { "2023-10-\(26 + dice.below(5))T0\(dice.below(10)):30:00.000Z" }
}
