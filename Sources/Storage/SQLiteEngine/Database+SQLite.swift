import SQLite

extension Database {
  /// SQLite's own connection, for what only SQLite does.
  ///
  /// - Throws: `Contradiction` if another engine keeps the library.
  var sqlite: SQLite.Connection {
    get throws {
      guard case .sqlite(let connection) = connection else { throw Contradiction("it is not kept in SQLite") }
      return connection
    }
  }

  /// The search index's tokenizer, which splits words alike in both engines.
  var tokenizer: Tokenizer {
    get throws {
      if case .sqlite(let connection) = connection { return try Tokenizer(in: connection) }
      return try Tokenizer()
    }
  }
}
