import Folders
import Foundation
import PostgreSQL
import PostgreSQLServer
import Posts
import Synchronization
import Testing

@testable import Storage

/// What the store on PostgreSQL does when others write at once, and when connections end.
@Suite struct PostgreSQLStoreTests {
  private let address: String
  private let store: Store

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    store = try Store.open(address, shownAs: "postgresql://test", for: .writing)
  }

  private func another() throws -> Store { try Store.open(address, shownAs: "postgresql://test", for: .writing) }

  /// Ends the connections of all stores of this database.
  private func endConnections() throws {
    let connection = try PostgreSQLConnection(address)
    defer { connection.close() }
    try connection.run(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
  }

  @Test func `writers at once lose no write, however often they have to repeat it`() throws {
    let attempts = Atomic(0)
    try store.set("count", to: "0")
    let stores = try (0..<4).map { _ in try another() }
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      for _ in 0..<25 {
        #expect(throws: Never.self) {
          try stores[index].write { db in
            attempts.add(1, ordering: .relaxed)
            let count: String? = try db.value("SELECT value FROM setting WHERE name = $1", ["count"])
            try db.run(Store.setting, ["count", String((count.flatMap(Int.init) ?? 0) + 1)])
          }
        }
      }
    }
    #expect(try store.setting("count") == "100")
    #expect(attempts.load(ordering: .relaxed) >= 100)
    for store in stores { store.close() }
  }

  @Test func `a write that has lost several times runs while no other one writes`() throws {
    let watcher = try PostgreSQLConnection(address)
    var modes: [String] = []
    try store.write { db in
      modes += try watcher.values("SELECT mode FROM pg_locks WHERE relation = 'media.turn'::regclass")
      try db.run(Store.setting, ["attempts", String(modes.count)])
      if modes.count < 6 { throw PostgreSQLError.refused(.init(state: "40001", message: "lost")) }
    }
    #expect(modes == Array(repeating: "RowShareLock", count: 3) + Array(repeating: "ExclusiveLock", count: 3))
    #expect(try store.setting("attempts") == "6")
  }

  @Test func `pages of different feeds with common tags and authors are all stored`() throws {
    let stores = try (0..<4).map { _ in try another() }
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      let feed = Feed(source: .usual, kind: .tag, value: "feed\(index)", server: social)
      #expect(throws: Never.self) {
        let pull = try stores[index].beginPull(of: feed, goal: PullGoal(pages: 5), now: noon)
        for number in 0..<5 {
          let posts = (0..<8).map { post(1000 - index * 100 - number * 8 - $0, tags: ["cats", "dogs"]) }
          let saved = try stores[index].save(page(posts), in: pull, now: noon)
          #expect(saved.new == 8, "\(index) \(number) \(saved)")
        }
      }
    }
    let total = try store.count(of: .library)
    let rows: Int? = try store.read { try $0.value("SELECT count(*) FROM post") }
    #expect([total, rows] == [160, 160])
    #expect(try store.count(of: .tag("cats")) == 160)
    for store in stores { store.close() }
  }

  @Test func `connections that ended are replaced`() throws {
    try store.set("colour", to: "blue")
    #expect(try store.setting("colour") == "blue")
    try endConnections()
    #expect(try store.setting("colour") == "blue")
    try endConnections()
    try store.set("colour", to: "red")
    #expect(try store.setting("colour") == "red")
  }

  @Test func `a write whose connection ends within it is done once`() throws {
    var attempts = 0
    try store.write { db in
      attempts += 1
      try db.run("INSERT INTO run (process, started_at, state, planned) VALUES (1, '2026', 'open', 1)")
      if attempts == 1 { try endConnections() }
    }
    #expect(attempts == 2)
    #expect(try store.read { try $0.value("SELECT count(*) FROM run") as Int? } == 1)
  }

  @Test func `what is only tried is tried again when its connection ends, or when it loses`() throws {
    var attempts = 0
    let posts = try store.trial { db -> Int in
      attempts += 1
      if attempts == 1 { try endConnections() }
      if attempts == 2 { throw PostgreSQLError.refused(.init(state: "40001", message: "lost")) }
      try db.run(Store.setting, ["colour", "blue"])
      return try db.value("SELECT count(*) FROM setting WHERE name = 'colour'") ?? 0
    }
    #expect(posts == 1 && attempts == 3)
    #expect(try store.setting("colour") == nil)
  }

  @Test func `a merge whose connection ends goes on, claims no more than is stored, and claims it when it is repeated`()
    throws
  {
    let scratch = try Scratch()
    let source = try Store.open(library: scratch.path, for: .writing, now: noon)
    defer { source.close() }
    let feed = Feed(source: .usual, kind: .tag, value: "cats", server: social)
    let pull = try source.beginPull(of: feed, goal: PullGoal(pages: 2), now: noon)
    for numbers in [[9, 8, 7], [6, 5, 4]] { _ = try source.save(page(numbers.map { post($0) }), in: pull, now: noon) }
    try source.finishPull(pull, reached: true, now: noon)
    var records: [LibraryRecord] = []
    try source.eachRecord(of: nil, raw: true) { records.append($0) }
    let feeds = try source.transferredFeeds()
    let half = records.count - 3

    try store.beginMerge()
    #expect(try store.merge(Array(records[..<half]), stored: [], dryRun: false, now: noon).new == 3)
    try endConnections()
    #expect(try store.merge(Array(records[half...]), stored: [], dryRun: false, now: noon).new == 3)
    #expect(try feeds.map { try store.mergeCoverage(of: $0) } == [1])
    #expect(try store.coverage(of: feed).intervals.isEmpty)

    try store.beginMerge()
    #expect(try store.merge(records, stored: [], dryRun: false, now: noon).unchanged == 6)
    try endConnections()
    #expect(try feeds.map { try store.mergeCoverage(of: $0) } == [1])
    #expect(try store.coverage(of: feed).intervals.isEmpty)

    try store.beginMerge()
    #expect(try store.merge(records, stored: [], dryRun: false, now: noon).unchanged == 6)
    #expect(try feeds.map { try store.mergeCoverage(of: $0) } == [0])
    #expect(try store.coverage(of: feed).intervals.map(\.from) == source.coverage(of: feed).intervals.map(\.from))
  }

  @Test func `records that were handed out are not handed out again when the connection ends`() throws {
    for name in ["avatars", "view"] { try store.set(name, to: "1") }
    var records: [LibraryRecord] = []
    #expect(throws: StorageError.self) {
      try store.eachRecord(of: nil, raw: true) { record in
        records.append(record)
        try endConnections()
      }
    }
    #expect(records.count == 2)
    var count = 0
    try store.eachRecord(of: nil, raw: true) { _ in count += 1 }
    #expect(count == 2)
  }

  @Test func `a write whose connection ends at its commit is done once`() throws {
    try store.alone { db in
      try db.execute(
        """
        CREATE TABLE media.once (id bigint);
        INSERT INTO media.once VALUES (1);
        CREATE FUNCTION media.end_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('media.ends') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
          RETURN NULL;
        END $$;
        CREATE SEQUENCE media.ends;
        CREATE CONSTRAINT TRIGGER ending AFTER INSERT ON media.setting DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION media.end_once();
        """)
    }
    var attempts = 0
    try store.write { db in
      attempts += 1
      try db.run(Store.setting, ["colour", "blue"])
    }
    #expect(attempts == 2)
    #expect(try store.setting("colour") == "blue")
  }

  @Test func `a machine that sleeps within a write lets go of what it holds, and writes when it wakes`() throws {
    let watcher = try PostgreSQLConnection(address)
    defer { watcher.close() }
    var attempts = 0
    try store.write { db in
      attempts += 1
      try db.run(Store.setting, ["colour", "blue"])
      let limit: String? = try db.value("SHOW idle_in_transaction_session_timeout")
      #expect(limit == "20s")
      guard attempts == 1 else { return }
      let process: Int = try db.value("SELECT pg_backend_pid()") ?? 0
      try db.execute("SET idle_in_transaction_session_timeout = 20")
      while try watcher.hasRow("SELECT 1 FROM pg_stat_activity WHERE pid = $1", [process]) {
        usleep(5_000)
      }
      let isHeld = try watcher.hasRow("SELECT 1 FROM pg_locks WHERE relation = 'media.setting'::regclass")
      #expect(!isHeld)
    }
    #expect(attempts == 2)
    #expect(try store.setting("colour") == "blue")
  }

  @Test(arguments: LostAnswer.Moment.allCases)
  func `a write whose commit is not answered is done once, whatever became of the commit`(
    moment: LostAnswer.Moment
  ) throws {
    let proxy = try LostAnswer(of: address, moment)
    defer { proxy.end() }
    let store = try Store.open(proxy.address, shownAs: "postgresql://test", for: .writing)
    defer { store.close() }
    try store.set("colour", to: "blue")
    proxy.arm()
    var attempts = 0
    try store.write { db in
      attempts += 1
      try db.run("INSERT INTO run (process, started_at, state, planned) VALUES (1, '2026', 'open', 1)")
    }
    #expect(attempts == (moment == .afterCommit ? 1 : 2))
    #expect(try store.read { try $0.value("SELECT count(*) FROM run") as Int? } == 1)
  }

  @Test func `what became of a transaction stands in its writer's row`() throws {
    let connection = try PostgreSQLConnection(address)
    defer { connection.close() }
    func run(_ number: Int64, writes: Bool = true, fails: Bool = false) throws -> (WrittenTransaction, Bool) {
      let transaction = WrittenTransaction(writer: 7, number: number)
      var didWrite = false
      try? connection.transaction(.serializable) { connection in
        if writes { try connection.run("UPDATE media.setting SET value = 'x' WHERE name = 'none'") }
        if writes { try connection.run("INSERT INTO media.setting VALUES ($1, 'x')", ["s\(number)"]) }
        didWrite = try transaction.note(in: connection)
        if fails { throw CancellationError() }
      }
      return (transaction, didWrite)
    }
    let (unwritten, wrote) = try run(1, writes: false)
    #expect(try !wrote && !unwritten.isCommitted(connection))
    let (lost, didWrite) = try run(2, fails: true)
    #expect(try didWrite && !lost.isCommitted(connection))
    let committed = try run(3).0
    #expect(try committed.isCommitted(connection))
    #expect(try !lost.isCommitted(connection) && !run(4, fails: true).0.isCommitted(connection))
    #expect(try committed.isCommitted(connection))
    // A server that took over without it has the row of an earlier one, or none.
    #expect(try !WrittenTransaction(writer: 8, number: 1).isCommitted(connection))
    #expect(try connection.value("SELECT count(*) FROM media.writer") == 1)
  }

  @Test func `writers of yesterday are forgotten`() throws {
    try store.alone {
      try $0.execute("INSERT INTO media.writer VALUES (1, 1, clock_timestamp() - interval '25 hours')")
    }
    for number in 0..<60 { try store.set("colour", to: "\(number)") }
    let writers: [Int64] = try store.read { try $0.values("SELECT id FROM writer") }
    #expect(writers.count == 1 && writers != [1])
  }

  @Test func `no message holds a password`() throws {
    let address = try #require(LibraryAddress("postgresql://me:secretword@localhost:1/library?password=otherword"))
    let error = #expect(throws: StorageError.self) { _ = try Store.open(library: address) }
    let words = "\(error.map { "\($0) \($0.summary) \($0.cure ?? "")" } ?? "")"
    #expect(words.contains("postgresql://me@localhost:1/library"))
    #expect(!words.contains("secretword") && !words.contains("otherword"))
  }

  @Test(arguments: [
    ("postgresql://host/db?blobs=/mnt/a%20b", "/mnt/a b", "postgresql://host/db", "postgresql://host/db"),
    (
      "postgres://u:p%40@h1,h2:5/db?sslmode=require&blobs=/b&password=x", "/b",
      "postgres://u:p%40@h1,h2:5/db?sslmode=require&password=x", "postgres://u@h1,h2:5/db?sslmode=require"
    ),
    ("postgresql:///db", nil, "postgresql:///db", "postgresql:///db"),
    (
      "postgresql://u:what?e:v@host/db?blobs=/b&user=a@b", "/b", "postgresql://u:what?e:v@host/db?user=a@b",
      "postgresql://u@host/db?user=a@b"
    ),
    (
      "postgresql://host:5432/db?user=a@b", nil, "postgresql://host:5432/db?user=a@b",
      "postgresql://host:5432/db?user=a@b"
    ),
  ]) func `an address is what libpq takes, and a folder`(
    text: String, blobs: String?, connection: String, shown: String
  ) throws {
    let address = try #require(LibraryAddress(text))
    #expect(address.blobs == blobs)
    #expect(address.connection == connection)
    #expect(address.shown == shown)
  }

  @Test(arguments: [
    "postgresql://host/db?blobs=/b", "postgresql://ann:x@host:5432/db?sslmode=require&blobs=/c",
    "postgres://bert@host/db?target_session_attrs=read-write&user=cleo",
  ]) func `a library has one folder on a machine, whoever logs in and with whatever options`(text: String) throws {
    #expect(try #require(LibraryAddress(text)).name == "host-db")
  }

  @Test(arguments: [
    ("postgresql://h1,h2:5433/db", "h1-h2-5433-db"), ("postgresql:///db?host=/run/a&user=x", "-db-host--run-a"),
    ("postgresql://host/other", "host-other"), ("postgresql://host/../..", "host-..-.."),
  ]) func `libraries on other servers have folders of their own`(text: String, name: String) throws {
    #expect(try #require(LibraryAddress(text)).name == name)
  }

  @Test(arguments: [
    "postgresql://bert:secret/word@host/db?blobs=/b", "postgresql://bert:1/secretword@host/db",
    "postgresql://bert:secret?word/x@host/db", "postgresql://bert:s?e/c@r/et@host/db",
  ])
  func `a password with a slash is shown to nobody`(text: String) throws {
    let address = try #require(LibraryAddress(text))
    #expect(address.isCut && address.hasPassword)
    #expect(address.shown == "postgresql://bert@host/db")
  }

  @Test(arguments: ["/folder", "~/media", "mysql://host/db", "postgresql:/x", ""])
  func `other texts are no address`(text: String) { #expect(LibraryAddress(text) == nil) }
}
