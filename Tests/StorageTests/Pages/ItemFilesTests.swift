import Blobs
import Foundation
import Posts
import Testing

@testable import Storage

/// Files of a feed's items under addresses that change.
struct ItemFilesTests {
  private let feed = Feed(source: .feed, kind: .url, value: "https://birds.example/feed", server: birds)

  private func episode(
    _ files: [Posts.Attachment], revised: Int = 0, caption: String = "An episode", id: String = "1"
  ) -> Post {
    Post(
      source: .feed, uri: "feed://birds.example/feed#\(id)", identity: .page, url: "https://birds.example/\(id)",
      server: birds, remoteID: "birds.example/\(id)", createdAt: noon.addingTimeInterval(Double(revised) * 60),
      caption: caption, attachments: files)
  }

  private func file(_ address: String, _ kind: Posts.Attachment.Kind = .audio, bytes: Int? = nil) -> Posts.Attachment {
    Attachment(kind: kind, url: "https://\(address)", byteCount: bytes)
  }

  /// A library with this episode, whose files are stored with their declared lengths, or with 7 bytes.
  private func library(_ files: [Posts.Attachment]) throws -> TestLibrary {
    let library = try TestLibrary()
    try store(try library.pull([episode(files)], of: feed).posts, files, in: library)
    return library
  }

  private func store(_ posts: [Int64], _ files: [Posts.Attachment], in library: TestLibrary) throws {
    let tasks = try library.store.pictures(ofPosts: posts, now: noon)
    let pictures = tasks.map { task in
      let file = files.first { $0.url == task.urls[0] }
      return (
        task: task, blob: StoredBlob(id: BlobID(hashing: Array(task.urls[0].utf8)), byteCount: file?.byteCount ?? 7)
      )
    }
    try library.store.attach(pictures, now: noon)
  }

  /// What is fetched of the episode when its files are these, and how many posts the pull says are updated.
  private func fetched(
    _ files: [Posts.Attachment], revised: Int = 0, in library: TestLibrary
  ) throws -> String {
    let saved = try library.pull([episode(files, revised: revised)], of: feed)
    let tasks = try library.store.pictures(ofPosts: saved.posts, now: noon)
    return "\(tasks.map { $0.urls[0].replacing("https://", with: "") }.joined(separator: " "))|\(saved.updated)"
  }

  @Test(arguments: ["a.example/1.mp3?modified=2", "a.example/build-2/1.mp3", "cdn.example/x/1.mp3", "a.example/2.m4a"])
  func `the only file of its kind keeps its bytes whatever its address`(address: String) throws {
    for bytes in [nil, 700] {
      let library = try library([file("a.example/1.mp3?modified=1"), file("a.example/1.jpg", .image)])
      let picture = file("a.example/1.jpg?modified=2", .image)
      #expect(try fetched([file(address, bytes: bytes), picture], in: library) == "|0")
      let stored = try library.store.posts()[0].attachments
      #expect(stored.map(\.url) == ["https://\(address)", picture.url])
      #expect(stored.allSatisfy { $0.state == .stored })
      #expect(try library.lines("SELECT count(*) FROM revision") == ["0"])
    }
  }

  @Test func `several files are told apart by their paths, else by their lengths`() throws {
    let two = [file("a.example/1.mp3?b=1", bytes: 100), file("a.example/2.mp3?b=1", bytes: 200)]
    for forms in [["a.example/1.mp3?b=2", "a.example/2.mp3?b=2"], ["a.example/b2/1.mp3", "a.example/b2/2.mp3"]] {
      let library = try library(two)
      let rebuilt = zip(forms, [100, 200]).map { file($0, bytes: $1) }
      #expect(try fetched(rebuilt, in: library) == "|0")
      // Swapped: the order is another one, the files are the same.
      #expect(try fetched(rebuilt.reversed(), in: library) == "|1")
      // Removed.
      #expect(try fetched([rebuilt[1]], in: library) == "|1")
      #expect(try library.store.posts()[0].attachments.map(\.url) == [rebuilt[1].url])
    }
  }

  @Test func `a file that is inserted on top is fetched, and no other`() throws {
    let library = try library([file("a.example/1.mp3?b=1", bytes: 100), file("a.example/2.mp3?b=1", bytes: 200)])
    let rebuilt = [
      file("a.example/0.mp3?b=2", bytes: 300), file("a.example/1.mp3?b=2", bytes: 100),
      file("c.example/2.mp3?b=2", bytes: 200),
    ]
    #expect(try fetched(rebuilt, in: library) == "a.example/0.mp3?b=2|1")
  }

