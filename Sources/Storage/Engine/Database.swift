import PostgreSQL
import Rows
import SQLite

/// The engine that keeps a library's rows.
enum Engine: Sendable {
  case sqlite, postgresql
}

/// A connection to a library's rows, for one thread at a time. Statements are written in SQL that both engines read,
/// with `$1` for the first argument; Dialect.swift has the words in which they differ.
struct Database {
  /// The engine's own connection.
  enum Connection {
    case sqlite(SQLite.Connection)
    case postgresql(PostgreSQLSession)
  }

  let connection: Connection

  init(_ connection: SQLite.Connection) { self.connection = .sqlite(connection) }

  init(_ session: PostgreSQLSession) { connection = .postgresql(session) }

  /// The engine.
  var engine: Engine {
    switch connection {
    case .sqlite: .sqlite
    case .postgresql: .postgresql
    }
  }

  /// How many rows the last statement changed, without the changes of triggers.
  var changesCount: Int {
    switch connection {
    case .sqlite(let connection): connection.changesCount
    case .postgresql(let session): session.changesCount
    }
  }
}

/// Rows of a table that are to be inserted.
struct InsertedRows {
  /// The statement without its rows: `INSERT INTO tag (name)`.
  let head: String
  let rows: [Arguments]
  /// What follows the rows: `ON CONFLICT DO NOTHING`.
  let tail: String

  init(_ head: String, _ rows: [Arguments], _ tail: String = "") {
    (self.head, self.rows, self.tail) = (head, rows, tail)
  }
}

// MARK: Statements that return nothing

extension Database {
  /// Runs several statements, which take no arguments and are not kept.
  func execute(_ script: String) throws {
    switch connection {
    case .sqlite(let connection): try connection.execute(script)
    case .postgresql(let session): try session.connection.execute(script)
    }
  }

  /// Runs a statement, which stays compiled.
  func run(_ sql: String, _ arguments: Arguments = []) throws {
    switch connection {
    case .sqlite(let connection): try connection.run(sql, arguments)
    case .postgresql(let session): try session.run(sql, arguments)
    }
  }

  /// Inserts rows with the same columns, many in one statement.
  ///
  /// - Parameters:
  ///   - head: The statement without its rows.
  ///   - tail: What follows the rows: `ON CONFLICT DO NOTHING`.
  func insert(_ head: String, _ rows: [Arguments], _ tail: String = "") throws {
    switch connection {
    case .sqlite(let connection): try connection.insert(head, rows, tail)
    case .postgresql(let session): try session.insert(InsertedRows(head, rows, tail))
    }
  }

  /// Inserts rows of several tables, in order. A server is waited for once.
  func insert(_ all: [InsertedRows]) throws {
    switch connection {
    case .sqlite(let connection): for one in all { try connection.insert(one.head, one.rows, one.tail) }
    case .postgresql(let session): try session.insert(all)
    }
  }

  /// Numbers for rows that are to be inserted, in ascending order. Others insert rows meanwhile, so they are those of a
  /// server.
  ///
  /// - Parameter table: A table whose key `id` the engine assigns.
  func reserveNumbers(_ count: Int, of table: String) throws -> [Int64] {
    switch connection {
    case .sqlite: throw Contradiction("SQLite reserves no numbers")
    case .postgresql(let session): try session.reserveNumbers(count, of: table)
    }
  }

  /// Inserts one row into a table whose key `id` the engine assigns.
  ///
  /// - Returns: The row's number.
  func insertNumbered(_ sql: String, _ arguments: Arguments) throws -> Int64 {
    switch connection {
    case .sqlite(let connection):
      try connection.run(sql, arguments)
      return connection.lastInsertedRowID
    case .postgresql(let session):
      guard let id: Int64 = try session.rows("\(sql) RETURNING id", arguments).first?["id"] else {
        throw Contradiction("a row was inserted and has no number")
      }
      return id
    }
  }
}

