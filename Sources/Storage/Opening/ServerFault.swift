/// Why a database cannot hold a library.
public enum ServerFault: Sendable, Hashable {
  /// The server is too old. The version is what it says of itself, such as `13.4`.
  case old(version: String)
  /// The database does not store its texts in UTF-8, but in this encoding.
  case encoding(String)
  /// The schema `media` of the database is not a library.
  case foreign
  /// The database has no library, and the login may not make one, or only reads.
  case empty
  /// The library was made by an older version of the program, and the login may not migrate it, or the command only reads.
  case outdated
  /// The server has no such database.
  case noDatabase
  /// The login may not do this. The value is the server's message.
  case forbidden(String)
  /// The server accepts no more connections.
  case crowded
  /// The server ended a statement that took too long.
  case timedOut
  /// The server takes no writes, as a standby, or the login is set to only read.
  case readOnly
  /// A file of a certificate is not there.
  case noCertificate(String)
  /// A pooler hands out the server's connections by the transaction.
  case pooled
  /// The database lacks pgvector, or has too old a version of it, and the login may not change that.
  case noVectors
}

extension ServerFault {
  func summary(of path: String) -> String {
    switch self {
    case .old(let version): "\(path) is on PostgreSQL \(version), which is too old"
    case .encoding(let name): "\(path) stores its texts in \(name), not in UTF-8"
    case .foreign: "\(path) has a schema \"media\" that is not a media library"
    case .empty: "\(path) has no media library"
    case .outdated: "\(path) was made by an older version of media"
    case .noDatabase: "the server of \(path) has no such database"
    case .forbidden(let words): "the login of \(path) may not do this (\(words))"
    case .crowded: "the server of \(path) accepts no more connections"
    case .timedOut: "the server of \(path) ended a statement that took too long"
    case .readOnly: "the server of \(path) takes no writes from this login"
    case .noCertificate(let file): "the certificate file \(file) of \(path) is not there"
    case .pooled: "\(path) is behind a pooler that gives each transaction another connection"
    case .noVectors: "the database of \(path) has no pgvector 0.7 or newer"
    }
  }

  var cure: String {
    switch self {
    case .old: "use PostgreSQL 14 or newer"
    case .encoding: #"make the database with "createdb --encoding UTF8 --template template0""#
    case .foreign: "choose another database with --library"
    case .empty: "\"media library make\" with the login that owns the database makes one"
    case .outdated: "\"media library make\" with the login that owns the database updates it"
    case .noDatabase: "check its name, or make it as docs/guide/shared.md says"
    case .forbidden: "\"media library grants\" prints what its owner can grant"
    case .crowded:
      "end programs that use it, or raise max_connections, or the CONNECTION LIMIT of the login or of the database: "
        + "a process of media needs up to 6"
    case .timedOut: "raise the login's limit: ALTER ROLE … SET statement_timeout = 0"
    case .readOnly:
      "name the server that is no standby, or both with target_session_attrs=read-write; a login may also be set to only read, "
        + "by default_transaction_read_only"
    case .noCertificate: "put it there, or name another one by sslrootcert, sslcert or sslkey in the address"
    case .pooled: "name the server itself, or set pool_mode = session"
    case .noVectors:
      "install it on the server, and have its administrator run CREATE EXTENSION vector SCHEMA public in the database, or "
        + "ALTER EXTENSION vector UPDATE if it has an older one"
    }
  }
}
