/// What the roles of a library on a server may do: one reads, the other writes, too. Neither can change a table, nor the
/// library's version.
public struct LibraryGrants: Sendable, Hashable {
  /// The roles' names.
  public var reader, writer: String

  /// Grants to two roles.
  public init(reader: String = "media_reader", writer: String = "media_writer") {
    (self.reader, self.writer) = (reader, writer)
  }

  /// The statements, for the owner of the database and of the library.
  ///
  /// - Parameter database: The database's name.
  public func statements(for database: String) -> [String] {
    let (reader, writer) = (Self.quoted(reader), Self.quoted(writer))
    let both = "\(reader), \(writer)"
    return [
      "REVOKE ALL ON DATABASE \(Self.quoted(database)) FROM PUBLIC",
      "GRANT CONNECT ON DATABASE \(Self.quoted(database)) TO \(both)",
      "GRANT TEMPORARY ON DATABASE \(Self.quoted(database)) TO \(writer)",
      "GRANT USAGE ON SCHEMA media TO \(both)",
      "GRANT SELECT ON ALL TABLES IN SCHEMA media TO \(both)",
      "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA media TO \(writer)",
      "GRANT USAGE ON ALL SEQUENCES IN SCHEMA media TO \(writer)",
      "REVOKE INSERT, UPDATE, DELETE ON media.library FROM \(writer)",
      // What a newer version adds.
      "ALTER DEFAULT PRIVILEGES IN SCHEMA media GRANT SELECT ON TABLES TO \(both)",
      "ALTER DEFAULT PRIVILEGES IN SCHEMA media GRANT INSERT, UPDATE, DELETE ON TABLES TO \(writer)",
      "ALTER DEFAULT PRIVILEGES IN SCHEMA media GRANT USAGE ON SEQUENCES TO \(writer)",
    ]
  }

  /// A name as it stands in a statement. https://www.postgresql.org/docs/15/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
  private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}

extension Store {
  /// The statements that grant roles what they may do.
  public func statements(of grants: LibraryGrants) throws(StorageError) -> [String] {
    let name: String? = try read { try $0.value("SELECT current_database()") }
    return grants.statements(for: name ?? "")
  }

  /// Grants roles what they may do, all or nothing. The login must own the database and the library.
  public func run(_ grants: LibraryGrants) throws(StorageError) {
    let statements = try statements(of: grants)
    try alone { try $0.execute(statements.joined(separator: ";")) }
  }
}
