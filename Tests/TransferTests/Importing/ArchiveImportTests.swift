import Foundation
import Posts
import Storage
import Testing

@testable import Transfer

/// Archives in the forms that services give today.
struct ArchiveImportTests {
  private static let everyone = "https://www.w3.org/ns/activitystreams#Public"

  private func note(_ number: Int, attachment url: String? = nil) -> String {
    let files = url.map { #"{"type":"Document","mediaType":"image/jpeg","url":"\#($0)","name":null}"# } ?? ""
    return #"""
      {"id":"https://social.example/users/ada/statuses/\#(number)/activity","type":"Create",
      "actor":"https://social.example/users/ada","published":"2024-02-29T12:30:0\#(number)Z","to":["\#(Self.everyone)"],
      "cc":[],"object":{"id":"https://social.example/users/ada/statuses/\#(number)","type":"Note",
      "published":"2024-02-29T12:30:0\#(number)Z","to":["\#(Self.everyone)"],"content":"<p>\#(number)</p>",
      "attachment":[\#(files)],"tag":[]}}
      """#
  }

  private func outbox(_ items: [String], total: Int) -> String {
    #"""
    {"@context":"https://www.w3.org/ns/activitystreams","id":"outbox.json","type":"OrderedCollection",
    "totalItems":\#(total),"orderedItems":[],"orderedItems":[\#(items.joined(separator: ","))]}
    """#
  }

  @Test func `of two lists of one name the last counts, as Mastodon writes them`() throws {
    let folder = try ImportedFolder()
    try folder.write("outbox.json", outbox([note(1), note(2)], total: 2))
    let (report, format, balance, _) = try folder.imported()
    #expect(format == "mastodon")
    #expect(report.imported.new == 2)
    #expect(balance?.declared == 2 && balance?.found == 2 && balance?.missing == 0)
  }

  @Test func `an archive with less than it says is told from a whole one`() throws {
    let folder = try ImportedFolder()
    try folder.write("outbox.json", outbox([note(1)], total: 1260))
    let balance = try #require(try folder.imported().balance)
    #expect(balance.declared == 1260 && balance.missing == 1259)
    try folder.write("outbox.json", outbox([], total: 0))
    #expect(try folder.imported().report.found == 0)
  }

  @Test(arguments: [
    "/media_attachments/files/1/original/a.jpg", "/system/media_attachments/files/1/original/a.jpg",
    "/bucket/media_attachments/files/1/original/a.jpg",
    "https://files.example/some/bucket/media_attachments/files/1/original/a.jpg",
  ])
  func `a file of Mastodon's archive is found, whatever its server's store is called`(address: String) throws {
    let folder = try ImportedFolder()
    try folder.write("archive/outbox.json", outbox([note(1, attachment: address)], total: 1))
    try folder.picture("archive/media_attachments/files/1/original/a.jpg")
    try folder.picture("archive/avatar.jpg")
    let (report, _, balance, _) = try folder.imported()
    #expect(report.imported.pictures == 1 && report.absent == 0)
    #expect(balance?.unused == ["archive/avatar.jpg"])
    #expect(try folder.posts().first?.attachments.first?.state == .stored)
  }

  @Test func `a file is found whose address has letters as their codes`() throws {
    let folder = try ImportedFolder()
    let address = "/media_attachments/files/1/original/%C3%A9%20e.jpg"
    try folder.write("archive/outbox.json", outbox([note(1, attachment: address)], total: 1))
    try folder.picture("archive/media_attachments/files/1/original/é e.jpg")
    let (report, _, balance, _) = try folder.imported()
    #expect(report.imported.pictures == 1 && report.absent == 0 && balance?.unused == [])
  }

  @Test func `a file that the archive lacks is named, and no picture waits for an address that it has not`() throws {
    let folder = try ImportedFolder()
    let lost = "/bucket/media_attachments/files/2/original/b.jpg"
    try folder.write("outbox.json", outbox([note(1, attachment: lost)], total: 1))
    let plan = try folder.imported(isPlan: true).report
    #expect(plan.absent == 1 && plan.imported.pictures == 0)
    let report = try folder.imported().report
    #expect(report.absent == 1)
    #expect(report.absentFiles == ["media_attachments/files/2/original/b.jpg"])
    let picture = try #require(try folder.posts().first?.attachments.first)
    #expect(picture.state == .gone && picture.failure != nil)

    try folder.picture("media_attachments/files/2/original/b.jpg")
    let again = try folder.imported().report
    #expect(again.imported.pictures == 1 && again.absent == 0 && again.imported.new == 0)
    #expect(try folder.posts().first?.attachments.first?.state == .stored)
  }

  @Test(arguments: [
    #"{"type":"Document","mediaType":"image/jpeg","url":"/a/1.jpg"}"#,
    #"[{"type":"Document","url":[{"type":"Link","mediaType":"image/jpeg","href":"/a/1.jpg"}]}]"#,
    #"[{"type":"Image","href":"/a/1.jpg"},{"type":"Link","href":"https://cats.example/page"}]"#,
  ])
  func `a file of an outbox is found, however its program writes lists and addresses`(files: String) throws {
    let folder = try ImportedFolder()
    let note = note(1).replacing("[\"\(Self.everyone)\"]", with: "\"\(Self.everyone)\"")
      .replacing(#""attachment":[]"#, with: #""attachment":\#(files)"#)
      .replacing(#""tag":[]"#, with: ##""tag":{"type":"Hashtag","name":"#cats"}"##)
    try folder.write("outbox.json", outbox([note], total: 1))
    try folder.picture("a/1.jpg")
    let report = try folder.imported().report
    #expect(report.imported.pictures == 1 && report.absent == 0 && report.isPrivate == 0)
    let post = try #require(try folder.posts().first)
    #expect(post.attachments.map(\.kind) == [.image] && post.tags == ["cats"])
  }

  @Test func `a note has its text once, or by languages`() throws {
    let folder = try ImportedFolder()
    let note = note(1).replacing(#""content":"<p>1</p>""#, with: #""contentMap":{"pt":"<p>olá</p>"}"#)
    try folder.write("outbox.json", outbox([note], total: 1))
    #expect(try folder.imported().report.imported.new == 1)
    let post = try #require(try folder.posts().first)
    #expect(post.caption == "olá" && post.language == "pt")
  }

  @Test func `two archives in one folder are of two people`() throws {
    let folder = try ImportedFolder()
    for (id, name) in [("1", "ada"), ("2", "bob")] {
      try xArchive(name, "\(name)/data", tweet: id, in: folder)
      try folder.write(
        "\(name)/data/manifest.js", json: ["dataTypes": ["tweets": ["files": [["count": "1"]]]]],
        after: "window.__THAR_CONFIG = ")
    }
    let (report, _, balance, _) = try folder.imported()
    #expect(report.imported.new == 2 && balance?.declared == 2)
    let posts = try folder.posts()
    #expect(posts.allSatisfy { $0.author?.handle == "\($0.caption)@x.com" })
    #expect(Set(posts.compactMap(\.url)) == ["https://x.com/ada/status/1", "https://x.com/bob/status/2"])
    // What lies in the folder of neither is nobody's.
    try xArchive(nil, "more/data", tweet: "3", in: folder)
    #expect(try folder.imported().report.imported.new == 1)
    let other = try folder.posts().first { $0.url?.hasSuffix("/3") == true }
    #expect(other.map { $0.author?.handle.hasSuffix("@x.com") != true } == true)
  }

  @Test func `an older archive of an account that is protected now stays out, and another account's comes`() throws {
    let folder = try ImportedFolder()
    for (number, (name, path)) in [("ada", "old"), ("ada", "recent"), ("bob", "bob")].enumerated() {
      try xArchive(name, "\(path)/data", tweet: "\(number + 1)", in: folder)
    }
    let history = #"[{"protectedHistory":{"protectedAt":"2024-01-01T00:00:00.000Z","action":"Protect"}}]"#
    try folder.write("old/data/protected-history.js", "window.YTD.protected_history.part0 = []")
    try folder.write("recent/data/protected-history.js", "window.YTD.protected_history.part0 = \(history)")
    let report = try folder.imported().report
    #expect(report.isPrivate == 2 && report.imported.new == 1)
    #expect(try folder.posts().map(\.author?.handle) == ["bob@x.com"])
  }

  private func xArchive(_ name: String?, _ path: String, tweet: String, in folder: ImportedFolder) throws {
    let text = name ?? "nobody"
    let tweet =
      #"{"tweet":{"id_str":"\#(tweet)","full_text":"\#(text)","created_at":"Wed Nov 15 12:00:00 +0000 2023"}}"#
    try folder.write("\(path)/tweets.js", "window.YTD.tweets.part0 = [\(tweet)]")
    guard let name else { return }
    try folder.write(
      "\(path)/account.js",
      json: [["account": ["accountId": "\(name.utf8.count)\(name.utf8.first ?? 0)", "username": name]]],
      after: "window.YTD.account.part0 = ")
  }

  @Test func `outboxes of several folders say together how many posts there are`() throws {
    let folder = try ImportedFolder()
    try folder.write("a/outbox.json", outbox([note(1)], total: 1))
    try folder.write("b/outbox.json", outbox([note(2), note(3)], total: 2))
    let balance = try folder.imported().balance
    #expect(balance?.declared == 3 && balance?.found == 3)
  }

  @Test func `an outbox may hold its first page, and that the next`() throws {
    let folder = try ImportedFolder()
    let next = #"{"type":"OrderedCollectionPage","orderedItems":[\#(note(2))]}"#
    let first = #"{"type":"OrderedCollectionPage","items":[\#(note(1))],"next":\#(next)}"#
    try folder.write("outbox.json", #"{"type":"OrderedCollection","totalItems":2,"first":\#(first)}"#)
    let (report, format, balance, _) = try folder.imported()
    #expect(format == "mastodon" && report.imported.new == 2 && balance?.missing == 0)
  }

  @Test(arguments: [false, true]) func `an archive in UTF-16 is read`(isBig: Bool) throws {
    func wide(_ text: String) -> [UInt8] {
      "\u{FEFF}\(text)".utf16.flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isBig ? bytes : bytes.reversed()
      }
    }
    // Longer than what is looked at first.
    let long = note(2).replacing("<p>2</p>", with: "<p>\(String(repeating: "Жд 🐈 ", count: 2000))</p>")
    let outbox = outbox([note(1), long], total: 2)
    let tweet = #"{"tweet":{"id_str":"1","full_text":"Жд","created_at":"Wed Nov 15 12:00:00 +0000 2023"}}"#
    let post = #"{"id":"2","text":"Жд","author_id":"1","created_at":"2023-09-07T10:00:00.000Z"}"#
    let about = #"{"category":"made-up","id":1,"date":"2024-02-29 12:30:00","content":"Жд"}"#
    for (name, text, format, count) in [
      ("outbox.json", outbox, "mastodon", 2), ("data/tweets.js", "window.YTD.tweets.part0 = [\(tweet)]", "x", 1),
      ("tweets.jsonl", post + "\n", "twarc", 1), ("1.jpg.json", about, "gallery-dl", 1),
    ] {
      let folder = try ImportedFolder()
      if name == "1.jpg.json" { try folder.picture("1.jpg") }
      try folder.write(name, bytes: wide(text))
      let (report, found, _, _) = try folder.imported()
      #expect(found == format && report.imported.new == count && report.unreadable == [], "\(name)")
      #expect(try folder.posts().contains { $0.caption.hasPrefix("Жд") }, "\(name)")
    }
  }

  @Test func `the page to which a post of Lemmy leads stands in its text`() throws {
    let folder = try ImportedFolder()
    func page(_ number: Int, _ more: String) -> String {
      note(number).replacing(#""type":"Note""#, with: #""type":"Page","name":"A title",\#(more)"#)
        .replacing(#""attachment":[],"#, with: "")
    }
    let link = #"{"type":"Link","href":"https://news.example/1?a=1&b=2"}"#
    let items = [
      page(1, #""attachment":[\#(link)]"#), page(2, #""url":"https://news.example/2","attachment":[]"#),
      page(3, #""attachment":[{"type":"Link","href":"https://pics.example/3.jpg"}]"#),
      page(4, #""content":"see https://news.example/1?a=1&amp;b=2","attachment":[\#(link),\#(link)]"#)
        .replacing(#""content":"<p>4</p>","#, with: ""),
      page(5, #""attachment":[\#(link),\#(link)],"url":"https://social.example/post/5""#),
    ]
    try folder.write("outbox.json", outbox(items, total: 5))
    #expect(try folder.imported().report.imported.new == 5)
    let posts = try folder.posts().sorted { $0.createdAt < $1.createdAt }
    #expect(
      posts.map(\.caption) == [
        "1\n\nhttps://news.example/1?a=1&b=2", "2\n\nhttps://news.example/2", "3",
        "see https://news.example/1?a=1&b=2", "5\n\nhttps://news.example/1?a=1&b=2",
      ])
    #expect(posts.map { $0.url?.suffix(2) } == ["/1", "/2", "/3", "/4", "/5"])
    #expect(posts.allSatisfy { $0.url?.hasPrefix("https://social.example/") == true })
    #expect(posts.map(\.attachments.count) == [0, 0, 1, 0, 0])
  }

  // MARK: X

  @Test func `posts of X in communities and for circles are read, and long ones whole`() throws {
    let folder = try ImportedFolder()
    let whole = (1...60).map { "word \($0) &amp; more" }.joined(separator: ", ")
    func post(_ id: String, _ text: String) -> [String: Any] {
      let photo = ["id_str": id, "type": "photo", "media_url_https": "https://pbs.twimg.com/media/P\(id).jpg"]
      var tweet = tweet(id, [photo])["tweet"] as? [String: Any] ?? [:]
      tweet["full_text"] = text
      return ["tweet": tweet]
    }
    func notes(_ texts: [(id: String, text: String)]) -> [[String: Any]] {
      texts.map { id, text in
        [
          "noteTweet": [
            "noteTweetId": id, "createdAt": "2023-11-01T10:00:01.000Z",
            "core": ["text": text, "urls": [], "hashtags": []],
          ] as [String: Any]
        ]
      }
    }
    let documents = [
      ("tweets", [post("101", "\(whole.prefix(270))… https://t.co/x"), post("102", "b… https://t.co/y")]),
      ("community-tweet", [post("103", "of a community")]), ("twitter-circle-tweet", [post("104", "of a circle")]),
      ("note-tweet", notes([("7", whole), ("102", "by number"), ("9", "of nobody")])),
    ]
    for (name, posts) in documents {
      try folder.write(
        "data/\(name).js", json: posts, after: "window.YTD.\(name.replacing("-", with: "_")).part0 = ")
    }
    try folder.write(
      "data/manifest.js",
      json: ["dataTypes": ["tweets": ["files": [["count": "2"]]], "communityTweet": ["files": [["count": "1"]]]]],
      after: "window.__THAR_CONFIG = ")
    for path in ["tweets_media/101", "community_tweet_media/103", "twitter_circle_tweet_media/104"] {
      try folder.picture("data/\(path)-P\(path.suffix(3)).jpg")
    }
    let (report, _, balance, leftOut) = try folder.imported()
    #expect(report.imported.new == 3 && report.isPrivate == 1 && report.imported.pictures == 2)
    #expect(balance?.declared == 3 && balance?.unused == [])
    #expect(
      try Set(folder.posts().map(\.caption)) == [
        whole.replacing("&amp;", with: "&"), "by number", "of a community",
      ])
    #expect(leftOut.map(\.value) == [1], "\(leftOut)")
  }

  private func tweet(_ id: String, _ media: [[String: Any]]) -> [String: Any] {
    [
      "tweet": [
        "id_str": id, "created_at": "Wed Nov 01 10:00:00 +0000 2023", "full_text": "a film",
        "extended_entities": ["media": media],
      ] as [String: Any]
    ]
  }

  private func film(_ id: String, _ variants: [(name: String, rate: Int)]) -> [String: Any] {
    [
      "id_str": id, "type": "video", "media_url_https": "https://pbs.twimg.com/ext_tw_video_thumb/\(id)/pu/img/x.jpg",
      "video_info": [
        "variants": variants.map {
          [
            "bitrate": "\($0.rate)", "content_type": "video/mp4",
            "url": "https://video.twimg.com/ext_tw_video/\(id)/pu/vid/\($0.name)?tag=12",
          ]
        }
      ],
    ]
  }

  @Test func `a video of X is found by any of its names, and else by its post's number`() throws {
    let folder = try ImportedFolder()
    let tweets = [
      tweet("101", [film("1", [("low.mp4", 256_000), ("high.mp4", 2_176_000)])]),
      tweet("102", [film("2", [("low.mp4", 256_000), ("high.mp4", 2_176_000)])]),
      tweet("103", [film("3", [("one.mp4", 256_000)])]),
    ]
    try folder.write("data/tweets.js", json: tweets, after: "window.YTD.tweets.part0 = ")
    try folder.write(
      "data/manifest.js",
      json: ["dataTypes": ["tweets": ["files": [["fileName": "data/tweets.js", "count": "4"]]]]],
      after: "window.__THAR_CONFIG = ")
    for name in ["101-high.mp4", "102-low.mp4", "103-else.mp4", "103-thumb.jpg"] {
      try folder.picture("data/tweets_media/\(name)")
    }
    let (report, format, balance, _) = try folder.imported()
    #expect(format == "x")
    #expect(report.imported.new == 3 && report.imported.pictures == 3 && report.absent == 0)
    #expect(balance?.declared == 4 && balance?.missing == 1)
    #expect(balance?.unused == ["data/tweets_media/103-thumb.jpg"])
    let films = try folder.posts().flatMap(\.attachments).compactMap(\.url)
    #expect(films.count { $0.contains("high.mp4") } == 2 && films.count == 3)
  }

  // MARK: Instagram

  private func instagram(_ folder: ImportedFolder) throws {
    try folder.write(
      "your_instagram_activity/media/posts_1.json",
      json: [
        [
          "media": [
            ["uri": "media/posts/202311/1234_5678_n_17900000000000001.jpg", "creation_timestamp": 1_700_000_000],
            ["uri": "media/posts/202311/1234_5679_n_17900000000000002.jpg", "creation_timestamp": 1_700_000_000],
          ], "title": "two", "creation_timestamp": 1_700_000_000,
        ] as [String: Any],
        ["media": [["uri": "media/posts/202311/17900000000000003.jpg", "creation_timestamp": 1_700_000_000]]],
      ])
  }

  @Test func `an export of Instagram in parts is one, in any order of the parts`() throws {
    let folder = try ImportedFolder()
    try instagram(folder)
    let bare = try folder.imported().report
    #expect(bare.imported.new == 2 && bare.absent == 3)
    #expect(bare.absentFiles.first == "media/posts/202311/1234_5678_n_17900000000000001.jpg")
    try folder.picture("media/posts/202311/1234_5679_n_17900000000000002.jpg")
    let second = try folder.imported(as: "part2").report
    #expect(second.imported.new == 0 && second.imported.pictures == 1)
    try folder.picture("media/posts/202311/1234_5678_n_17900000000000001.jpg")
    try folder.picture("media/posts/202311/17900000000000003.jpg")
    let third = try folder.imported(as: "part3").report
    #expect(third.imported.new == 0 && third.imported.pictures == 2)
    #expect(try folder.posts().count == 2)
    #expect(try folder.posts().flatMap(\.attachments).allSatisfy { $0.state == .stored })
  }

  @Test func `long videos of an Instagram export come, and what nothing is said of stays out`() throws {
    let folder = try ImportedFolder()
    try instagram(folder)
    for (name, list, number) in [("igtv_videos", "ig_igtv_media", 4), ("other_content", "ig_other_media", 5)] {
      let film = ["uri": "media/1790000000000000\(number).mp4", "creation_timestamp": 1_700_000_001] as [String: Any]
      try folder.write("your_instagram_activity/media/\(name).json", json: [list: [["media": [film]]]])
    }
    let report = try folder.imported().report
    #expect(report.imported.new == 3 && report.isPrivate == 1)
    #expect(report.absentFiles.contains("media/17900000000000004.mp4"))
  }

  @Test func `a post without its file says so`() throws {
    let folder = try ImportedFolder()
    try folder.write("posts_1.json", json: [["title": "words", "creation_timestamp": 1_700_000_000] as [String: Any]])
    let said = try folder.imported().report.unreadable.map { "\($0)" }
    #expect(said.count == 1 && said.first?.contains("it names no picture or video") == true, "\(said)")
  }

  @Test func `two posts of one export may show one picture`() throws {
    let folder = try ImportedFolder()
    let same = [UInt8]([0xFF, 0xD8, 0xFF, 0xE0, 1, 0xFF, 0xD9])
    for (number, name) in [(1, "17900000000000001"), (2, "17900000000000002")] {
      try folder.write(
        "posts_\(number).json",
        json: [["media": [["uri": "\(name).jpg", "creation_timestamp": 1_700_000_000 + number]]]])
      try folder.write("\(name).jpg", bytes: same)
    }
    #expect(try folder.imported().report.imported.new == 2)
    #expect(try folder.imported().report.imported.unchanged == 2)
  }

  @Test(arguments: [("True", 2), ("False", 0)])
  func `posts of an Instagram account that only its followers see stay out`(isPrivate: String, left: Int) throws {
    let folder = try ImportedFolder()
    try instagram(folder)
    try folder.write(
      "personal_information/personal_information/personal_information.json",
      json: ["profile_user": [["string_map_data": ["Private Account": ["value": isPrivate]]]]])
    let report = try folder.imported().report
    #expect(report.isPrivate == left && report.imported.new == 2 - left)
  }

  @Test(arguments: [(["Protect"], 1), (["Protect", "Unprotect"], 0), ([], 0)] as [([String], Int)])
  func `posts of an account of X that is protected stay out`(changes: [String], left: Int) throws {
    let folder = try ImportedFolder()
    let tweet = #"{"tweet":{"id_str":"1","full_text":"one","created_at":"Wed Nov 15 12:00:00 +0000 2023"}}"#
    try folder.write("data/tweets.js", "window.YTD.tweets.part0 = [\(tweet)]")
    let history = changes.enumerated().map { number, action in
      #"{"protectedHistory":{"protectedAt":"2024-0\#(number + 1)-01T00:00:00.000Z","action":"\#(action)"}}"#
    }
    // The newest comes first.
    let list = history.reversed().joined(separator: ",")
    try folder.write("data/protected-history.js", "window.YTD.protected_history.part0 = [\(list)]")
    let report = try folder.imported().report
    #expect(report.isPrivate == left && report.imported.new == 1 - left)
  }

  @Test func `an export of Instagram as pages is named as that`() throws {
    let folder = try ImportedFolder()
    try folder.write("your_instagram_activity/media/posts_1.html", "<html><body>Nov 14, 2023 1:13 am</body></html>")
    let error = try #require(throws: ImportError.self) { try folder.imported() }
    #expect(error.summary.contains("Instagram's export as web pages") && error.cure?.contains("JSON") == true)
  }

  // MARK: twarc

  @Test func `what twarc flattened keeps its files and the posts that it repeats`() throws {
    let folder = try ImportedFolder()
    let user = ["id": "12", "username": "ada", "name": "Ada"]
    let gif: [String: Any] = [
      "media_key": "16_1", "type": "animated_gif",
      "preview_image_url": "https://pbs.twimg.com/tweet_video_thumb/G.jpg",
      "variants": [["bit_rate": 0, "content_type": "video/mp4", "url": "https://video.twimg.com/tweet_video/G.mp4"]],
    ]
    let own: [String: Any] = [
      "id": "1700000000000000001", "author_id": "12", "author": user, "text": "a gif",
      "created_at": "2023-09-07T10:00:00.000Z", "edit_history_tweet_ids": ["1700000000000000001"],
      "attachments": ["media_keys": ["16_1"], "media": [gif]],
    ]
    let repeated: [String: Any] = [
      "id": "1700000000000000002", "author_id": "13", "author": ["id": "13", "username": "bob", "name": "Bob"],
      "text": "RT @ada: a gi", "created_at": "2023-09-08T10:00:00.000Z",
      "edit_history_tweet_ids": ["1700000000000000002"],
      "referenced_tweets": [own.merging(["type": "retweeted"]) { one, _ in one }],
    ]
    let lines = try [own, repeated].map {
      String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
    }
    try folder.write("tweets.jsonl", lines.joined(separator: "\r\n") + "\r\n\r\n")
    let report = try folder.imported().report
    #expect(report.imported.new == 1 && report.unreadable == [])
    let post = try #require(try folder.posts().first)
    #expect(post.caption == "a gif" && post.author?.name == "Ada" && post.repeatedBy.map(\.handle) == ["bob@x.com"])
    #expect(post.attachments.first?.kind == .gifv)
    #expect(post.attachments.first?.previewURL == "https://pbs.twimg.com/tweet_video_thumb/G.jpg")
  }
}
