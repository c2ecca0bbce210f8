import CSQLite
import Folders
import Foundation
import Migrations
import Posts
import SQLite
import Testing

@testable import Storage

struct OpeningTests {
  @Test(
    arguments: [
      (0x6969, nil, FileSystem.Verdict.remote("NFS")), (0xFF53_4D42, nil, .remote("SMB")),
      (0xFE53_4D42, nil, .remote("SMB")), (0x5346_414F, nil, .remote("AFS")), (0x00C3_6400, nil, .remote("Ceph")),
      (0x6573_5546, "fuse.sshfs", .remote("sshfs")), (0x6573_5546, "fuse.rclone", .remote("rclone")),
      (0x6573_5546, "virtiofs", .untried("virtiofs")), (0x6573_5546, "fuse.ntfs-3g", .untried("ntfs-3g")),
      (0x6573_5546, nil, .untried("FUSE")), (0x0102_1997, nil, .untried("9p")), (0xEF53, nil, .fit),
      (0x0102_1994, nil, .fit), (0x2FC1_2FC1, "9p", .untried("9p")),
      (0x2FC1_2FC1, "nfs4", .remote("nfs4")), (0xEF53, "ext4", .fit), (0x9123_683E, nil, .fit),
    ] as [(UInt32, String?, FileSystem.Verdict)])
  func `a network file system is distinguished from a disk`(magic: UInt32, name: String?, verdict: FileSystem.Verdict) {
    #expect(FileSystem(magic: magic, name: name).verdict == verdict)
  }

