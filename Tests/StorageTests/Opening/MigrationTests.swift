import Blobs
import Migrations
import SQLite
import Testing

@testable import Storage

struct MigrationTests {
  /// A released migration is never edited: a library that already applied it would not apply it again.
  @Test func `the steps are those that were released`() {
    let hashes = Migration.all.map { "\($0.name) \(BlobID(hashing: Array($0.sql.utf8)))" }
    #expect(
      hashes == [
        "v025_library 1be6d6e7a078fbef6f7e753323df82f6de8c562bf5fa9cd937ceb814370228a3",
        "v026_events fe0a3e51a4f36b9427f80f9cabca9077573b25d276594ff6efd6f2dafb5db974",
        "v027_marks fe039d099d61ed0fc392f3c894a32c6ddcb8761bf37f471a219251f3c0237cdd",
        "v028_hiding e5415070a3e292f90f806f14c5de6de463e730099e6f985c27bde4c1a0fa8a22",
        "v029_network 203c4c4940bb4fb97bd46552514636d21f863ffc19133914c397a1dd01fae160",
        "v030_inspection 8519fcc61906e8e74f0faab4aeb9503f9ba6f7bad46074f1629cde6597a26c7d",
        "v031_findings 95c51fd65a168ce4eff241cee27f3366acd0e6b9d43d063b2786852ceee8786f",
        "v032_frames 89f9c7aeee8a41ad22d5133da9f0e788afad244c7d0353b34962cf52bec314b3",
        "v033_links 52c81c3b20084ab05e2b4f46b6d3a97b909f324d01f6f3db356f110007d33270",
        "v034_license 799eed62bd67c297d2cff286c130bc500145ac50057246b5c99cb5dbe381c57a",
        "v035_said c26e61cd9649ff99fbfffa26fd1bca85a67f62a442c84ec698ea82d2c9305d42",
        "v036_words b89b2ed54e714065e22998b2375ab15209653e060dbaac5e65faa090e5d00907",
        "v037_files 8629a81700896021dbcb0f5b884fcb4ad504a7ed5b3c3f539b1b4fb0d3751c96",
      ]
    )
  }

  @Test func `a step leads to the version after the one before, and its name says which`() {
    for (migrations, first) in [(Migration.all, 25), (Migration.postgreSQL, 15)] {
      #expect(migrations.map(\.version) == Array(first..<first + migrations.count))
      #expect(migrations.map { Int($0.name.dropFirst().prefix(3)) } == migrations.map(\.version))
      for version in [0, first, migrations.newest] {
        #expect(migrations.missing(at: version).allSatisfy { $0.version > version })
        #expect(migrations.missing(at: version).count == migrations.newest - max(version, first - 1))
      }
    }
  }

  @Test func `every table is strict, and its keys lead somewhere`() throws {
    let library = try TestLibrary()
    let loose = try library.lines(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND NOT strict
        AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'caption_fts%'
      """
    )
    #expect(loose == [])
    #expect(try library.lines("PRAGMA foreign_keys") == ["1"])
    // Programs that read the schema learn the column only if the key names it.
    let nameless = try library.lines(
      """
      SELECT t.name, k."from" FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) k
      WHERE t.schema = 'main' AND k."to" IS NULL
      """
    )
    #expect(nameless == [])
    let tables = try library.lines("SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr = 0")
    for name in [
      "post", "author", "attachment", "tag", "post_tag", "feed", "blob", "raw", "coverage", "caption_fts",
    ] { #expect(tables.contains(name)) }
  }

  @Test func `times are always of one form`() throws {
    let library = try TestLibrary()
    try library.pull([post(1)])
    #expect(
      try library.lines("SELECT created_at, stored_at FROM post") == [
        "2023-11-14T22:14:20.000Z|2025-11-20T12:00:00.000Z"
      ]
    )
  }

  /// An insertion for each table, and every value that its column allows.
  static let worded = [
    (
      "INSERT INTO attachment (post, position, kind, state) VALUES (1, (SELECT count(*) FROM attachment), ?, 'pending')",
      ["image", "video", "gifv", "audio", "file"]
    ),
    (
      "INSERT INTO attachment (post, position, kind, state, blob) VALUES (1, (SELECT count(*) FROM attachment), 'image', ?, 1)",
      ["pending", "stored", "failed", "gone", "skipped"]
    ),
    (
      "INSERT INTO author (source, uri, handle, name, avatar_state) VALUES ('s', (SELECT count(*) FROM author), 'h', 'n', ?)",
      ["pending", "stored", "failed", "gone", "skipped"]
    ),
    (
      "INSERT INTO total (kind, ref, posts) VALUES (?, 9, 0)",
      ["library", "tags", "tag", "author", "feed"]
    ),
  ]

  @Test(arguments: worded)
  func `a column accepts its allowed values and no other`(insertion: String, words: [String]) throws {
    let library = try TestLibrary()
    try library.pull([post(1)])
    try library.database.write { db in
      let blob = BlobID(hashing: []).hex
      try db.run("INSERT INTO blob (sha256, bytes, stored_at) VALUES (?, 0, '')", [blob])
      for word in words { try db.run(insertion, [word]) }
      for word in ["", "Image", "known", "pending "] {
        #expect(throws: SQLiteError.self, "\(word)") { try db.run(insertion, [word]) }
      }
    }
  }

  /// SQLite would create, fill and delete a temporary table for every inserted row.
  @Test(arguments: worded.map(\.0))
  func `checking the values of a row creates no temporary table`(insertion: String) throws {
    let program = try TestLibrary().lines("EXPLAIN \(insertion.replacing("?", with: "'tag'"))")
    #expect(!program.isEmpty)
    #expect(!program.contains { $0.contains("OpenEphemeral") })
  }
}
