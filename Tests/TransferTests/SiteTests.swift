import Blobs
import Filters
import Folders
import Foundation
import MemoryBlobs
import Posts
import Storage
import Testing

@testable import Transfer

@Suite struct SiteTests {
  private let scratch: Scratch
  private let store: Store
  private let blobs = MemoryBlobs { Date(timeIntervalSince1970: 1_767_225_600) }

  init() throws {
    scratch = try Scratch()
    store = try Store.open(library: "\(scratch.path)/library", now: Date(timeIntervalSince1970: 1_767_225_600))
  }

  private var path: String { "\(scratch.path)/site" }

  private func files() throws -> Set<String> {
    Set((FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).filter { $0.contains(".") })
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try #require(FileManager.default.contents(atPath: "\(path)/\(name)"), "\(name)"), as: UTF8.self)
  }

  @discardableResult
  private func add(
    _ caption: String, tags: [String] = [], warning: String = "", picture: [UInt8]? = nil, alt: String? = nil
  ) throws -> Int64 {
    var post = Post(
      source: .manual, uri: "", createdAt: Date(timeIntervalSince1970: 1_767_225_600), caption: caption,
      warning: warning, tags: tags)
    var kept: [StoredBlob] = []
    if let picture {
      let draft = try blobs.draft()
      try picture.withUnsafeBytes { try draft.write($0) }
      let header = try draft.header()
      var attachment = Attachment(header)
      attachment.alt = alt
      post.attachments = [attachment]
      kept = try blobs.keep([draft]).map { StoredBlob(id: $0.id, byteCount: $0.byteCount, header: header) }
    }
    return try store.add(post, id: UUID(), pictures: kept, now: post.createdAt)
  }

  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xD9]

  @discardableResult
  private func write(base: String? = nil, force: Bool = false, filter: String = "") async throws -> SiteFolder.Result {
    let folder = try SiteFolder(at: path, mode: 0o644, force: force)
    let site = Site(title: "All posts", base: base, in: folder, blobs: blobs) { _ in [1, 2, 3] }
    var query = PostQuery(limit: nil)
    query.filter = PostFilter(try Filter(parsing: filter), now: Date(timeIntervalSince1970: 1_767_225_600))
    _ = try await site.write(query, of: store)
    return folder.result
  }

  @Test func `one album is written whole in its order, without notes and own tags`() async throws {
    let ids = try (1...70).map { try add("post \($0)") }
    let (person, now) = (Marker(machine: "desk", program: .command), Date(timeIntervalSince1970: 1_767_225_600))
    let order = ids.filter { $0 % 2 == 1 } + ids.filter { $0 % 2 == 0 }
    try store.createAlbum("Winter 2025", by: person, now: now)
    try store.add(order, toAlbum: "Winter 2025", by: person, now: now)
    try store.mark([ids[0]], [.note("a secret note"), .ownTag("my own tag")], by: person, now: now)
    try await write(filter: "in:\"Winter 2025\"")
    let pages = try ["index.html", "album__2.html"].map(text)
    let shown = pages.flatMap { $0.matches(of: /href="post\/(\d+).html"/).compactMap { Int64($0.1) } }
    #expect(shown == order)
    #expect(pages[0].contains("<a rel=\"next\" href=\"album__2.html\">Further</a>"))
    for name in try files() where name.hasSuffix(".html") || name.hasSuffix(".atom") {
      #expect(try !text(name).contains("a secret note") && !text(name).contains("my own tag"), "\(name)")
    }
    try await write()
    #expect(try !files().contains("album__2.html"))
  }

  @Test func `a copy stands in for a file, and what must not be published goes from the folder`() async throws {
    let id = try add("a kingfisher", picture: Self.jpeg, alt: "a bird")
    try await write()
    let media = try #require(try files().first { $0.hasPrefix("media/") })
    let copy = "\(path)/.copy"
    func publish(_ file: PublishedFile) async throws -> SiteFolder.Result {
      let folder = try SiteFolder(at: path, mode: 0o644, force: false)
      let site = Site(title: "x", base: nil, in: folder, blobs: blobs, published: { _, _ in file }) { _ in nil }
      _ = try await site.write(PostQuery(limit: nil), of: store)
      return folder.result
    }
    for _ in 0..<2 {
      try Data(Self.jpeg.map { $0 ^ 1 }).write(to: URL(filePath: copy))
      #expect(try await publish(.copy(copy)).leftOut == 0)
      #expect(FileManager.default.contents(atPath: "\(path)/\(media)") == Data(Self.jpeg.map { $0 ^ 1 }))
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
    #expect(try await publish(.leftOut).leftOut == 1)
    #expect(try !files().contains(media) && !text("post/\(id).html").contains(media))
  }

  @Test func `every post has a page, and lists by month and tag lead to it`() async throws {
    let id = try add(
      "a <b>kingfisher</b> at https://river.example/x", tags: ["birds", "../x"], picture: Self.jpeg, alt: "a \"bird\"")
    try await write()
    let page = try text("post/\(id).html")
    #expect(page.contains("a &lt;b&gt;kingfisher&lt;/b&gt; at <a href=\"https://river.example/x\""))
    #expect(page.contains("alt=\"a &quot;bird&quot;\""))
    #expect(page.contains("href=\"../tag/birds.html\""))
    #expect(!page.contains("<script"))
    #expect(page.contains("default-src 'none'"))
    for list in ["index.html", "month/2026-01.html", "tag/birds.html"] {
      #expect(try text(list).contains("post/\(id).html\""), "\(list)")
    }
    #expect(try text("months.html").contains("January 2026"))
    for folder in ["", "media", "media/\(BlobID(hashing: Self.jpeg).folderName)", "post"] {
      let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/\(folder)")[.posixPermissions] as? Int
      #expect(mode == 0o755, "\(folder)")
    }
    let blob = BlobID(hashing: Self.jpeg)
    #expect(FileManager.default.contents(atPath: "\(path)/\(SiteName.thumbnail(blob))") == Data([1, 2, 3]))
    let media = try #require(try files().first { $0.hasPrefix("media/") })
    #expect(FileManager.default.contents(atPath: "\(path)/\(media)") == Data(Self.jpeg))
    #expect(page.contains("../\(media)"))
  }

  @Test func `every link of every page leads to a file of the site`() async throws {
    for index in 1...130 {
      try add("post \(index)", tags: ["CON", "tag \(index % 3)"], picture: index % 9 == 0 ? [UInt8(index)] : nil)
    }
    try await write()
    for name in try files() where name.hasSuffix(".html") {
      let folder = URL(filePath: "\(path)/\(name)")
      for match in try text(name).matches(of: /(?:href|src|poster)="([^"]*)"/) {
        let link = String(match.output.1)
        guard !link.hasPrefix("http") else { continue }
        #expect(!link.hasPrefix("/"), "\(name): \(link)")
        let target = try #require(URL(string: link, relativeTo: folder)?.path(percentEncoded: false))
        #expect(FileManager.default.fileExists(atPath: target), "\(name): \(link)")
      }
    }
  }

  @Test func `a warning folds text and pictures, and keeps pictures off the lists`() async throws {
    let id = try add("eight legs", warning: "Spiders", picture: Self.jpeg)
    try await write()
    #expect(
      try text("post/\(id).html").contains("<details><summary dir=\"auto\">Spiders</summary><p class=\"caption\""))
    #expect(try text("index.html").contains("Spiders"))
    #expect(try !text("index.html").contains("<img"))
    #expect(try !text("index.html").contains("eight legs"))
  }

  @Test func `a second run writes only what is new, and removes only pages that it wrote`() async throws {
    let (first, second) = (try add("one", tags: ["a"], picture: Self.jpeg), try add("two", tags: ["b"]))
    let before = try await write()
    #expect(before.written == (try files()).count - 1)
    let again = try await write()
    #expect(again.written == 0 && again.removed == 0 && again.kept > 0)
    try Data("mine".utf8).write(to: URL(filePath: "\(path)/notes.txt"))
    try store.delete([second], now: Date(timeIntervalSince1970: 1_767_225_700))
    let after = try await write()
    #expect(after.removed == 2)
    #expect(try !files().contains("post/\(second).html") && !files().contains("tag/b.html"))
    #expect(try files().isSuperset(of: ["post/\(first).html", "notes.txt"]))
  }

  @Test func `a folder with other files is not written into unasked`() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: "\(path)/index.html"))
    await #expect(throws: SiteFolder.Occupied(path: path)) { try await write() }
    #expect(try text("index.html") == "mine")
    try await write(force: true)
    #expect(try text("index.html") != "mine")
  }

  @Test func `a changed list of files makes nothing outside go`() async throws {
    try add("one")
    try await write()
    try Data("x".utf8).write(to: URL(filePath: "\(scratch.path)/victim"))
    let list = try text(".media-site")
    try Data("\(list)../victim\n/etc/hostname\n".utf8).write(to: URL(filePath: "\(path)/.media-site"))
    #expect(try await write().removed == 0)
    #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/victim"))
  }

  @Test func `only a site with an address has a map, and its feed leads there`() async throws {
    let id = try add("one")
    try await write()
    #expect(try !files().contains("sitemap.xml"))
    try await write(base: "https://cats.example/site")
    #expect(try text("sitemap.xml").contains("<loc>https://cats.example/site/post/\(id).html</loc>"))
    #expect(try text("feed.atom").contains("href=\"https://cats.example/site/post/\(id).html\""))
  }
}
