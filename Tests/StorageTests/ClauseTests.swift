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

  @Test func `a statement that is too large is told from one that is wrong`() throws {
    let library = try TestLibrary()
    func reason(_ sql: String) throws -> String? {
      try library.store.read { db in
        do { _ = try rows(sql, in: db) } catch { return Database.refusedSize(error) }
        return "none"
      }
    }
    let (open, close) = (String(repeating: "(", count: 300), String(repeating: ")", count: 300))
    #expect(try reason("SELECT \(open)1\(close)") == "parser stack overflow")
    let sum = Array(repeating: "1", count: 2000)
    #expect(try reason("SELECT \(sum.joined(separator: " + "))")?.hasPrefix("Expression tree is too large") == true)
    #expect(try reason("SELECT 1 WHERE \(sum.map { "\($0)" as Clause }.enclosed(by: " AND ").sql)") == "none")
    #expect(try reason("SELECT nothing FROM nowhere") == nil)
  }

  @Test func `words are words, whatever they hold`() {
    let clause: Clause = "'$1' -- it's \(bind: 1)"
    #expect(clause.sql == "'$1' -- it's $1")
  }
}