  @Test func `a read leaves every byte of the store unchanged`() throws {
    let scratch = try Scratch()
    try Store.open(library: scratch.path, now: noon).close()
    let file = URL(fileURLWithPath: "\(scratch.path)/media.sqlite")
    let before = try Data(contentsOf: file)
    let store = try Store.open(library: scratch.path, for: .reading, now: noon)
    #expect(try store.feeds().isEmpty)
    store.close()
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `a command reads through the writing connection until it reads and writes at once`() throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, for: .command, now: noon)
    defer { store.close() }
    let file = URL(fileURLWithPath: scratch.path).resolvingSymlinksInPath().path + "/media.sqlite"
    func connections() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        .count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file }
    }
    try store.set("wall", to: "white")
    #expect(try store.setting("wall") == "white")
    #expect(throws: StorageError.self) { try store.read { try $0.run("DELETE FROM setting") } }
    #expect(try store.setting("wall") == "white")
    #expect(try connections() == 1)
    try store.write { db in
      try db.run("UPDATE setting SET value = 'red' WHERE name = 'wall'")
      #expect(try store.setting("wall") == "white")
      #expect(throws: StorageError.self) { try store.read { try $0.run("DELETE FROM setting") } }
    }
    #expect(try connections() == 2)
    #expect(try store.setting("wall") == "red")
    store.close()
    #expect(throws: StorageError.self) { try store.setting("wall") }
    #expect(try connections() == 0)
    #expect(scratch.names == ["locks", "media.sqlite"])
  }

  @Test func `a command has a write-ahead log as every writer has, and writes nothing only to open the store`() throws {
    let scratch = try Scratch()
    let made = try Store.open(library: scratch.path, for: .command, now: noon)
    try made.set("wall", to: "white")
    #expect(try made.read { try $0.value("PRAGMA journal_mode") as String? } == "wal")
    #expect(try made.read { try $0.value("PRAGMA synchronous") as Int? } == 1)
    made.close()
    #expect(scratch.names == ["locks", "media.sqlite"])
    let file = URL(fileURLWithPath: "\(scratch.path)/media.sqlite")
    let before = try Data(contentsOf: file)
    let again = try Store.open(library: scratch.path, for: .command, now: noon)
    #expect(try again.setting("wall") == "white")
    #expect((scratch.attributes("media.sqlite-wal")[.size] as? NSNumber)?.intValue == 0)
    again.close()
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `a command that reads while it writes reads the last commit`() async throws {
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, for: .command, now: noon)
    defer { store.close() }
    try await withThrowingTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          for step in 0..<50 {
            try store.set("\(worker)", to: "\(step)")
            #expect(try store.setting("\(worker)") == "\(step)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.settings() == ["0": "49", "1": "49", "2": "49", "3": "49"])
  }

  @Test func `a library on a network file system is refused, and nothing is made there`() throws {
    let scratch = try Scratch()
    let folder = "\(scratch.path)/library"
    for purpose in [Store.Purpose.writing, .mending] {
      #expect(throws: StorageError.remote(path: folder, fileSystem: "NFS")) {
        try Store.open(
          library: folder, for: purpose, migrations: Migration.all, on: FileSystem(magic: 0x6969), now: noon)
      }
    }
    #expect(scratch.names == [])
  }

  @Test func `a folder of a host is used where memory can be shared through it`() throws {
    let scratch = try Scratch()
    #expect(FileSystem.sharesMemory(in: scratch.path))
    let store = try Store.open(
      library: scratch.path, for: .writing, migrations: Migration.all, on: FileSystem(magic: 0x0102_1997), now: noon)
    store.close()
    #expect(scratch.names == ["locks", "media.sqlite"])
    // A missing path is on the file system of its parent folder.
    #expect(FileSystem(of: "/proc/none/at/all")?.magic == 0x9FA0)
  }

  // MARK: Unclean ends

  /// What a killed process leaves: a store with a write-ahead log that no process has open.
  private func killed() throws -> Scratch {
    let living = try DiskLibrary()
    try living.pull(1...60)
    try living.store.writer.use { _ = try $0.sqlite.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
    try living.pull(61...62)
    let left = try Scratch()
    for name in ["media.sqlite", "media.sqlite-wal"] {
      try FileManager.default.copyItem(atPath: "\(living.scratch.path)/\(name)", toPath: "\(left.path)/\(name)")
    }
    return left
  }

  private func damage(_ scratch: Scratch) throws {
    let path = "\(scratch.path)/media.sqlite"
    let table = "SELECT rootpage FROM sqlite_schema WHERE name = 'author_name'"
    let root = try Connections(unchanging: path).read { try $0.value(table) as Int? }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64((try #require(root) - 1) * 4096))
    try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
    try file.close()
  }

  private func open(_ scratch: Scratch, _ purpose: Store.Purpose = .writing, upTo size: Int = .max) throws -> Store {
    try Store.open(library: scratch.path, for: purpose, migrations: Migration.all, quickSize: size, now: noon)
  }

  @Test func `after a kill the store is looked through by the next who writes, and nothing is lost`() throws {
    let scratch = try killed()
    let store = try open(scratch)
    #expect(!store.isUnchecked)
    #expect(try store.posts(PostQuery(limit: nil)).count == 62)
    store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/locks") == ["open"])
  }

  @Test func `a store that a kill left damaged is refused to whoever writes, and opens to be mended`() throws {
    let scratch = try killed()
    try damage(scratch)
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/media.sqlite"))
    // Reading removes the log, and must not lose the finding.
    let reader = try open(scratch, .reading)
    #expect(try reader.posts().count > 0)
    reader.close()
    for _ in 0..<2 {
      let error = #expect(throws: StorageError.self) { try open(scratch) }
      #expect(error?.cure?.hasPrefix("run \"media check --repair\"") == true)
      guard case .damaged = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    let store = try open(scratch, .mending)
    #expect(try store.findings(of: .structure).map(\.kind).contains(.damaged))
    store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/media.sqlite")).count >= before.count)
  }

  @Test func `a large store delays nobody after a kill, and says once that a check is due`() throws {
    let scratch = try killed()
    let store = try open(scratch, upTo: 1000)
    #expect(store.isUnchecked)
    store.close()
    #expect(try !open(scratch, upTo: 1000).isUnchecked)
  }

  @Test func `a log beside an open store is not an unclean end`() throws {
    let living = try DiskLibrary()
    try living.pull(1...3)
    try living.store.writer.use { _ = try $0.sqlite.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
    try damage(living.scratch)
    try living.store.set("view", to: "grid")
    let second = try open(living.scratch)
    #expect(try second.setting("view") == "grid")
    second.close()
  }
}

@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
struct SmallDiskOpeningTests {
  private let step = Migration(to: 900, name: "v900_more", sql: "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;")

  private func fill(_ scratch: Scratch) throws -> Store {
    let store = try Store.open(library: scratch.path, now: noon)
    let pull = try store.beginPull(of: cats, goal: PullGoal(), now: noon)
    for number in 0..<12 {
      let long = String(repeating: "word\(number) ", count: 4_000)
      _ = try store.save(page([post(number, caption: long)]), in: pull, now: noon)
    }
    return store
  }

  private func migrate(_ scratch: Scratch, _ step: Migration) throws -> Store {
    try Store.open(library: scratch.path, for: .writing, migrations: Migration.all + [step], now: noon)
  }

  @Test func `a disk that has no room for the copy before a step is said to be full, and keeps no half copy`() throws {
    let disk = try SmallDisk(bytes: 8 << 20)
    try fill(disk.scratch).close()
    try disk.fill(leaving: 400_000)
    #expect(throws: StorageError.full(path: "\(disk.scratch.path)/media.sqlite")) { try migrate(disk.scratch, step) }
    #expect(disk.scratch.names.filter { $0.hasPrefix("media-before") } == [])
    #expect(try Store.open(library: disk.scratch.path, now: noon).posts().count == 12)
    try disk.empty()
    _ = try migrate(disk.scratch, step)
    #expect(disk.scratch.names.count { $0.hasPrefix("media-before") } == 1)
  }

  @Test func `a step that finds the disk full leaves the library as it was, and no copy`() throws {
    let disk = try SmallDisk(bytes: 4 << 20)
    try fill(disk.scratch).close()
    let greedy = Migration(
      to: 900, name: "v900_greedy",
      sql: "CREATE TABLE more (x BLOB) STRICT; INSERT INTO more SELECT randomblob(8000000);"
    )
    #expect(throws: StorageError.full(path: "\(disk.scratch.path)/media.sqlite")) { try migrate(disk.scratch, greedy) }
    #expect(disk.scratch.names.filter { $0.hasPrefix("media-before") } == [])
    #expect(try Store.open(library: disk.scratch.path, now: noon).posts().count == 12)
  }

  /// What a killed process leaves on a disk that is completely full.
  @Test(arguments: [true, false])
  func `a library on a full disk is read whole, its log too, and a write says that the disk is full`(
    hasLog: Bool
  ) throws {
    let living = try Scratch()
    let store = try fill(living)
    try store.writer.use { try $0.sqlite.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
    try store.delete([1, 2], now: noon)
    if !hasLog { store.close() }
    let disk = try SmallDisk(bytes: 16 << 20)
    for name in living.names where name.hasPrefix("media.sqlite") && !name.hasSuffix("-shm") {
      try FileManager.default.copyItem(atPath: "\(living.path)/\(name)", toPath: "\(disk.scratch.path)/\(name)")
    }
    store.close()
    try disk.fill(leaving: 0)
    let path = "\(disk.scratch.path)/media.sqlite"
    for _ in 0..<2 {
      let store = try Store.open(library: disk.scratch.path, for: .reading, now: noon)
      #expect(try store.posts().count == 10)
      #expect(try store.stats().posts == 10)
      #expect(throws: StorageError.openedForReading(path: path)) { try store.delete([3], now: noon) }
      store.close()
      for purpose in [Store.Purpose.command, .writing] {
        #expect(throws: StorageError.full(path: path)) {
          let store = try Store.open(library: disk.scratch.path, for: purpose, now: noon)
          defer { store.close() }
          try store.delete([3], now: noon)
        }
      }
    }
    try disk.empty()
    let later = try Store.open(library: disk.scratch.path, now: noon)
    try later.delete([3], now: noon)
    #expect(try later.posts().count == 9)
    later.close()
  }

  @Test func `several read a library on a full disk at once`() async throws {
    let disk = try SmallDisk(bytes: 16 << 20)
    try fill(disk.scratch).close()
    try disk.fill(leaving: 0)
    let path = disk.scratch.path
    try await withThrowingTaskGroup { group in
      for _ in 0..<6 {
        group.addTask {
          let store = try Store.open(library: path, for: .reading, now: noon)
          defer { store.close() }
          #expect(try store.posts().count == 12)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a library on a disk that may not be written can be read`() throws {
    let disk = try SmallDisk(bytes: 4 << 20)
    try fill(disk.scratch).close()
    try disk.makeReadOnly()
    let store = try Store.open(library: disk.scratch.path, for: .reading, now: noon)
    #expect(try store.posts().count == 12)
    store.close()
    let path = "\(disk.scratch.path)/media.sqlite"
    #expect(throws: StorageError.readOnly(path: path)) { try Store.open(library: disk.scratch.path, now: noon) }
    // An older library would have to be migrated first.
    #expect(throws: StorageError.readOnly(path: path)) {
      try Store.open(library: disk.scratch.path, for: .reading, migrations: Migration.all + [step], now: noon)
    }
  }

  @Test func `a library that a kill left on a read-only disk is refused in one sentence`() throws {
    let living = try Scratch()
    let store = try fill(living)
    let disk = try SmallDisk(bytes: 16 << 20)
    for name in ["media.sqlite", "media.sqlite-wal"] {
      try FileManager.default.copyItem(atPath: "\(living.path)/\(name)", toPath: "\(disk.scratch.path)/\(name)")
    }
    store.close()
    try disk.makeReadOnly()
    #expect(throws: StorageError.readOnly(path: "\(disk.scratch.path)/media.sqlite")) {
      try Store.open(library: disk.scratch.path, for: .reading, now: noon)
    }
  }
}
