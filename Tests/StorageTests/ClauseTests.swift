import Rows
import Testing

@testable import Storage

/// Statements that are put together.
struct ClauseTests {
  @Test func `arguments are numbered where they end up, in the order of the words`() {
    let inner: Clause = "b = \(bind: "two") OR c = \(bind: 3)"
    var outer: Clause = "a = \(bind: "one") AND (\(inner)) AND \("d") IS NULL"
    outer += " LIMIT \(bind: 4)"
    #expect(outer.sql == "a = $1 AND (b = $2 OR c = $3) AND d IS NULL LIMIT $4")
    #expect(outer.arguments.map { $0?.content } == [.text("one"), .text("two"), .integer(3), .integer(4)])
  }

  @Test func `an argument may be nothing, a list empty, and a limit none`() {
    let none: String? = nil
    let clause: Clause = "x = \(bind: none)\(Clause(limit: -1))\(Clause(limit: 2))"
    #expect(clause.sql == "x = $1 LIMIT $2")
    #expect(clause.arguments.map { $0?.content } == [nil, .integer(2)])
    #expect(([] as [Clause]).joined(by: " AND ").sql == "")
    #expect((["a" as Clause, "b = \(bind: 1)", "c"]).joined(by: " AND ").sql == "a AND b = $1 AND c")
  }

  @Test func `words are words, whatever they hold`() {
    let clause: Clause = "'$1' -- it's \(bind: 1)"
    #expect(clause.sql == "'$1' -- it's $1")
  }
}
