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
        "v001_library 33379e2136efc02a5e1acd15187d1537d914a5f2082e20ba1be2c3e2e1e58331",
        "v002_walks d14691f1367f7f52e37791a931eaffaabbd6cb584c7a7f22a675096bf01620cb",
        "v003_totals 21fb817fce000f872e233006578be7ddbf170b2e97216907ac729397d9c88f7d",
        "v004_care 3a5822acc6b28b954a52a262802cd871566d1b3614783d750cef6082f02b9d76",
        "v005_beginnings d674a2fa45c664f05abfb4f404d83c890453ef15bb33a5628c71aa41e864806f",
        "v006_feeds 1a37b76701416affe779105f2db6f28ae4bb91d2365594700e034f905f10553b",
        "v007_harvests 5b3ac0a508532e4ac15de0cc21060c11c8f599316cfa545756dc7a0fe0f1a978",
        "v008_rates 76cad4dc7e1fba10969c75d3b479dee9967ff49ac2c849d2bf2d408620b28bde",
        "v009_hashtags d39493964d2f91c91134ecf94b50897f0ba68c921d179d3e754bdf6808ddf57e",
        "v010_feed_lists 74702243ca8c6b33cb6298e3ce0d71f7899c1aaeaa7345dafb3a784244a85238",
        "v011_rechecks 0b078a22187c2ef1d637ab74db4b5ca60fcc1108a7f87adda0a18262244b7492",
        "v012_plain_checks 87bc8c4fca40f05deee6c5694293a87e1bc81568ac6f03ef494aa021bb7414e6",
        "v013_readers bed4951dbac797466d895c08c71631273bfab0d94e586f849ede42a53ff00515",
        "v014_digests 77819f0ce2044ccd9e4803508fb21c659bf9bf5f79c80f1ecefbba291684fcc9",
        "v015_quotes 0ae62eb0eae0b8a614600443eeedfe690f667186f455b54af69db4e1392bf9fd",
        "v016_missing_pictures a242ad6903c3a36dae31c76ac883b5485505d69c85611919102f1026e8c8472f",
        "v017_joined_intervals afe4379399f0a161f410f0f2af64ef611c3615c54cff3aa0b9b98390119934db",
        "v018_due_pictures 820af57b1351f153978b02ebfd9c5ce8cd9e8d900b3519e0c341f76b3d1f063d",
        "v019_entries_and_imports 914c3c3c557e9917e0e96092eb4bede111881d676570e7cdae4b5f8eba57f38c",
        "v020_alias_posts 6d21a241d38ebccbbec5d50fdf94903bbfa429b9f3222aebdc8dfbe2727f3fac",
        "v021_rare_facts efbc877fdf14ae09f27bbc1e60967e1730ebe43d9df98f4d896ce6cb2197d525",
        "v022_visibility ebd28d644540d6325ac6bb80c21167c23ba60f67d7c9ce98ee4b1e949fecd021",
        "v023_searched_texts 762ae6255ca5408de7e7665272ded1869f89eb03ef44e6bfc3afb1738cb93a1c",
      ]
    )
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
