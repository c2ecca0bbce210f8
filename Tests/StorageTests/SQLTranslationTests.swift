import Testing

@testable import Storage

/// What PostgreSQL gets in place of a statement.
struct SQLTranslationTests {
  private func text(_ sql: String) -> String { SQLTranslation(sql).text }

  @Test func `parameters are numbered, after the largest number if they have none`() {
    #expect(text("SELECT ?, ?, ?1, ?5, ?") == "SELECT $1, $2, $1, $5, $6")
  }

  @Test func `texts and quoted names stay as they are`() {
    let sql = "SELECT '?', 'it''s INDEXED BY x, max(a, b)', \"IS ?\" FROM t"
    #expect(text(sql) == sql)
  }

  @Test func `a limit of -1 is none`() {
    #expect(text("SELECT 1 LIMIT ?") == "SELECT 1 LIMIT NULLIF(CAST($1 AS bigint), -1)")
  }

  @Test func `hints for SQLite's planner are left out`() {
    #expect(text("FROM a INDEXED BY i WHERE x") == "FROM a  WHERE x")
    #expect(text("FROM a NOT INDEXED WHERE x") == "FROM a  WHERE x")
    #expect(
      text("FROM a CROSS JOIN b ON b.x = a.x CROSS JOIN c WHERE y") == "FROM a JOIN b ON b.x = a.x CROSS JOIN c WHERE y"
    )
    #expect(
      text("FROM (SELECT 1 FROM q CROSS JOIN r) u CROSS JOIN s ON TRUE")
        == "FROM (SELECT 1 FROM q CROSS JOIN r) u JOIN s ON TRUE")
    #expect(text("WHERE +p.x >= ? AND a + b > 1") == "WHERE p.x >= $1 AND a + b > 1")
  }

  @Test func `a query in parentheses has a name`() {
    #expect(text("SELECT * FROM (SELECT 1)") == "SELECT * FROM (SELECT 1) AS unnamed1")
    #expect(text("FROM (SELECT 1) q WHERE x IN (SELECT 2)") == "FROM (SELECT 1) q WHERE x IN (SELECT 2)")
    #expect(
      text("FROM (SELECT 1 FROM (SELECT 2)) CROSS JOIN t")
        == "FROM (SELECT 1 FROM (SELECT 2) AS unnamed1) AS unnamed2 CROSS JOIN t")
  }

  @Test func `functions are those of PostgreSQL`() {
    #expect(text("SELECT max(a, b), max(a), min(f(a, b))") == "SELECT greatest(a, b), max(a), min(f(a, b))")
    #expect(text("SELECT coalesce(sum(x), 0)") == "SELECT coalesce(CAST(sum(x) AS bigint), 0)")
    #expect(text("sum(x) OVER (ORDER BY y) AS z") == "CAST(sum(x) OVER (ORDER BY y) AS bigint) AS z")
    #expect(text("json_each(?)") == "json_numbers($1)")
    #expect(text("json_each(? /* texts */)") == "json_texts($1 /* texts */)")
    #expect(text("CAST(x AS INTEGER)") == "CAST(x AS bigint)")
  }

  @Test func `values that may be NULL are compared as values`() {
    #expect(text("a IS NULL AND b IS NOT NULL AND c IS TRUE") == "a IS NULL AND b IS NOT NULL AND c IS TRUE")
    #expect(text("a IS ? AND b IS NOT c") == "a IS NOT DISTINCT FROM $1 AND b IS DISTINCT FROM c")
  }

  @Test func `letters are folded`() {
    #expect(
      text("g.name COLLATE NOCASE >= ?1 COLLATE NOCASE || ?2")
        == "lower(g.name COLLATE \"C\") >= lower($1 COLLATE \"C\") || $2")
    #expect(text("ORDER BY name COLLATE NOCASE, id") == "ORDER BY lower(name COLLATE \"C\"), id")
  }
}
