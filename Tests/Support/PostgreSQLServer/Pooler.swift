import Folders
import Foundation

/// A pgbouncer before the process's PostgreSQL server. It ends with the process.
public final class Pooler: Sendable {
  private let scratch: Scratch
  private let program: StartedProgram
  private let life: Pipe

  /// - Parameters:
  ///   - mode: `session`, `transaction` or `statement`.
  ///   - server: The connection string of a database of the server.
  public init(_ mode: String, of server: String) throws {
    (scratch, life) = (try Scratch(), Pipe())
    let host = server.firstMatch(of: /host=(\S+)/).map { String($0.1) } ?? ""
    let configuration = """
      [databases]
      * = host=\(host) port=5432
      [pgbouncer]
      unix_socket_dir = \(scratch.path)
      listen_port = 5432
      auth_type = trust
      auth_file = \(scratch.path)/users
      pool_mode = \(mode)
      """
    try Data(configuration.utf8).write(to: URL(filePath: "\(scratch.path)/pgbouncer.ini"))
    try Data("\"media\" \"\"\n".utf8).write(to: URL(filePath: "\(scratch.path)/users"))
    program = try StartedProgram(
      "/bin/bash", ["-c", Self.script, "pooler", scratch.path], input: life.fileHandleForReading)
    address = server.replacing(host, with: scratch.path)
    let deadline = ContinuousClock.now + .seconds(30)
    while !FileManager.default.fileExists(atPath: "\(scratch.path)/.s.PGSQL.5432") {
      guard program.isRunning, ContinuousClock.now < deadline else {
        let log = (try? String(contentsOfFile: "\(scratch.path)/log", encoding: .utf8)) ?? ""
        throw PostgreSQLServer.Failure(
          description: "pgbouncer does not start (Scripts/setup --tests installs it): \(log.suffix(500))")
      }
      usleep(20_000)
    }
  }

  /// The connection string of the database, by way of the pooler.
  public let address: String

  /// Ends it.
  public func end() {
    try? life.fileHandleForWriting.close()
    program.wait()
  }

  deinit { end() }

  /// Like PostgreSQL, it refuses to run as root.
  private static let script = """
    cd "$1"
    exec >log 2>&1
    PATH=$PATH:/usr/sbin
    as=()
    if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid postgres --regid postgres --clear-groups); chown -R postgres .; fi
    "${as[@]}" pgbouncer pgbouncer.ini &
    pooler=$!
    read -r _
    kill -INT $pooler
    wait $pooler
    """
}
