import Folders
import Foundation
import Migrations
import PostgreSQLServer
import PropertyTesting
import ScriptedOrigin
import Testing

/// Libraries of earlier versions, opened by a program that is killed meanwhile, and programs of two versions at one library.
@Suite(.inFolders, .timeLimit(.minutes(10))) struct UpgradeTests {
  private static func earlier(_ migrations: [Migration]) -> [String] {
    PropertyTest.cases(sample: 3, of: migrations.dropLast().map { String($0.name.prefix(4)) })
  }

  // MARK: Killed while it migrates

  @Test(arguments: earlier(Migration.all))
  func `killed before any statement of a migration, a library in a folder is whole, old or new`(version: String)
    async throws
  {
    let preload = try await Preload("statements.c")
    let (sound, killed) = (try Sandbox(), try Sandbox())
    try EarlierLibrary.unpack(version, into: sound)
    let before = try await shape(of: sound)
    let (posts, statements) = try await listed(sound, statementsOf: preload)
    let after = try await shape(of: sound)
    #expect(before != after)
    // The first transaction that writes is the one that migrates.
    let begin = try #require(statements.firstIndex(of: "BEGIN IMMEDIATE"))
    let end = try #require(statements[begin...].firstIndex(of: "COMMIT"))
    #expect(end - begin > 2, "\(statements)")
    for number in begin...end + 1 {
      try? FileManager.default.removeItem(atPath: killed.library)
      try EarlierLibrary.unpack(version, into: killed)
      var struck = preload.preloaded(into: killed)
      struck.environment["STATEMENTS_AT"] = "\(number + 1)"
      let ended = try await struck.media("list", "--json")
      #expect(ended.status == 137, "\(number): \(ended.errors)")
      let left = try await shape(of: killed)
      #expect(left == (number > end ? after : before), "\(version), before \(statements[number])")
      try await expectWhole(killed, posts, after, "\(version), before \(statements[number])")
    }
  }

  @Test(arguments: earlier(Migration.postgreSQL))
  func `ended before any statement of a migration, a library on a server is whole, old or new`(version: String)
    async throws
  {
    let (server, scratch) = (try PostgreSQLServer.shared(), try Sandbox())
    let dump = try EarlierLibrary.dump(of: version, into: scratch)
    let template = try server.template { address in
      let (status, output) = try StartedProgram.run(
        "/usr/bin/env", ["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", address, "-f", dump])
      try #require(status == 0, "\(output)")
    }
    func library() async throws -> Sandbox {
      var sandbox = try Sandbox()
      try EarlierLibrary.unpackPictures(into: sandbox)
      sandbox.environment["MEDIA_HOME"] = try server.newURI("blobs=\(sandbox.library)", from: template)
      try await sandbox.sql(Self.striking)
      return sandbox
    }
    let sound = try await library()
    let before = try await shape(of: sound)
    // What only reads migrates nothing.
    expect(
      try await sound.media("list"), fails: 74, saying: "was made by an older version of media: \"media library make\"")
    try await sound.media("library", "make")
    let posts = try await sound.media("list", "--json", "--limit", "100").output
    let after = try await shape(of: sound)
    #expect(before != after)
    let count = try #require(Int(try await sound.sql("SELECT last_value FROM strike.counted").dropLast()))
    #expect(count > 2)
    for number in 1...count {
      let killed = try await library()
      try await killed.sql("INSERT INTO strike.chosen VALUES (\(number))")
      let ended = try await killed.media("library", "make")
      #expect(ended.status == 75, "\(number): \(ended.status) \(ended.errors)")
      #expect(try await shape(of: killed) == before, "\(version), \(number)")
      try await killed.media("library", "make")
      try await expectWhole(killed, posts, after, "\(version), \(number)")
    }
  }

  /// Lets the server end a connection at one of the events that a migration causes: before each statement that changes the
  /// schema, a setting or the version, and at the commit. What a sequence counts is not taken back.
  private static let striking = """
    CREATE SCHEMA strike;
    CREATE SEQUENCE strike.counted;
    CREATE TABLE strike.chosen (number bigint);
    CREATE FUNCTION strike.count() RETURNS bool LANGUAGE sql AS $$
      SELECT pg_terminate_backend(pg_backend_pid()) FROM strike.chosen WHERE number = nextval('strike.counted')
      UNION ALL SELECT nextval('strike.counted') > 0 WHERE NOT EXISTS (SELECT FROM strike.chosen) LIMIT 1
    $$;
    CREATE FUNCTION strike.change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM strike.count(); RETURN NEW; END $$;
    CREATE FUNCTION strike.command() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM strike.count(); END $$;
    CREATE TRIGGER strike BEFORE UPDATE ON media.library FOR EACH STATEMENT EXECUTE FUNCTION strike.change();
    CREATE CONSTRAINT TRIGGER strike_commit AFTER UPDATE ON media.library DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION strike.change();
    CREATE TRIGGER strike BEFORE INSERT ON media.setting FOR EACH STATEMENT EXECUTE FUNCTION strike.change();
    CREATE EVENT TRIGGER strike ON ddl_command_start EXECUTE FUNCTION strike.command();
    """

  /// The posts of `media list`, and the statements that SQLite ran for it.
  private func listed(_ sandbox: Sandbox, statementsOf preload: Preload) async throws -> (String, [String]) {
    var counted = preload.preloaded(into: sandbox)
    counted.environment["STATEMENTS_LOG"] = "\(sandbox.folder)/statements"
    let ended = try await counted.media("list", "--json", "--limit", "100")
    try #require(ended.status == 0, "\(ended.errors)")
    let log = try String(contentsOfFile: "\(sandbox.folder)/statements", encoding: .utf8)
    return (ended.output, log.split(separator: "\n").map(String.init))
  }

  /// The next command migrates the library; nothing is lost, and nothing is wrong.
  private func expectWhole(_ sandbox: Sandbox, _ posts: String, _ schema: String, _ round: String) async throws {
    let listed = try await sandbox.media("list", "--json", "--limit", "100")
    #expect((listed.status, listed.output) == (0, posts), "\(round): \(listed.errors)")
    let check = try await sandbox.media("check", "--json")
    #expect((check.status, check.output) == (0, ""), "\(round): \(check.output)\(check.errors)")
    #expect(try await shape(of: sandbox) == schema, "\(round)")
  }

  /// The version and the schema of a library.
  private func shape(of sandbox: Sandbox) async throws -> String {
    try await sandbox.sql(
      sandbox.address == sandbox.library
        ? "PRAGMA user_version; SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        : """
        SELECT version::text FROM media.library
        UNION ALL SELECT concat_ws(' ', c.relname, c.relkind, a.attname, a.atttypid::regtype, a.attnotnull)
          FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
          WHERE c.relnamespace = 'media'::regnamespace
        UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
          FROM pg_constraint WHERE connamespace = 'media'::regnamespace
        ORDER BY 1
        """)
  }

  // MARK: Two versions at once

  private func shared() throws -> Sandbox {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = try PostgreSQLServer.shared().newURI("blobs=\(sandbox.library)")
    return sandbox
  }

  /// What a newer program's migration does to a library on a server.
  private static let newer = """
    BEGIN; LOCK TABLE media.turn IN EXCLUSIVE MODE;
    ALTER TABLE media.post ADD COLUMN mood text COLLATE "C"; ALTER TABLE media.run RENAME requests TO asked;
    UPDATE media.library SET version = version + 1; COMMIT
    """

  /// All rows of a library on a server, without those that tell who uses it.
  private func rows(of sandbox: Sandbox) async throws -> String {
    let address = sandbox.address.replacing(/&blobs=.*/, with: "")
    let tables = ["lease", "writer"].map { "--exclude-table-data=media.\($0)" }.joined(separator: " ")
    let ended = try await sandbox.bash(
      "pg_dump --data-only --schema=media \(tables) -d '\(address)' | grep -v -e restrict -e setval")
    try #require(ended.status == 0, "\(ended.errors)")
    return ended.output
  }

  @Test func `an older program says in one sentence that a library on a server is newer, and writes nothing`()
    async throws
  {
    let sandbox = try shared()
    #expect(try await sandbox.media("add", "a heron").status == 0)
    try await sandbox.sql(Self.newer)
    let before = try await rows(of: sandbox)
    for command in [
      ["list"], ["add", "a kingfisher"], ["delete", "1"], ["check", "--repair"], ["gc"], ["settings", "view", "grid"],
      ["follow", "cats@social.example", "--unchecked"], ["harvest", "--workers", "1"],
    ] {
      expect(try await sandbox.run(command), fails: 74, saying: "was made by a newer version of media: update media")
    }
    #expect(try await rows(of: sandbox) == before)
  }

  @Test func `workers end when a newer program has migrated their library, say so, and write nothing more`()
    async throws
  {
    let sandbox = try shared()
    try await withOrigin(Script(posts: 12)) { origin in
      #expect(try await sandbox.media("follow", "cats@\(origin.url)", "--unchecked").status == 0)
      let worker = try sandbox.begin("harvest", "--workers", "2")
      try await worker.says("2 workers pull what is due")
      while try await !sandbox.sql("SELECT state FROM media.run").contains("done") {
        try await Task.sleep(for: .milliseconds(50))
      }
      // It looks at it at its next turn.
      try await sandbox.sql("\(Self.newer); UPDATE media.follow SET due_at = '2020-01-01T00:00:00.000Z'")
      let before = try await rows(of: sandbox)
      let ended = try await worker.end()
      #expect(ended.status == 74, "\(ended.errors)")
      #expect(ended.errors.hasSuffix("was made by a newer version of media: update media\n"), "\(ended.errors)")
      #expect(try await rows(of: sandbox) == before)
    }
  }
}
