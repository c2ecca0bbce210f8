// The schema's history. Each migration is a file of SQL beside this one, embedded in the binary.

/// One step of the schema's history. A released migration is never edited. A later one corrects it.
public struct Migration: Sendable {
  /// The version of a library after the step. It is higher than that after the step before.
  public let version: Int
  /// The name of the step, and of the copy that is made before it.
  public let name: String
  /// The SQL statements.
  public let sql: String

  /// Creates a step to `version`, named `name`, that runs `sql`.
  public init(to version: Int, name: String, sql: String) {
    (self.version, self.name, self.sql) = (version, name, sql)
  }

  /// The migrations of a library in SQLite, in the order in which they are applied. The first makes a library of an empty
  /// file. Its version is not 1: versions 1 to 24 were those of programs before the first release.
  public static let all = [
    Migration(to: 25, name: "v025_library", PackageResources.v025_library_sql),
    Migration(to: 26, name: "v026_events", PackageResources.v026_events_sql),
    Migration(to: 27, name: "v027_marks", PackageResources.v027_marks_sql),
    Migration(to: 28, name: "v028_hiding", PackageResources.v028_hiding_sql),
    Migration(to: 29, name: "v029_network", PackageResources.v029_network_sql),
    Migration(to: 30, name: "v030_inspection", PackageResources.v030_inspection_sql),
    Migration(to: 31, name: "v031_findings", PackageResources.v031_findings_sql),
    Migration(to: 32, name: "v032_frames", PackageResources.v032_frames_sql),
    Migration(to: 33, name: "v033_links", PackageResources.v033_links_sql),
    Migration(to: 34, name: "v034_license", PackageResources.v034_license_sql),
    Migration(to: 35, name: "v035_said", PackageResources.v035_said_sql),
    Migration(to: 36, name: "v036_words", PackageResources.v036_words_sql),
    Migration(to: 37, name: "v037_files", PackageResources.v037_files_sql),
  ]

  /// The migrations of a library in PostgreSQL. They have a history of their own.
  public static let postgreSQL = [
    Migration(to: 15, name: "p015_library", PackageResources.p015_library_sql),
    Migration(to: 16, name: "p016_events", PackageResources.p016_events_sql),
    Migration(to: 17, name: "p017_marks", PackageResources.p017_marks_sql),
    Migration(to: 18, name: "p018_hiding", PackageResources.p018_hiding_sql),
    Migration(to: 19, name: "p019_network", PackageResources.p019_network_sql),
    Migration(to: 20, name: "p020_inspection", PackageResources.p020_inspection_sql),
    Migration(to: 21, name: "p021_findings", PackageResources.p021_findings_sql),
    Migration(to: 22, name: "p022_frames", PackageResources.p022_frames_sql),
    Migration(to: 23, name: "p023_links", PackageResources.p023_links_sql),
    Migration(to: 24, name: "p024_license", PackageResources.p024_license_sql),
    Migration(to: 25, name: "p025_said", PackageResources.p025_said_sql),
    Migration(to: 26, name: "p026_words", PackageResources.p026_words_sql),
    Migration(to: 27, name: "p027_states", PackageResources.p027_states_sql),
    Migration(to: 28, name: "p028_files", PackageResources.p028_files_sql),
  ]

  private init(to version: Int, name: String, _ bytes: [UInt8]) {
    self.init(to: version, name: name, sql: String(decoding: bytes, as: UTF8.self))
  }
}

extension [Migration] {
  /// The version of a library to which all of these were applied; 0 without any.
  public var newest: Int { last?.version ?? 0 }

  /// Those that a library of a version lacks. All are missing in an empty one, whose version is 0.
  public func missing(at version: Int) -> [Migration] { filter { $0.version > version } }
}
