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
  /// The library was made by an older version of the program, and the login may not change it, or only reads.
  case outdated
}

extension ServerFault {
  func summary(of path: String) -> String {
    switch self {
    case .old(let version): "\(path) is on PostgreSQL \(version), which is too old"
    case .encoding(let name): "\(path) stores its texts in \(name), not in UTF-8"
    case .foreign: "\(path) has a schema \"media\" that is not a media library"
    case .empty: "\(path) has no media library"
    case .outdated: "\(path) was made by an older version of media, and this login may not change it"
    }
  }

  var cure: String {
    switch self {
    case .old: "use PostgreSQL 14 or newer"
    case .encoding: #"make the database with "createdb --encoding UTF8 --template template0""#
    case .foreign: "choose another database with --library"
    case .empty: "a pull or \"media add\" with the login that owns the database makes one"
    case .outdated: "open it once with the login that owns the database"
    }
  }
}
