import CSQLite
import Glibc
import Machine
import Migrations

/// `media --version --verbose`: what whoever reports a fault is asked for.
enum VersionReport {
  /// Whether the arguments ask for it.
  static func isMeant(by arguments: [String]) -> Bool {
    arguments.count == 2 && arguments.contains("--version") && !Set(arguments).isDisjoint(with: ["--verbose", "-v"])
  }

  /// Lines: the program, the schemas that it writes, and the libraries of the system, of which most are loaded at
  /// their first use.
  static var text: String {
    var lines = ["media \(Media.version)"]
    lines.append("schema \(Migration.all.newest) in a folder, \(Migration.postgreSQL.newest) in PostgreSQL")
    lines.append("SQLite \(String(cString: sqlite3_libversion()))")
    return (lines + SystemLibrary.all.map(line)).map { $0 + "\n" }.joined()
  }

  private static func line(_ library: SystemLibrary) -> String {
    // Nobody closes it: the program ends.
    let isThere = dlopen(library.file, RTLD_LAZY | RTLD_LOCAL) != nil
    return "\(library.file) is \(isThere ? "installed" : "not installed: apt-get install \(library.package)")"
  }
}
