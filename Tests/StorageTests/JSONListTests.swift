import PropertyTesting
import SQLRows
import SQLite
import Testing

@testable import Storage

struct JSONListTests {
  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 2000))
  func `json_each returns the elements of a list`(seed: UInt64) throws {
    let pieces = [
      "a", "\"", "\\", "/", "\n", "\u{1}", "\u{1F}", "\u{7F}", "é", "猫", "🐈", "\u{301}", "]", ",", "2026", " ", "null",
    ]
    var dice = Dice(state: seed)
    let texts = (0..<dice.below(9)).map { _ in
      (0..<dice.below(6)).map { _ in pieces[dice.below(pieces.count)] }.joined()
    }
    let numbers = (0..<dice.below(9)).map { _ in Int64.random(in: .min ... .max, using: &dice) }
    try TestLibrary().store.read { db in
      let read = try db.rows("SELECT value FROM json_each(?)", [texts.jsonList]).map { $0[0] as String }
      #expect(read.map { Array($0.utf8) } == texts.map { Array($0.utf8) }, "seed \(seed)")
      let counted = try db.rows("SELECT value FROM json_each(?)", [numbers.jsonList]).map { $0[0] as Int64 }
      #expect(counted == numbers, "seed \(seed)")
    }
  }
}
