import Foundation
import ScriptedOrigin
import Testing

/// `media import` of what other download programs leave.
@Suite(.timeLimit(.minutes(5))) struct ImportFormsTests {
  private static let picture = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array("a picture".utf8) + [0xFF, 0xD9])

  private func write(_ path: String, _ bytes: Data) throws {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try bytes.write(to: URL(filePath: path))
  }

  private func write(_ path: String, json: Any) throws {
    try write(path, JSONSerialization.data(withJSONObject: json, options: .sortedKeys))
  }

  /// Imports a folder twice. The second time must bring nothing.
  private func imported(_ path: String, in sandbox: Sandbox, as format: String) async throws -> [Int?] {
    let ended = try await sandbox.media("import", path, "--json")
    #expect(ended.status == 0, "\(ended.errors)")
    let first = try ended.object()
    #expect(first["format"] as? String == format)
    let again = try await sandbox.media("import", path, "--json").object()
    #expect([again["new"], again["pictures"]] as? [Int] == [0, 0])
    return [first["new"] as? Int, first["pictures"] as? Int]
  }

  @Test func `videos of yt-dlp are imported by their pages`() async throws {
    let sandbox = try Sandbox()
    try write("\(sandbox.folder)/films/one [a1].mp4", Self.picture)
    try write(
      "\(sandbox.folder)/films/one [a1].info.json",
      json: [
        "id": "a1", "extractor_key": "Vimeo", "extractor": "vimeo", "webpage_url": "https://vimeo.com/1",
        "title": "one", "description": "of a cat", "tags": ["cats"], "timestamp": 1_700_000_000, "uploader": "Ada",
        "url": "https://signed.example/one", "ext": "mp4",
      ])
    #expect(try await imported("\(sandbox.folder)/films", in: sandbox, as: "yt-dlp") == [1, 1])
    let post = try #require(try await sandbox.media("list", "--tag", "cats", "--json").objects().first)
    #expect(post["url"] as? String == "https://vimeo.com/1")
  }

  @Test func `posts of instaloader come with all pictures, also from compressed descriptions`() async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/ada"
    for name in ["2024-02-29_12-30-00_UTC_1.jpg", "2024-02-29_12-30-00_UTC_2.jpg", "2024-03-01_12-30-00_UTC.jpg"] {
      try write("\(folder)/\(name)", Self.picture + Data(name.utf8))
    }
    for (name, code) in [("2024-02-29_12-30-00_UTC", "Ca"), ("2024-03-01_12-30-00_UTC", "Cb")] {
      try write(
        "\(folder)/\(name).json",
        json: [
          "instaloader": ["node_type": "Post", "version": "4.16"],
          "node": [
            "shortcode": code, "taken_at_timestamp": 1_709_209_800, "owner": ["username": "ada"],
            "edge_media_to_caption": ["edges": [["node": ["text": "a #cat"]]]],
          ] as [String: Any],
        ])
    }
    let packed = try await sandbox.bash("cd '\(folder)' && xz 2024-03-01_12-30-00_UTC.json")
    #expect(packed.status == 0, "\(packed.errors)")
    #expect(try await imported(folder, in: sandbox, as: "instaloader") == [2, 3])
    let posts = try await sandbox.media("list", "--tag", "cat", "--json").objects()
    #expect(Set(posts.compactMap { $0["url"] as? String }).count == 2)
  }

  @Test func `a post of an export of Instagram and one that was pulled are one once a person says so`() async throws {
    let sandbox = try Sandbox()
    let folders = (export: "\(sandbox.folder)/export", pulled: "\(sandbox.folder)/ada")
    try write("\(folders.export)/media/posts/1.jpg", SameJourneyTests.bitmap(600, 400))
    try write(
      "\(folders.export)/your_instagram_activity/media/posts_1.json",
      json: [["media": [["uri": "media/posts/1.jpg", "creation_timestamp": 1_709_209_790, "title": "a cat"]]]])
    try write("\(folders.pulled)/2024-02-29_12-30-00_UTC.jpg", SameJourneyTests.bitmap(300, 200))
    try write(
      "\(folders.pulled)/2024-02-29_12-30-00_UTC.json",
      json: [
        "instaloader": ["node_type": "Post", "version": "4.16"],
        "node": [
          "shortcode": "Ca", "taken_at_timestamp": 1_709_209_800, "owner": ["username": "ada"],
          "edge_media_to_caption": ["edges": [["node": ["text": "a #cat"]]]],
        ] as [String: Any],
      ])
    for folder in [folders.export, folders.pulled] {
      #expect(try await sandbox.media("import", folder, "--json").object()["new"] as? Int == 1)
    }
    try await sandbox.media("mark", "1", "--favourite")
    try await sandbox.media("look")
    let found = try await sandbox.media("same")
    #expect(
      found.errors.contains("Post 1 of an export may be post 2: \"media same --same 1 2\" makes them one."), "\(found)")
    #expect(try await sandbox.media("same", "--json").output.contains("\"twins\":[{\"exported\":1,\"shown\":2}]"))
    #expect(try await sandbox.media("list", "--json").objects().count == 2)
    let said = try await sandbox.media("same", "--same", "2", "1")
    #expect(
      said.status == 0 && said.errors.contains("Post 2 stands for both now; post 1 is deleted."), "\(said.errors)")
    let list = try await sandbox.media("list", "is:favourite", "--json").objects()
    #expect(list.map { $0["id"] as? Int } == [2])
    #expect(try await sandbox.media("import", folders.export, "--json").object()["deleted"] as? Int == 1)
    #expect(try await sandbox.media("list", "--feed", "import:export", "--json").objects().count == 1)
    let undone = try await sandbox.media("undo")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try await sandbox.media("list", "is:favourite", "--json").objects().map { $0["id"] as? Int } == [1])
    #expect(try await sandbox.media("list", "--json").objects().count == 2)
  }

  @Test func `when and where Flickr says that a photo was taken is found, and told to its person alone`() async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/flickr"
    try write("\(folder)/flickr_53412345678.jpg", SameJourneyTests.bitmap(300, 200))
    try write(
      "\(folder)/flickr_53412345678.jpg.json",
      json: [
        "category": "flickr", "id": 53_412_345_678, "title": "Morning", "ispublic": 1,
        "owner": ["nsid": "12345678@N01", "username": "Birds"], "dateupload": "1795165200", "media": "photo",
        "dates": ["taken": "2024-05-01 08:12:44", "takengranularity": 4, "takenunknown": "0"],
        "location": ["latitude": "54.3232", "longitude": "10.1228", "accuracy": "16"],
        "url": "https://live.staticflickr.example/1_o.jpg", "extension": "jpg", "filename": "flickr_53412345678",
      ] as [String: Any])
    #expect(try await imported(folder, in: sandbox, as: "gallery-dl") == [1, 1])
    let looked = try await sandbox.media("look")
    #expect(looked.status == 0, "\(looked.errors)")
    for (filter, count) in [
      ("taken:2024-05", 1), ("taken:2024-05-01", 0), ("near:54.3,10.1,20km", 1), ("place:Kiel", 1), ("has:gps", 1),
    ] {
      #expect(try await sandbox.media("list", filter, "--json").objects().count == count, "\(filter)")
    }
    let shown = try await sandbox.media("show", "1").output
    #expect(
      shown.contains("taken 2024-05 (says Flickr) at 54.323° N 10.123° E near Kiel")
        && shown.contains("E near Kiel, DE (says Flickr)"),
      "\(shown)")
    let json = try await sandbox.media("show", "1", "--json").output
    #expect(
      json.contains("\"gps\":true") && json.contains("\"taken_by\":\"flickr\"") && !json.contains("54.3"), "\(json)")
    for format in ["html", "csv", "json-feed", "atom", "activitystreams"] {
      let out = "\(sandbox.folder)/out-\(format)"
      let exported = try await sandbox.media("export", "--format", format, "--out", out)
      #expect(exported.status == 0, "\(exported.errors)")
      let content = try await sandbox.bash("find '\(out)' -type f ! -name '*.jpg' ! -name '*.bmp' -exec cat {} +")
        .output
      #expect(content.contains("Morning") && !content.contains("54.32") && !content.contains("10.12"), "\(format)")
    }
  }

  @Test(arguments: [true, false])
  func `an imported page and the item of a feed are one post, which keeps the import's files`(first: Bool) async throws
  {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      let folder = "\(sandbox.folder)/archive"
      for number in 0..<2 {
        try write("\(folder)/\(number).png", Self.picture + Data([UInt8(number)]))
        let facts: [String: Any] = [
          "category": "someblog", "id": number, "post_url": "\(origin.url)/post/\(number)", "num": 1,
          "url": "\(origin.url)/full/\(number).png", "date": "2026-06-01 10:00:00", "tags": ["boats"],
        ]
        try write("\(folder)/\(number).png.json", json: facts)
      }
      func serve(_ words: String) {
        let items = (0..<2).map { number in
          """
          <item><guid isPermaLink="false">g\(number)</guid><link>\(origin.url)/post/\(number)</link>
          <title>\(number)</title><description>\(words)</description><category>sea</category></item>
          """
        }
        origin.change {
          $0.documents["/feed"] = ScriptedDocument(
            "<rss version=\"2.0\"><channel><title>B</title>\(items.joined())</channel></rss>")
        }
      }
      func pull() async throws { #expect(try await sandbox.media("feed", "\(origin.url)/feed", "--quiet").status == 0) }
      serve("words")
      if !first { try await pull() }
      #expect(try await sandbox.media("import", folder).status == 0)
      try await pull()
      serve("other words")
      try await pull()
      let again = try await sandbox.media("import", folder)
      #expect(again.output.contains("0 new, 2 unchanged; 0 pictures"), "\(again.output)\(again.errors)")
      let posts = try await sandbox.media("list", "--json").objects()
      #expect(posts.count == 2)
      for post in posts {
        #expect((post["attachments"] as? [[String: any Sendable]])?.map { $0["state"] as? String } == ["stored"])
        #expect(Set(post["tags"] as? [String] ?? []).isSuperset(of: first ? ["boats", "sea"] : ["sea"]))
      }
    }
  }

  @Test func `files with sidecars of hydrus keep their tags`() async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/hydrus"
    try write("\(folder)/a.jpg", Self.picture)
    try write("\(folder)/a.jpg.txt", Data("blue eyes\ncreator:ada\ntitle:A cat\n".utf8))
    try write("\(folder)/b.png", Self.picture + Data([1]))
    try write("\(folder)/b.png.txt", Data("blue eyes\n".utf8))
    try write("\(folder)/b.png.urls.txt", Data("https://cats.example/b\n".utf8))
    #expect(try await imported(folder, in: sandbox, as: "hydrus") == [2, 2])
    #expect(try await sandbox.media("list", "--tag", "blue_eyes", "--json").objects().count == 2)
  }

  @Test func `another reader's list of feeds is followed`() async throws {
    let sandbox = try Sandbox()
    let list = """
      <?xml version="1.0"?><opml version="2.0"><head><title>mine</title></head><body><outline text="news">
      <outline type="rss" text="a &amp; b" xmlUrl="https://a.example/rss?x=1&amp;y=2"/>
      <outline type="rss" xmlUrl="https://b.example/"/><outline xmlUrl="ftp://no.example/"/>
      <outline text="C" xmlUrl="https://c.example/\(String(repeating: "c", count: 9000))"/></outline></body></opml>
      """
    try write("\(sandbox.folder)/follows.opml", Data(list.utf8))
    let followed = try await sandbox.media("import", "\(sandbox.folder)/follows.opml", "--json").object()
    #expect(followed["followed"] as? Int == 2)
    #expect(followed["unusable"] as? [String] == ["ftp://no.example/", "C, whose address is too long"])
    let again = try await sandbox.media("import", "\(sandbox.folder)/follows.opml", "--json").object()
    #expect([again["followed"], again["followed_before"]] as? [Int] == [0, 2])
    #expect(try await sandbox.media("follows", "--json").objects().count == 2)
    try write("\(sandbox.folder)/note.txt", Data("no list".utf8))
    expect(
      try await sandbox.media("import", "\(sandbox.folder)/note.txt", "--format", "opml"), fails: 65,
      saying: "is not opml: it is not one list of feeds")
    try write("\(sandbox.folder)/cut.opml", Data(list.utf8.dropLast(80)))
    expect(
      try await sandbox.media("import", "\(sandbox.folder)/cut.opml", "--dry-run", "--quiet"), fails: 1,
      saying: "has no end: it was cut off")
  }

  @Test func `lines that twarc collected are imported, whichever API they are from`() async throws {
    let sandbox = try Sandbox()
    let lines = """
      {"data":[{"id":"1700000000000000001","text":"a #cat","author_id":"12","created_at":"2023-11-01T10:00:00.000Z","edit_history_tweet_ids":["1700000000000000001"],"entities":{"hashtags":[{"tag":"cat"}]}}],"includes":{"users":[{"id":"12","username":"ada","name":"Ada"}]},"meta":{}}
      {"id_str":"1700000000000000002","full_text":"old #cat","created_at":"Wed Nov 01 10:00:00 +0000 2023","entities":{"hashtags":[{"text":"cat"}]},"user":{"id_str":"12","screen_name":"ada","name":"Ada"},"retweet_count":0}
      nonsense

      """
    try write("\(sandbox.folder)/tweets.jsonl", Data(lines.utf8))
    let imported = try await sandbox.media("import", "\(sandbox.folder)/tweets.jsonl", "--json").object()
    #expect([imported["new"], imported["unreadable"]] as? [Int] == [2, 1])
    #expect(try await sandbox.media("list", "--tag", "cat", "--json").objects().count == 2)
  }
}
