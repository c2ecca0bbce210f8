import Foundation
import Machine
import Posts
import Storage
import Testing

@testable import Transfer

/// Posts that an import brought, and a pull brings again: they are one.
struct TakenOverTests {
  private static let server = Server("https://social.example")!
  private static let feed = Feed(source: .usual, kind: .tag, value: "cats", server: server)

  /// A post as its server shows it.
  private func post(_ number: Int, files: Int = 1, source: SourceName = .usual, caption: String = "a cat") -> Post {
    Post(
      source: source, uri: "https://social.example/users/ada/statuses/\(number)",
      url: "https://social.example/@ada/\(number)", server: Self.server, remoteID: "\(number)",
      author: Author(uri: "https://social.example/users/ada", handle: "ada@social.example", name: "Ada"),
      createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)), caption: caption, tags: ["cats"],
      attachments: (0..<files).map {
        Attachment(kind: .image, remoteID: "\(number)\($0)", url: "https://files.example/\(number)/\($0).jpg")
      })
  }

  private func pull(_ posts: [Post], into folder: ImportedFolder) throws -> Saved {
    let pull = try folder.store.beginPull(of: Self.feed, goal: PullGoal(pages: 1), now: ImportedFolder.now)
    let items = posts.map { PageItem(id: $0.remoteID, content: .post($0), raw: Array("{}".utf8)) }
    return try folder.store.save(Page(items: items, next: .end), in: pull, pictures: true, now: ImportedFolder.now)
  }

  /// Expects that the library has each of these posts once, as its server shows it, with the pictures of the import.
  private func expectOne(_ posts: [Post], in folder: ImportedFolder) throws {
    let stored = try folder.posts()
    #expect(Set(stored.map(\.uri)) == Set(posts.map(\.uri)) && stored.count == posts.count)
    #expect(stored.allSatisfy { $0.source == .usual && $0.server == Self.server.origin && $0.revisionCount == 0 })
    #expect(stored.flatMap(\.attachments).allSatisfy { $0.state == .stored })
    #expect(try folder.store.pictures(ofPosts: stored.map(\.id), now: ImportedFolder.now).isEmpty)
    let imported = try folder.store.posts(PostQuery(feed: .importing("it"), limit: nil))
    #expect(imported.count == posts.count)
  }

  @Test func `what hydrus's sidecars know by its page is the post that a pull brings`() throws {
    let folder = try ImportedFolder()
    let posts = [post(1, files: 2), post(2)]
    for (name, page, number) in [("1_1", 1, 1), ("1_2", 1, 2), ("2_1", 2, 1)] {
      try folder.picture("\(name).jpg")
      try folder.write("\(name).jpg.txt", "cats\ncreator:ada@social.example\npage:\(number)\nsource:mastodon\n")
      try folder.write(
        "\(name).jpg.urls.txt",
        "https://social.example/@ada/\(page)\nhttps://files.example/\(page)/\(number - 1).jpg\n")
    }
    #expect(try folder.imported().report.imported.new == 2)
    let saved = try pull(posts, into: folder)
    #expect(saved.new == 0 && saved.updated == 2)
    try expectOne(posts, in: folder)
    #expect(try pull(posts, into: folder).unchanged == 2)
    #expect(try folder.imported().report.imported.new == 0)
  }

  @Test func `what was pulled before is known by its page`() throws {
    let folder = try ImportedFolder()
    #expect(try pull([post(1)], into: folder).new == 1)
    try folder.picture("1.jpg")
    try folder.write("1.jpg.urls.txt", "http://social.example/@ada/1/\n")
    let report = try folder.imported().report
    #expect(report.imported.new == 0 && report.imported.pictures == 1)
    try expectOne([post(1)], in: folder)
  }

  @Test func `a deleted post stays deleted when a pull brings what only an import knew`() throws {
    let folder = try ImportedFolder()
    try folder.picture("1.jpg")
    try folder.write("1.jpg.urls.txt", "https://social.example/@ada/1\n")
    _ = try folder.imported()
    try folder.store.delete(try folder.posts().map(\.id), now: ImportedFolder.now)
    #expect(try pull([post(1)], into: folder).deleted == 1)
    #expect(try folder.posts().isEmpty)
  }

  @Test func `our own sidecars carry the post's identity and the place of each file`() throws {
    let folder = try ImportedFolder()
    let post = post(1, files: 3)
    let files = post.attachments.map { ["kind": "image", "url": $0.url ?? "", "alt": "a cat", "state": "stored"] }
    for place in [3, 1] {
      try folder.picture("a\(place).jpg")
      try folder.write(
        "a\(place).jpg.json",
        json: [
          "id": 7, "origin": "pulled", "source": "mastodon", "server": "https://social.example", "remote_id": "1",
          "uri": post.uri, "url": "https://social.example/@ada/1",
          "author": ["handle": "ada@social.example", "name": "Ada"],
          "created_at": UTC.text(post.createdAt), "caption": "a cat", "tags": ["cats"], "sensitive": false,
          "attachments": files, "file": place,
        ] as [String: Any])
    }
    let report = try folder.imported().report
    #expect(report.imported.new == 1 && report.imported.pictures == 2 && report.unaddressed == 0)
    let stored = try #require(try folder.posts().first)
    #expect(stored.uri == post.uri && stored.source == .usual && stored.remoteID == "1")
    #expect(stored.attachments.map(\.state) == [.stored, .pending, .stored])
    #expect(try pull([post], into: folder).new == 0)
    #expect(try folder.posts().count == 1)
    #expect(try folder.store.pictures(ofPosts: [stored.id], now: ImportedFolder.now).count == 1)
  }

  @Test(arguments: [("followers", 1), ("direct", 1), ("pending", 1), ("public", 0)])
  func `our own sidecars keep who may see a post`(word: String, left: Int) throws {
    let folder = try ImportedFolder()
    try folder.picture("1.jpg")
    try folder.write(
      "1.jpg.json",
      json: [
        "origin": "pulled", "source": "mastodon", "uri": post(1).uri, "created_at": "2026-11-18T11:06:40Z",
        "caption": "between us", "visibility": word, "file": 1, "attachments": [["kind": "image"]],
      ] as [String: Any])
    #expect(try folder.imported().report.isPrivate == left)
    #expect(try folder.posts().count == 1 - left)
  }

  @Test func `a later import of our own sidecars brings the licence that an earlier one did not know`() throws {
    let folder = try ImportedFolder()
    try folder.picture("1.jpg")
    for license in [nil, "All rights reserved", "Another one"] as [String?] {
      var sidecar: [String: Any] = [
        "origin": "pulled", "source": "mastodon", "uri": post(1).uri, "created_at": "2026-11-18T11:06:40Z",
        "caption": "a cat", "visibility": "public", "file": 1, "attachments": [["kind": "image"]],
      ]
      sidecar["license"] = license
      try folder.write("1.jpg.json", json: sidecar)
      _ = try folder.imported()
      let posts = try folder.posts()
      #expect(posts.map(\.license?.rawValue) == [license.map { _ in "All rights reserved" }])
    }
  }

  @Test func `what an export wrote beside a file as XMP comes back`() throws {
    let folder = try ImportedFolder()
    let attachment = StoredAttachment(
      id: 1, kind: .image, url: "https://files.example/1/0.jpg", previewURL: nil, alt: "A grey <cat>", width: nil,
      height: nil, blurhash: nil, blob: nil, byteCount: nil, mediaType: nil, state: .stored, failure: nil,
      nextTryAt: nil, name: nil)
    var written = samplePost(
      1, url: "https://social.example/@ada/1", title: "On a roof", caption: "one & \"two\"\nlines",
      author: StoredAuthor(
        id: 1, uri: "", handle: "ada@social.example", name: "Ada", url: nil, avatarURL: nil, avatar: nil),
      at: "2026-11-18T11:06:40Z", tags: ["cats", "a&b"], attachments: [attachment])
    written.license = License(rawValue: "https://creativecommons.org/licenses/by-sa/4.0/")
    try folder.picture("1.jpg")
    try folder.write("1.jpg.xmp", XMPPacket(written, 0).text)
    let (report, format, _, _) = try folder.imported()
    #expect(format == "hydrus" && report.imported.new == 1 && report.imported.pictures == 1)
    let read = try #require(try folder.posts().first)
    #expect(read.title == written.title && read.caption == written.caption && read.tags == written.tags)
    #expect(read.author?.handle == "ada@social.example" && read.createdAt == written.createdAt)
    #expect(read.url == written.url && read.attachments.first?.alt == "A grey <cat>")
    #expect(read.license == written.license)
    #expect(try pull([post(1)], into: folder).new == 0)
    try expectOne([post(1)], in: folder)
  }

  @Test(arguments: [Sidecar.xmp, .hydrus], ["followers", "direct", "pending", "unlisted", "public"])
  func `what other programs read keeps who may see a post, too`(sidecar: Sidecar, word: String) throws {
    let folder = try ImportedFolder()
    let attachment = StoredAttachment(
      id: 1, kind: .image, url: "https://files.example/1/0.jpg", previewURL: nil, alt: nil, width: nil, height: nil,
      blurhash: nil, blob: nil, byteCount: nil, mediaType: nil, state: .stored, failure: nil, nextTryAt: nil, name: nil)
    let written = samplePost(
      1, url: "https://social.example/@ada/1", caption: "between us", visibility: Visibility(stored: word),
      tags: ["cats"], attachments: [attachment])
    try folder.picture("1.jpg")
    for (ending, text) in sidecar.files(of: written, 0, json: { _, _ in "" }) {
      try folder.write("1.jpg\(ending)", text)
    }
    let isPrivate = !["unlisted", "public"].contains(word)
    #expect(try folder.imported().report.isPrivate == (isPrivate ? 1 : 0))
    let posts = try folder.posts()
    #expect(posts.count == (isPrivate ? 0 : 1))
    #expect(
      posts.allSatisfy {
        ($0.visibility ?? .public).rawValue == word && !$0.tags.contains { $0.hasPrefix("visibility") }
      })
  }

  @Test(arguments: [
    ("1.jpg.txt", "cats\nvisibility:friends\n"), ("1.jpg.json", #"{"tags":["cats","visibility:direct"]}"#),
    ("1.jpg.json", #"{"origin":"pulled","caption":"no identity","visibility":"direct"}"#),
    ("1.xmp", #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><Description visibility="someone"/></x:xmpmeta>"#),
  ])
  func `a word that nobody knows, and every form of it, is the narrowest`(name: String, text: String) throws {
    let folder = try ImportedFolder()
    try folder.picture("1.jpg")
    try folder.write(name, text)
    try folder.write("1.jpg.urls.txt", "https://social.example/@ada/1\n")
    #expect(try folder.imported().report.isPrivate == 1)
    #expect(try folder.posts().isEmpty)
  }

  @Test(arguments: [
    ("1.jpg.json", Array(#"{"origin":"pulled","source":"mastodon","visib"#.utf8), "it is no JSON object"),
    ("1.jpg.xmp", Array("<x:xmpmeta><rdf:RDF".utf8), "it breaks off"),
    ("1.xmp", Array("<x:xmpmeta><a></b></x:xmpmeta>".utf8), "it is not XML"),
    ("1.jpg.txt", [0x63, 0xE9, 0x0A], "it is no UTF-8"),
  ])
  func `a file is not imported if a sidecar of it cannot be read`(name: String, bytes: [UInt8], reason: String) throws {
    let folder = try ImportedFolder()
    for number in 1...2 { try folder.picture("\(number).jpg") }
    try folder.write(name, bytes: bytes)
    try folder.write("1.jpg.urls.txt", "https://social.example/@ada/1\n")
    try folder.write("2.jpg.txt", "cats\n")
    let report = try folder.imported().report
    let why = "its sidecar \(name) cannot be read: \(reason)"
    #expect(report.unreadable == [.init(name: "1.jpg", reason: why)] && report.imported.unreadable == 1)
    #expect(try folder.posts().map(\.tags) == [["cats"]])
  }

  @Test func `no file of a post is imported if a sidecar of one cannot be read, or is a link`() throws {
    for isLink in [false, true] {
      let folder = try ImportedFolder()
      for number in 1...2 {
        try folder.picture("\(number).jpg")
        try folder.write("\(number).jpg.urls.txt", "https://social.example/@ada/1\n")
      }
      if isLink { try folder.link("2.xmp") } else { try folder.write("2.jpg.txt", bytes: [0x63, 0xE9, 0x0A]) }
      #expect(try folder.imported().report.unreadable.map(\.name) == ["1.jpg", "2.jpg"])
      #expect(try folder.posts().isEmpty)
    }
  }

  @Test func `the narrowest of several sidecars says who may see a post of which all is known`() throws {
    let folder = try ImportedFolder()
    try folder.picture("1.jpg")
    try folder.write(
      "1.jpg.json",
      json: [
        "origin": "pulled", "source": "mastodon", "uri": "https://social.example/1", "visibility": "public",
        "created_at": "2026-01-02T03:04:05.000Z", "caption": "cats", "server": "social.example",
        "attachments": [["kind": "image"]],
      ])
    #expect(try folder.imported(isPlan: true).report.isPrivate == 0)
    try folder.write("1.jpg.txt", "visibility:followers\n")
    #expect(try folder.imported().report.isPrivate == 1)
    #expect(try folder.posts().isEmpty)
  }

  @Test func `a described file is not imported either if a sidecar of it cannot be read`() throws {
    let folder = try ImportedFolder()
    try folder.picture("1.jpg")
    try folder.write("1.jpg.json", json: ["category": "made-up", "id": 1, "date": "2024-02-29 12:30:00"])
    try folder.write("1.xmp", "<x:xmpmeta><rdf:RDF")
    #expect(try folder.imported().report.unreadable.map(\.name) == ["1.jpg"])
    #expect(try folder.posts().isEmpty)
  }

  @Test func `sidecars in UTF-16 are read, and no mark of the order of bytes becomes a tag`() throws {
    let folder = try ImportedFolder()
    for number in 1...2 { try folder.picture("\(number).jpg") }
    let packet =
      #"<?xml version="1.0"?><x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:xmp="x"><Description xmp:Rating="5"/></x:xmpmeta>"#
    for order in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
      try folder.write("1.jpg.xmp", bytes: Array(try #require("\u{FEFF}\(packet)".data(using: order))))
      try folder.write("2.jpg.txt", "\u{FEFF}cats\r\nown:boat\r\n")
      #expect(try folder.imported().report.unreadable.isEmpty)
    }
    let posts = try folder.posts()
    #expect(posts.count == 2 && posts.contains { $0.marks.rating == 5 })
    #expect(posts.flatMap(\.tags) == ["cats"] && posts.flatMap(\.marks.ownTags) == ["boat"])
  }

  @Test(arguments: [Sidecar.xmp, .hydrus])
  func `a tag stays the author's that is the person's, too, and a warning stays`(sidecar: Sidecar) throws {
    let folder = try ImportedFolder()
    let attachment = StoredAttachment(
      id: 1, kind: .image, url: "https://files.example/1/0.jpg", previewURL: nil, alt: nil, width: nil, height: nil,
      blurhash: nil, blob: nil, byteCount: nil, mediaType: nil, state: .stored, failure: nil, nextTryAt: nil, name: nil)
    var written = samplePost(
      1, url: "https://social.example/@ada/1", caption: "up", warning: "heights", sensitive: true,
      tags: ["balloons", "sky"], attachments: [attachment])
    written.marks.ownTags = ["balloons", "mine"]
    try folder.picture("1.jpg")
    for (ending, text) in sidecar.files(of: written, 0, marks: true, json: { _, _ in "" }) {
      try folder.write("1.jpg\(ending)", text)
    }
    #expect(try folder.imported().report.imported.new == 1)
    let post = try #require(try folder.posts().first)
    #expect(Set(post.tags).isSuperset(of: ["balloons", "sky"]) && !post.tags.contains("mine"))
    #expect(Set(post.marks.ownTags) == ["balloons", "mine"])
    #expect(post.sensitive && post.warning == "heights")
    #expect(!post.tags.contains { $0.hasPrefix("rating") || $0.hasPrefix("warning") })
  }

  @Test(arguments: [true, false], [true, false])
  func `a page and the post of an archive that has it are one, whichever comes first`(
    isFirst: Bool, namesServer: Bool
  ) throws {
    let whole = try ImportedFolder()
    var post = post(1)
    if !namesServer { (post.server, post.remoteID) = (nil, nil) }
    let archive = [ImportItem(PageItem(id: "1", content: .post(post), raw: Array("{}".utf8)))]
    try whole.picture("1.jpg")
    try whole.write("1.jpg.urls.txt", "http://social.example/@ada/1/\n")
    if isFirst { try whole.store.save(archive, of: .importing("archive"), now: ImportedFolder.now) }
    #expect(try whole.imported().report.imported.new == (isFirst ? 0 : 1))
    for _ in 1...2 {
      let again = try whole.store.save(archive, of: .importing("archive"), now: ImportedFolder.now)
      #expect(again.new == 0)
      #expect(try whole.imported().report.imported.unchanged == 1)
    }
    let posts = try whole.posts()
    #expect(posts.map(\.uri) == [post.uri] && posts.first?.attachments.map(\.state) == [.stored])
  }

  @Test func `a page that two posts have is neither`() throws {
    let folder = try ImportedFolder()
    let items = [1, 2].map { number in
      var post = post(number, files: 0)
      post.url = "https://social.example/@ada"
      return ImportItem(PageItem(id: "\(number)", content: .post(post), raw: Array("{}".utf8)))
    }
    try folder.store.save(items, of: .importing("archive"), now: ImportedFolder.now)
    try folder.picture("1.jpg")
    try folder.write("1.jpg.urls.txt", "https://social.example/@ada\n")
    #expect(try folder.imported().report.imported.new == 1)
  }

  @Test func `a page of a service is known under its other names`() throws {
    let folder = try ImportedFolder()
    try folder.picture("1.mp4")
    try folder.write(
      "1.info.json",
      json: [
        "id": "1700000000000000001", "extractor_key": "Twitter", "timestamp": 1_700_000_000, "title": "a film",
        "webpage_url": "https://mobile.twitter.com/ada/status/1700000000000000001",
      ])
    #expect(try folder.imported().report.imported.new == 1)
    #expect(try folder.posts().first?.url == "https://x.com/ada/status/1700000000000000001")
  }

  @Test func `an export without addresses is known by its words and its time`() throws {
    let folder = try ImportedFolder()
    try folder.write(
      "posts_1.json",
      json: [["media": [["uri": "1790000000001.jpg", "creation_timestamp": 1_700_000_001, "title": "a cat"]]]])
    try folder.picture("1790000000001.jpg")
    #expect(try folder.imported().report.unaddressed == 1)
    let own = SourceName(rawValue: "instagram")
    #expect(try pull([post(1, source: own, caption: "another")], into: folder).new == 1)
    var same = post(1, source: own)
    same.uri = "https://instagram.com/p/C1"
    same.url = "https://www.instagram.com/p/C1/"
    #expect(try pull([same], into: folder).new == 0)
    #expect(try folder.posts().count == 2)
    #expect(try folder.posts().first { $0.uri == same.uri }?.attachments.first?.state == .stored)
  }
}
