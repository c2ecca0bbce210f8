import CSQLite
import Glibc
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
    return (lines + libraries.map(line)).map { $0 + "\n" }.joined()
  }

  /// The rows of the table from which packages are made: a library's file and its Debian package.
  private static var libraries: [(file: String, package: String)] {
    let table = String(decoding: PackageResources.libraries_tsv, as: UTF8.self)
    return table.split(separator: "\n").compactMap { row in
      let fields = row.split(separator: "\t").map(String.init)
      return fields.count == 3 && fields[0].hasPrefix("lib") ? (fields[0], fields[2]) : nil
    }
  }

  private static func line(_ library: (file: String, package: String)) -> String {
    // Nobody closes it: the program ends.
    let isThere = dlopen(library.file, RTLD_LAZY | RTLD_LOCAL) != nil
    return "\(library.file) is \(isThere ? "installed" : "not installed: apt-get install \(library.package)")"
  }
}