extension Database {
  /// Inserts a row as `insertNumbered` does, unless a row with its key exists: the statement does nothing then.
  ///
  /// - Returns: The row's number; nil if another row has its key.
  func insertNumberedUnlessKnown(_ sql: String, _ arguments: Arguments) throws -> Int64? {
    switch connection {
    case .sqlite(let connection):
      try connection.run(sql, arguments)
      return connection.changesCount > 0 ? connection.lastInsertedRowID : nil
    case .postgresql(let session):
      return try session.rows("\(sql) RETURNING id", arguments).first?["id"]
    }
  }

  /// Takes back what followed a savepoint, and forgets the savepoint. The transaction can go on after a failed
  /// statement.
  func rollBack(to savepoint: String) throws {
    switch connection {
    case .sqlite(let connection): try connection.execute("ROLLBACK TO \(savepoint); RELEASE \(savepoint)")
    case .postgresql(let session): try session.connection.rollBack(to: savepoint)
    }
  }
}

// MARK: Statements that return rows

extension Database {
  /// The only column of the first row; nil if there is no row, or if it is NULL. Use `values` for a statement that
  /// changes rows and returns them: it runs the statement to its end.
  func value<Value: ColumnValue>(_ sql: String, _ arguments: Arguments = []) throws -> Value? {
    switch connection {
    case .sqlite(let connection): try connection.value(sql, arguments)
    case .postgresql(let session): try session.rows(sql, arguments).first?.onlyValue() as Value?? ?? nil
    }
  }

  /// The only column of all rows.
  func values<Value: ColumnValue>(_ sql: String, _ arguments: Arguments = []) throws -> [Value] {
    switch connection {
    case .sqlite(let connection): try connection.values(sql, arguments)
    case .postgresql(let session): try session.rows(sql, arguments).map { try $0.onlyValue() }
    }
  }

  /// Whether there is a row.
  func hasRow(_ sql: String, _ arguments: Arguments = []) throws -> Bool {
    switch connection {
    case .sqlite(let connection): try connection.hasRow(sql, arguments)
    // A server sends all rows of a statement.
    case .postgresql(let session): try session.rows("SELECT EXISTS (\(sql))", arguments).first?.onlyValue() ?? false
    }
  }

  /// The first row as `body` reads it; nil if there is no row. The same restriction as for `value` applies.
  @discardableResult
  func row<Value>(_ sql: String, _ arguments: Arguments = [], _ body: (Row) throws -> Value) throws -> Value? {
    switch connection {
    case .sqlite(let connection): try connection.row(sql, arguments) { try body(.sqlite($0)) }
    case .postgresql(let session): try session.rows(sql, arguments).first.map { try body(.postgresql($0)) }
    }
  }

  /// The first row; nil if there is none. The same restriction as for `value` applies.
  func row<Value: RowDecodable>(_ sql: String, _ arguments: Arguments = []) throws -> Value? {
    switch connection {
    case .sqlite(let connection): try connection.row(sql, arguments)
    case .postgresql(let session): try session.rows(sql, arguments).first.map { try Value($0) }
    }
  }

  /// All rows, each as `body` reads it. A row cannot be read after `body` has returned.
  @discardableResult
  func rows<Value>(_ sql: String, _ arguments: Arguments = [], _ body: (Row) throws -> Value) throws -> [Value] {
    switch connection {
    case .sqlite(let connection): try connection.rows(sql, arguments) { try body(.sqlite($0)) }
    case .postgresql(let session): try session.rows(sql, arguments).map { try body(.postgresql($0)) }
    }
  }

  /// All rows.
  func rows<Value: RowDecodable>(_ sql: String, _ arguments: Arguments = []) throws -> [Value] {
    switch connection {
    case .sqlite(let connection): try connection.rows(sql, arguments)
    case .postgresql(let session): try session.rows(sql, arguments).map { try Value($0) }
    }
  }
}
