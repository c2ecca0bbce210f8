import Foundation
import Testing

/// `media import` of the archives that services give to their users, whole, hostile and cut.
@Suite(.timeLimit(.minutes(10))) struct ImportArchiveTests {
  private static let everyone = "https://www.w3.org/ns/activitystreams#Public"
  private static let picture = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array("a picture".utf8) + [0xFF, 0xD9])

  private func write(_ path: String, _ bytes: Data) throws {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try bytes.write(to: URL(filePath: path))
  }

  private func write(_ path: String, json: Any, after prefix: String = "") throws {
    try write(path, Data(prefix.utf8) + JSONSerialization.data(withJSONObject: json, options: .sortedKeys))
  }

  /// An activity of an outbox that created a post.
  private func create(_ number: Int, to: [String], cc: [String] = [], attachment: [[String: Any]] = []) -> [String: Any]
  {
    let id = "https://social.example/users/ada/statuses/\(number)"
    return [
      "type": "Create", "actor": "https://social.example/users/ada", "published": "2024-02-29T12:3\(number):00Z",
      "to": to, "cc": cc,
      "object": [
        "id": id, "type": "Note", "url": "https://social.example/@ada/\(number)", "to": to, "cc": cc,
        "published": "2024-02-29T12:3\(number):00Z", "content": "<p>post \(number) <a href=\"x\">#cats</a></p>",
        "tag": [["type": "Hashtag", "name": "#cats"]], "attachment": attachment,
      ] as [String: Any],
    ]
  }

  private func mastodon(in folder: String) throws {
    let file: [String: Any] = [
      "type": "Document", "mediaType": "image/jpeg", "url": "/media_attachments/files/1/original/a.jpg",
      "name": "a cat",
    ]
    let items: [[String: Any]] = [
      create(1, to: [Self.everyone], attachment: [file]),
      create(2, to: ["https://social.example/users/ada/followers"], cc: [Self.everyone]),
      create(3, to: ["https://social.example/users/ada/followers"]),
      create(4, to: ["https://social.example/users/bob"], attachment: [file]),
      ["type": "Announce", "object": "https://else.example/1", "to": [Self.everyone]],
    ]
    try write(
      "\(folder)/outbox.json", json: ["type": "OrderedCollection", "totalItems": items.count, "orderedItems": items])
    try write(
      "\(folder)/actor.json",
      json: ["id": "https://social.example/users/ada", "preferredUsername": "ada", "name": "Ada Lovelace"])
    try write("\(folder)/media_attachments/files/1/original/a.jpg", Self.picture)
  }

  @Test(arguments: ["a", "a.tar.gz", "a.tar.xz", "a.zip", "a.tar"])
  func `an archive of Mastodon is imported, and only what everybody may see`(name: String) async throws {
    let sandbox = try Sandbox()
    try mastodon(in: "\(sandbox.folder)/a")
    let packed = try await sandbox.bash(
      "cd '\(sandbox.folder)' && tar czf a.tar.gz a && tar cJf a.tar.xz a && tar cf a.tar a && python3 -m zipfile -c a.zip a/"
    )
    #expect(packed.status == 0, "\(packed.errors)")
    let plan = try await sandbox.media("import", "\(sandbox.folder)/\(name)", "--dry-run", "--json").object()
    #expect([plan["new"], plan["private"], plan["pictures"]] as? [Int] == [2, 2, 1])
    let told = try await sandbox.media("import", "\(sandbox.folder)/\(name)", "--dry-run")
    #expect(told.output.contains("2 private left out (--private takes them)"), "\(told.output)")
    let imported = try await sandbox.media("import", "\(sandbox.folder)/\(name)", "--json")
    #expect(imported.status == 0, "\(imported.errors)")
    let object = try imported.object()
    #expect([object["new"], object["private"], object["pictures"], object["absent"]] as? [Int] == [2, 2, 1, 0])
    let left = object["left_out"] as? [String: any Sendable]
    #expect(left?["boosts, of which only the address is known"] as? Int == 1)
    let posts = try await sandbox.media("list", "--tag", "cats", "--json").objects()
    #expect(posts.map { $0["text"] as? String ?? $0["caption"] as? String } == ["post 2 #cats", "post 1 #cats"])
    let whole = try await sandbox.media("import", "\(sandbox.folder)/\(name)", "--private", "--json").object()
    #expect([whole["new"], whole["unchanged"], whole["private"]] as? [Int] == [2, 2, 0])
    let seen = try await sandbox.media("list", "--json").objects().map { $0["visibility"] as? String }
    #expect(seen == ["direct", "followers", "unlisted", "public"])
    #expect(try await sandbox.media("check").status == 0)
  }

  @Test func `an archive with less than it says is checked, imported, and told by the status`() async throws {
    let sandbox = try Sandbox()
    let file = ["type": "Document", "mediaType": "image/jpeg", "url": "/media_attachments/files/1/original/a.jpg"]
    try write(
      "\(sandbox.folder)/a/outbox.json",
      json: [
        "type": "OrderedCollection", "totalItems": 3,
        "orderedItems": [create(1, to: [Self.everyone], attachment: [file])],
      ] as [String: Any])
    let checked = try await sandbox.media("import", "\(sandbox.folder)/a", "--check")
    #expect(checked.status == 1 && checked.errors.contains("says to hold 3 and holds 1"))
    #expect(checked.output.contains("not there: media_attachments/files/1/original/a.jpg"))
    #expect(try await sandbox.media("list", "--json").output.isEmpty)
    let imported = try await sandbox.media("import", "\(sandbox.folder)/a", "--json")
    #expect(imported.status == 1)
    #expect(try imported.object()["new"] as? Int == 1)
    #expect(try imported.object()["absent_files"] as? [String] == ["media_attachments/files/1/original/a.jpg"])
  }

  @Test func `an archive of X is imported with its pictures, without reposts`() async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/twitter"
    let media = ["id_str": "7", "type": "photo", "media_url_https": "https://pbs.twimg.com/media/Fa.jpg"]
    let tweets: [[String: Any]] = [
      [
        "tweet": [
          "id_str": "1700000000000000001", "created_at": "Wed Nov 01 10:00:00 +0000 2023", "full_text": "a #cat",
          "entities": ["hashtags": [["text": "cat"]]], "extended_entities": ["media": [media]],
        ] as [String: Any]
      ],
      [
        "tweet": [
          "id_str": "1700000000000000002", "created_at": "Wed Nov 01 10:00:00 +0000 2023", "full_text": "RT @bob: no",
        ]
      ],
    ]
    try write("\(folder)/data/tweets.js", json: tweets, after: "window.YTD.tweets.part0 = ")
    try write("\(folder)/data/tweets-part1.js", json: [tweets[0]["tweet"]!], after: "window.YTD.tweets.part1 = ")
    try write(
      "\(folder)/data/account.js",
      json: [["account": ["accountId": "12", "username": "ada", "accountDisplayName": "Ada"]]],
      after: "window.YTD.account.part0 = ")
    try write("\(folder)/data/tweets_media/1700000000000000001-Fa.jpg", Self.picture)
    let imported = try await sandbox.media("import", folder, "--json")
    #expect(imported.status == 0, "\(imported.errors)")
    let object = try imported.object()
    #expect([object["new"], object["unchanged"], object["pictures"]] as? [Int] == [1, 1, 1])
    let post = try #require(try await sandbox.media("list", "--tag", "cat", "--json").objects().first)
    #expect(post["url"] as? String == "https://x.com/ada/status/1700000000000000001")
    #expect(post["uri"] as? String == nil || post["uri"] as? String == "https://x.com/i/status/1700000000000000001")
  }

  @Test func `an export of Instagram is imported once, and its text is as it was written`() async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/instagram"
    let title = String(String.UnicodeScalarView("café #кот".utf8.map { Unicode.Scalar($0) }))
    try write(
      "\(folder)/your_instagram_activity/media/posts_1.json",
      json: [
        ["media": [["uri": "media/posts/1.jpg", "creation_timestamp": 1_700_000_000, "title": title]]],
        [
          "media": [
            ["uri": "media/posts/2.jpg", "creation_timestamp": 1_700_000_100],
            ["uri": "media/posts/3.jpg", "creation_timestamp": 1_700_000_100],
          ], "title": "two", "creation_timestamp": 1_700_000_200,
        ] as [String: Any],
      ])
    try write("\(folder)/your_instagram_activity/messages/inbox/message_1.json", json: ["creation_timestamp": 1])
    for number in 1...3 {
      try write("\(folder)/media/posts/\(number).jpg", Self.picture + Data([UInt8(number)]))
    }
    let first = try await sandbox.media("import", folder, "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect([try first.object()["new"], try first.object()["pictures"]] as? [Int] == [2, 3])
    let again = try await sandbox.media("import", folder, "--json").object()
    #expect([again["new"], again["unchanged"], again["pictures"]] as? [Int] == [0, 2, 0])
    #expect(try await sandbox.media("list", "--tag", "кот", "--plain").output.contains("café #кот"))
  }

  @Test func `names that lead out, links and devices of an archive are passed over, and counted`() async throws {
    let sandbox = try Sandbox()
    try mastodon(in: "\(sandbox.folder)/a")
    let script = """
      import io, tarfile
      with tarfile.open("evil.tar.gz", "w:gz") as tar:
          tar.add("a", "a")
          for name in ["../out.jpg", "/tmp/media-import-out.jpg", "a/../../out.jpg"]:
              entry = tarfile.TarInfo(name); entry.size = 3; tar.addfile(entry, io.BytesIO(b"out"))
          for name, kind in [("a/link", tarfile.SYMTYPE), ("a/hard", tarfile.LNKTYPE), ("a/device", tarfile.CHRTYPE), ("a/pipe", tarfile.FIFOTYPE)]:
              entry = tarfile.TarInfo(name); entry.type = kind; entry.linkname = "/etc/passwd"; tar.addfile(entry)
      """
    let packed = try await sandbox.bash("cd '\(sandbox.folder)' && python3 -c '\(script)'")
    #expect(packed.status == 0, "\(packed.errors)")
    let imported = try await sandbox.media("import", "\(sandbox.folder)/evil.tar.gz", "--json")
    #expect(imported.status == 0, "\(imported.errors)")
    let left = try imported.object()["left_out"] as? [String: any Sendable]
    #expect(left?["files whose names lead out of the archive"] as? Int == 3)
    #expect(left?["links"] as? Int == 2)
    #expect(left?["devices and pipes"] as? Int == 2)
    for path in ["\(sandbox.folder)/out.jpg", "/tmp/media-import-out.jpg"] {
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `an archive that is cut short brings nothing, in a sentence`() async throws {
    let sandbox = try Sandbox()
    try mastodon(in: "\(sandbox.folder)/a")
    let packed = try await sandbox.bash(
      """
      cd '\(sandbox.folder)' && head -c 200000 /dev/urandom > a/z.bin && tar czf a.tar.gz a && python3 -m zipfile -c a.zip a/
      head -c 100000 a.tar.gz > cut.tar.gz; head -c 100000 a.zip > cut.zip; head -c 700 a/outbox.json > cut.json
      """)
    #expect(packed.status == 0, "\(packed.errors)")
    for name in ["cut.tar.gz", "cut.zip", "cut.json"] {
      expect(try await sandbox.media("import", "\(sandbox.folder)/\(name)"), fails: 65, saying: "\(name) is cut short")
      #expect(try await sandbox.media("list", "--json").output.isEmpty)
    }
  }

  @Test func `an archive that grows beyond all reason is refused`() async throws {
    let sandbox = try Sandbox()
    try mastodon(in: "\(sandbox.folder)/a")
    let packed = try await sandbox.bash(
      "cd '\(sandbox.folder)' && head -c 400000000 /dev/zero > a/z.jpg && tar czf bomb.tar.gz a && rm a/z.jpg")
    #expect(packed.status == 0, "\(packed.errors)")
    expect(
      try await sandbox.media("import", "\(sandbox.folder)/bomb.tar.gz"), fails: 65, saying: "bomb.tar.gz is refused",
      "it would grow to more than")
    #expect(try await sandbox.media("list", "--json").output.isEmpty)
  }
}
