import Folders
import Foundation
import Migrations
import Posts
import SQLite
import Testing

@testable import Storage

struct LibraryTests {
  private let second = Migration(to: 900, name: "v900_more", sql: "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;")

  @Test func `a library is made for its owner alone, folders above it included`() throws {
    let scratch = try Scratch()
    let store = try Store.open(library: "\(scratch.path)/a/b/", now: noon)
    try store.set("view", to: "grid")
    #expect(scratch.mode("a") == 0o700)
    #expect(scratch.mode("a/b") == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/a/b") where name != "locks" {
      #expect(scratch.mode("a/b/\(name)") == 0o600, "\(name)")
    }
    #expect(try Store.open(library: "\(scratch.path)/a/b", now: noon).setting("view") == "grid")
  }

  @Test func `looking at a library that is not there shows nothing and makes nothing`() throws {
    let scratch = try Scratch()
    let store = try Store.open(library: "\(scratch.path)/none", for: .reading, now: noon)
    #expect(try store.posts().isEmpty)
    #expect(try store.stats() == LibraryStats())
    #expect(scratch.names == [])
  }

  @Test(arguments: [true, false])
  func `a library that is opened to be read refuses to be written, and nothing is made`(isThere: Bool) throws {
    let scratch = try Scratch()
    let folder = "\(scratch.path)/library"
    if isThere { try Store.open(library: folder, now: noon).close() }
    let store = try Store.open(library: folder, for: .reading, now: noon)
    let refusal = StorageError.openedForReading(path: "\(folder)/media.sqlite")
    #expect(throws: refusal) { try store.add(post(1), id: UUID(), now: noon) }
    #expect(throws: refusal) { try store.delete([1], now: noon) }
    #expect(throws: refusal) { try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon) }
    #expect(try store.posts().isEmpty)
    store.close()
    #expect(scratch.names == (isThere ? ["library"] : []))
  }

  @Test(arguments: [Store.Purpose.reading, .writing, .command])
  func `a store that others may read is its owner's alone once it is opened`(purpose: Store.Purpose) throws {
    let scratch = try Scratch()
    let other = try Store.open(library: scratch.path, now: noon)
    defer { other.close() }
    try other.set("wall", to: "white")
    let names = ["media.sqlite", "media.sqlite-wal", "media.sqlite-shm"]
    for name in names { #expect(chmod("\(scratch.path)/\(name)", 0o644) == 0) }
    let store = try Store.open(library: scratch.path, for: purpose, now: noon)
    #expect(try store.setting("wall") == "white")
    for name in names { #expect(scratch.mode(name) == 0o600, "\(name)") }
    store.close()
  }

  @Test func `stored posts are there when the library is opened again`() throws {
    let scratch = try Scratch()
    do {
      let store = try Store.open(library: scratch.path, now: noon)
      let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      _ = try store.save(page([2, 1]), in: pull, now: noon)
      try store.delete([1], now: noon)
    }
    let again = try Store.open(library: scratch.path, for: .reading, now: noon)
    #expect(try again.posts().map(\.caption) == ["post 1"])
  }

  @Test func `a closed library is one file, also when it was read`() throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(page([2, 1]), in: pull, now: noon)
    #expect(try store.posts().count == 2)
    #expect(scratch.names.contains("media.sqlite-wal"))
    store.close()
    #expect(scratch.names == ["locks", "media.sqlite"])
  }

  @Test func `a library of a newer version is refused and left alone`() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/media.sqlite"
    _ = try Store.open(library: scratch.path, for: .writing, migrations: Migration.all + [second], now: noon)
    #expect(throws: StorageError.newer(path: path)) { try Store.open(library: scratch.path, now: noon) }
    #expect(throws: StorageError.newer(path: path)) { try Store.open(library: scratch.path, for: .reading, now: noon) }
  }

  @Test(arguments: [1, 24])
  func `a library from before the first release is refused in one sentence, and left alone`(version: Int) throws {
    let scratch = try Scratch()
    try Store.open(library: scratch.path, now: noon).close()
    let path = "\(scratch.path)/media.sqlite"
    let other = try Connections(path, .asItIs)
    try other.write { try $0.execute("PRAGMA user_version = \(version)") }
    other.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for purpose: Store.Purpose in [.reading, .writing, .command, .mending] {
      let error = #expect(throws: StorageError.older(path: path)) {
        try Store.open(library: scratch.path, for: purpose, now: noon)
      }
      #expect(
        error?.description == "\(path) was made by a version of media before 1.0: "
          + "open it once with the program of commit 90cc6253, then again with this one")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    #expect(throws: StorageError.older(path: path)) { try Store.openCopy(in: scratch.path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(scratch.names == ["locks", "media.sqlite"])
  }

  @Test func `a copy that the version before a step made is not opened, and is that version's still`() throws {
    let (scratch, folder) = (try Scratch(), try Scratch())
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    try store.set("view", to: "grid")
    _ = try store.copy(to: folder.path) { _, _ in }
    #expect(try Store.openCopy(in: folder.path, migrations: Migration.all + [second]) == nil)
    let copy = try #require(try Store.openCopy(in: folder.path))
    #expect(try copy.setting("view") == "grid")
    copy.close()
  }

  @Test func `a migration leaves a dated copy of what was there before it`() throws {
    let scratch = try Scratch()
    let old = try Store.open(library: scratch.path, now: noon)
    try old.set("view", to: "grid")
    _ = try Store.open(library: scratch.path, for: .writing, migrations: Migration.all + [second], now: noon)
    let name = try #require(scratch.names.first { $0.hasPrefix("media-before") })
    #expect(name == "media-before-v900_more-20251120T120000Z.sqlite")
    let version = "PRAGMA user_version"
    #expect(try Connections("\(scratch.path)/media.sqlite", .asItIs).use { try $0.value(version) } == 900)
    #expect(scratch.mode(name) == 0o600)
    let copy = try Store(Connections("\(scratch.path)/\(name)", .asItIs))
    #expect(try copy.setting("view") == "grid")
  }

  @Test func `half a copy that a killed process left goes, and the next one is whole`() throws {
    let scratch = try Scratch()
    try Store.open(library: scratch.path, now: noon).set("view", to: "grid")
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/media.part"))
    _ = try Store.open(library: scratch.path, for: .writing, migrations: Migration.all + [second], now: noon)
    #expect(!scratch.names.contains("media.part"))
    let name = try #require(scratch.names.first { $0.hasPrefix("media-before") })
    #expect(try Store(Connections("\(scratch.path)/\(name)", .asItIs)).setting("view") == "grid")
  }

  @Test func `a step that fails leaves the library as it was`() throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    try OldLibrary.fill(store)
    let before = try OldLibrary.lines(of: store)
    store.close()
    let words = "UPDATE post SET caption = ''; CREATE TABLE more (id INTEGER) STRICT; CREATE TABLE more (x);"
    let broken = [second, Migration(to: 901, name: "v901_broken", sql: words)]
    #expect(throws: StorageError.self) {
      try Store.open(library: scratch.path, for: .writing, migrations: Migration.all + broken, now: noon)
    }
    #expect(scratch.names == ["locks", "media.sqlite"])
    let again = try Store.open(library: scratch.path, now: noon)
    #expect(try OldLibrary.lines(of: again) == before)
    #expect(try again.read { try $0.value("PRAGMA user_version") } == Migration.all.newest)
    again.close()
    _ = try Store.open(library: scratch.path, for: .writing, migrations: Migration.all + [second], now: noon)
  }

  @Test func `a file that is not a library is refused and left alone`() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/media.sqlite"
    let other = try Connections(path, .asItIs)
    try other.write { try $0.execute("CREATE TABLE mine (x)") }
    other.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for purpose: Store.Purpose in [.reading, .writing, .command, .mending] {
      #expect(throws: StorageError.notALibrary(path: path)) {
        try Store.open(library: scratch.path, for: purpose, now: noon)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    for text in ["hello", String(repeating: "no library, only text. ", count: 400)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: StorageError.notALibrary(path: path)) { try Store.open(library: scratch.path, now: noon) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func `a damaged library is said to be damaged`() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/media.sqlite"
    try Store.open(library: scratch.path, now: noon).writer.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0xAA, count: 8_000))
    try file.close()
    let error = #expect(throws: StorageError.self) {
      try Store.open(library: scratch.path, now: noon).posts()
    }
    guard case .damaged(path, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a folder in the file's place, and a file in the folder's, are refused in words`() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: "\(scratch.path)/media.sqlite", withIntermediateDirectories: false)
    #expect(throws: StorageError.io(path: "\(scratch.path)/media.sqlite", reason: "Is a directory")) {
      try Store.open(library: scratch.path, now: noon)
    }
    try Data().write(to: URL(fileURLWithPath: "\(scratch.path)/file"))
    #expect(throws: StorageError.io(path: "\(scratch.path)/file/media.sqlite", reason: "Not a directory")) {
      try Store.open(library: "\(scratch.path)/file", now: noon)
    }
  }
}

@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
struct SmallDiskTests {
  @Test func `on a full disk a page is lost whole, and what was stored stays`() throws {
    let disk = try SmallDisk(bytes: 2 << 20)
    let path = "\(disk.scratch.path)/media.sqlite"
    let store = try Store.open(library: disk.scratch.path, now: noon)
    let pull = try store.beginPull(of: cats, goal: PullGoal(), now: noon)
    var stored = 0
    let error = #expect(throws: StorageError.self) {
      for number in 0..<200 {
        let long = String(repeating: "word\(number) ", count: 4_000)
        _ = try store.save(page([post(number, caption: long)]), in: pull, now: noon)
        stored += 1
      }
    }
    #expect(error == .full(path: path))
    #expect(stored > 0)
    #expect(try store.posts(PostQuery(limit: nil)).count == stored)
    #expect(try store.writer.read { try $0.value("PRAGMA integrity_check") as String? } == "ok")
  }

  @Test func `a library on a disk that may not be written is refused in one sentence`() throws {
    let disk = try SmallDisk(bytes: 2 << 20)
    let path = "\(disk.scratch.path)/media.sqlite"
    try Store.open(library: disk.scratch.path, now: noon).writer.close()
    try disk.makeReadOnly()
    #expect(throws: StorageError.readOnly(path: path)) { try Store.open(library: disk.scratch.path, now: noon) }
  }
}