  @Test func `a file that takes another's place is fetched`() throws {
    let two = [file("a.example/1.mp3", bytes: 100), file("a.example/2.mp3", bytes: 200)]
    #expect(
      try fetched([two[0], file("a.example/3.mp3", bytes: 300)], in: library(two)) == "a.example/3.mp3|1")
    #expect(try fetched([two[0], file("a.example/3.mp3")], in: library(two)) == "a.example/3.mp3|1")
    let picture = file("a.example/robin.jpg", .image)
    #expect(
      try fetched([file("a.example/wren.jpg", .image)], in: library([picture])) == "a.example/wren.jpg|1")
    let script = file("a.example/image.php?id=1", .image)
    let other = "a.example/image.php?id=2"
    #expect(try fetched([file(other, .image)], in: library([script])) == "\(other)|1")
  }

  @Test func `a revised item's file is fetched again if another length is declared than before`() throws {
    let one = file("a.example/1.mp3", bytes: 100)
    for address in ["a.example/1.mp3", "a.example/1.mp3?b=2", "c.example/2.mp3"] {
      #expect(try fetched([file(address, bytes: 100)], revised: 1, in: library([one])) == "|0")
      #expect(try fetched([file(address, bytes: 300)], revised: 1, in: library([one])) == "\(address)|1")
      #expect(try fetched([file(address, bytes: 300)], in: library([one])) == "|0")
    }
  }

  @Test(arguments: [
    ("a.example/1.mp3", "a.example/1.mp3", false), ("a.example/1.mp3?b=1", "a.example/1.mp3?b=2", false),
    ("a.example/get.php?id=1&token=1", "a.example/get.php?id=1&token=2", false),
    ("a.example/mon/news.mp3", "c.example/tue/news.mp3", false),
    ("a.example/get.php?id=1", "a.example/get.php?id=2", true), ("a.example/1.mp3", "a.example/2.mp3?b=2", true),
  ])
  func `a revised item's file without a length is fetched unasked if it has another name`(
    before: String, after: String, isOther: Bool
  ) throws {
    for length in [nil, 100] {
      #expect(try fetched([file(after)], in: library([file(before, bytes: length)])) == "|0")
      let revised = try library([file(before, bytes: length)])
      #expect(try fetched([file(after)], revised: 1, in: revised) == (isOther ? "\(after)|1" : "|0"))
    }
  }

  @Test(arguments: [["1.mp3", "1.m4a"], ["1-high.mp3", "1-low.mp3"]])
  func `files that are built anew are told apart by their names, and by their types`(names: [String]) throws {
    let library = try library(names.map { file("a.example/b1/\($0)?b=1", bytes: nil) })
    for build in 2...4 {
      let rebuilt = names.map { file("a.example/b\(build)/\($0)?b=\(build)", bytes: 5000 + build) }
      #expect(try fetched(rebuilt, in: library) == "|0")
    }
    let hashed = names.map {
      file("a.example/\($0.utf8.reduce(7) { $0 &* 31 &+ Int($1) }).\($0.split(separator: ".")[1])")
    }
    let isTold = Set(names.map { $0.suffix(3) }).count == 2
    #expect(try fetched(hashed, in: library).hasPrefix("|") == isTold)
  }

  @Test func `a file with another name is another one where its neighbour kept its own`() throws {
    let library = try library([file("a.example/b1/1.mp3"), file("a.example/b1/2.mp3")])
    let other = "a.example/b2/3.mp3"
    #expect(try fetched([file("a.example/b2/1.mp3"), file(other)], in: library) == "\(other)|1")
    let pictures = try self.library([file("a.example/1/photo.jpg", .image), file("a.example/logo.jpg", .image)])
    let photo = "a.example/2/photo.jpg"
    #expect(try fetched([file(photo, .image), file("a.example/logo.jpg", .image)], in: pictures) == "\(photo)|1")
  }

  @Test func `a length that the item declared before is not another one, whatever was inserted into the bytes`() throws
  {
    let library = try TestLibrary()
    func pull(_ build: Int, length: Int) throws -> [PictureTask] {
      let post = episode([file("a.example/\(build).mp3", bytes: length)], revised: build)
      let raw = Array("<item><enclosure length=\"\(length)\"/></item>".utf8)
      let page = Page(items: [PageItem(id: post.uri, content: .post(post), raw: raw)], next: .horizon)
      return try library.store.pictures(ofPosts: try library.pull([page], of: feed)[0].posts, now: noon)
    }
    let tasks = try pull(1, length: 5000)
    try library.store.attach([(tasks[0], StoredBlob(id: BlobID(hashing: [1]), byteCount: 5321))], now: noon)
    #expect(try pull(2, length: 5000) == [])
    #expect(try pull(3, length: 6000).map(\.urls) == [["https://a.example/3.mp3"]])
  }

  @Test func `a feed's picture is fetched once, although its address changes`() throws {
    let library = try TestLibrary()
    for build in 1...3 {
      var post = episode([])
      post.author = Author(
        uri: "feed://birds.example/feed#", handle: "birds.example", name: "Birds",
        avatarURL: "https://cdn\(build).example/icon.png?modified=\(build)")
      let id = try library.pull([post], of: feed).posts[0]
      let avatars = try library.store.avatars(ofPosts: [id], now: noon)
      #expect(avatars.count == (build == 1 ? 1 : 0))
      try library.store.attach(avatars.map { ($0, StoredBlob(id: BlobID(hashing: [1]), byteCount: 1)) }, now: noon)
    }
  }
}
