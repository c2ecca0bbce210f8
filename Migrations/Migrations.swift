// The schema's history. Each migration is a file of SQL beside this one, embedded in the binary.

/// One step of the schema's history. A released migration is never edited. A later one corrects it.
public struct Migration: Sendable {
  /// The name under which a library records that the migration has been applied.
  public let name: String
  /// The SQL statements.
  public let sql: String

  /// A migration from its parts.
  public init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }

  /// All migrations, in the order in which they are applied.
  public static let all = [
    Migration(name: "v001_library", PackageResources.v001_library_sql),
    Migration(name: "v002_walks", PackageResources.v002_walks_sql),
    Migration(name: "v003_totals", PackageResources.v003_totals_sql),
    Migration(name: "v004_care", PackageResources.v004_care_sql),
    Migration(name: "v005_beginnings", PackageResources.v005_beginnings_sql),
    Migration(name: "v006_feeds", PackageResources.v006_feeds_sql),
    Migration(name: "v007_harvests", PackageResources.v007_harvests_sql),
    Migration(name: "v008_rates", PackageResources.v008_rates_sql),
    Migration(name: "v009_hashtags", PackageResources.v009_hashtags_sql),
    Migration(name: "v010_feed_lists", PackageResources.v010_feed_lists_sql),
    Migration(name: "v011_rechecks", PackageResources.v011_rechecks_sql),
    Migration(name: "v012_plain_checks", PackageResources.v012_plain_checks_sql),
    Migration(name: "v013_readers", PackageResources.v013_readers_sql),
    Migration(name: "v014_digests", PackageResources.v014_digests_sql),
    Migration(name: "v015_quotes", PackageResources.v015_quotes_sql),
    Migration(name: "v016_missing_pictures", PackageResources.v016_missing_pictures_sql),
    Migration(name: "v017_joined_intervals", PackageResources.v017_joined_intervals_sql),
    Migration(name: "v018_due_pictures", PackageResources.v018_due_pictures_sql),
    Migration(name: "v019_entries_and_imports", PackageResources.v019_entries_and_imports_sql),
    Migration(name: "v020_alias_posts", PackageResources.v020_alias_posts_sql),
    Migration(name: "v021_rare_facts", PackageResources.v021_rare_facts_sql),
    Migration(name: "v022_visibility", PackageResources.v022_visibility_sql),
    Migration(name: "v023_searched_texts", PackageResources.v023_searched_texts_sql),
  ]

  /// The schema that all migrations together create in an empty library, in a third of their time. It stores their
  /// number in `user_version`. Scripts/new-fixture writes it. If it lacks the last migrations, they are applied after
  /// it.
  public static let newest = String(decoding: PackageResources.newest_sql, as: UTF8.self)

  /// All migrations of a library in PostgreSQL, in the order in which they are applied. They have a history of their own.
  public static let postgreSQL = [
    Migration(name: "p001_tables", PackageResources.p001_tables_sql),
    Migration(name: "p002_totals_and_changes", PackageResources.p002_totals_and_changes_sql),
    Migration(name: "p003_lists", PackageResources.p003_lists_sql),
    Migration(name: "p004_search_and_views", PackageResources.p004_search_and_views_sql),
    Migration(name: "p005_leases", PackageResources.p005_leases_sql),
    Migration(name: "p006_turns", PackageResources.p006_turns_sql),
    Migration(name: "p007_pages", PackageResources.p007_pages_sql),
    Migration(name: "p008_adoption", PackageResources.p008_adoption_sql),
    Migration(name: "p009_rare_facts", PackageResources.p009_rare_facts_sql),
    Migration(name: "p010_writers", PackageResources.p010_writers_sql),
    Migration(name: "p011_visibility", PackageResources.p011_visibility_sql),
    Migration(name: "p012_searched_texts", PackageResources.p012_searched_texts_sql),
    Migration(name: "p013_picture_place", PackageResources.p013_picture_place_sql),
  ]

  private init(name: String, _ bytes: [UInt8]) { self.init(name: name, sql: String(decoding: bytes, as: UTF8.self)) }
}
