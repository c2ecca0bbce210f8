import Folders
import Foundation
import Glibc
import PostgreSQLServer
import ScriptedOrigin
import Testing

/// The units of systemd, and what programs tell a service manager.
@Suite(.inFolders, .timeLimit(.minutes(10))) struct ServiceUnitTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").path
  private static let harvest = "Sources/media/Scheduling/Units"
  private static let units = [
    "\(harvest)/media-harvest.service", "\(harvest)/media-harvest.timer", "Scripts/lib/package/media-serve.service",
    "Scripts/lib/package/media-worker@.service",
  ]

  /// Copies the project's units into a folder, with the built program in place of the installed one.
  private func unpack(into folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for unit in Self.units {
      let text = try String(contentsOfFile: "\(Self.root)/\(unit)", encoding: .utf8)
      let name = URL(filePath: unit).lastPathComponent.replacing("@.", with: "@1.")
      try text.replacing("/usr/bin/media", with: Sandbox.binary)
        .write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
  }

  @Test func `systemd finds no fault in the units, and the worker's is closed`() async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/units"
    try unpack(into: folder)
    let user = "export XDG_RUNTIME_DIR='\(folder)' && systemd-analyze verify --user --man=no"
    for words in [
      "\(user) '\(folder)/media-harvest.timer' '\(folder)/media-serve.service'",
      "systemd-analyze verify --man=no '\(folder)/media-worker@1.service'",
    ] {
      let verified = try await sandbox.bash(words)
      #expect((verified.status, verified.output + verified.errors) == (0, ""))
    }
    // From 0, closed, to 100.
    let rated = try await sandbox.bash(
      "systemd-analyze security --offline=true --threshold=25 '\(folder)/media-worker@1.service'")
    #expect(rated.status == 0, "\(rated.output)")
  }

  @Test func `the package's units are enabled, and only drop-ins are written`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = nil
    sandbox.environment["XDG_DATA_DIRS"] = "\(sandbox.folder)/usr/share"
    try unpack(into: "\(sandbox.folder)/usr/share/systemd/user")
    let bin = "\(sandbox.folder)/bin"
    let calls = "\(sandbox.folder)/calls"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try "#!/bin/bash\necho \"$@\" >> '\(calls)'; echo running\n".write(
      toFile: "\(bin)/systemctl", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(bin)/systemctl")
    sandbox.environment["PATH"] = "\(bin):/usr/bin:/bin"
    let installed = try await sandbox.media("schedule", "install", "--systemd", "--every", "7m")
    #expect(installed.status == 0, "\(installed.errors)")
    #expect(installed.output.contains("every   7m\nby      systemd\n"))
    #expect(installed.output.contains("media-harvest.timer"))
    let written = try await sandbox.bash("cd ~/.config/systemd/user && find . -type f | sort").output
    #expect(written == "./media-harvest.service.d/schedule.conf\n./media-harvest.timer.d/schedule.conf\n")
    #expect(try String(contentsOfFile: calls, encoding: .utf8).contains("--user enable media-harvest.timer\n"))
    // systemd reads the unit and its drop-in as one.
    let verified = try await sandbox.bash(
      """
      export XDG_RUNTIME_DIR=$PWD SYSTEMD_UNIT_PATH="$HOME/.config/systemd/user:$XDG_DATA_DIRS/systemd/user"
      systemd-analyze verify --user --man=no media-harvest.timer
      """)
    #expect((verified.status, verified.output + verified.errors) == (0, ""))
    // Another library has units of its own.
    let other = try await sandbox.media("schedule", "install", "--systemd", "--library", "\(sandbox.folder)/other")
    #expect(other.status == 0, "\(other.errors)")
    #expect(try await sandbox.bash("ls ~/.config/systemd/user/*.timer | wc -l").output == "1\n")
    #expect(try await sandbox.media("schedule", "remove").status == 0)
    #expect(try await sandbox.bash("find ~/.config/systemd/user -name 'media-harvest.*'").output.isEmpty)
    #expect(try await sandbox.media("schedule").errors.contains("Nothing is scheduled"))
    // As `systemctl --user enable media-harvest.timer` leaves it.
    let enabled = try await sandbox.bash(
      """
      mkdir -p ~/.config/systemd/user/timers.target.wants && cd ~/.config/systemd/user/timers.target.wants
      ln -s "$XDG_DATA_DIRS/systemd/user/media-harvest.timer" .
      """)
    #expect(enabled.status == 0, "\(enabled.errors)")
    #expect(try await sandbox.media("schedule").output.contains("media-harvest.timer"))
  }

  @Test func `harvests bring each post once, started as the unit starts them`() async throws {
    try await withOrigin(Script(posts: 30)) { origin in
      var sandbox = try Sandbox()
      sandbox.environment["MEDIA_HOME"] = nil
      try unpack(into: "\(sandbox.folder)/units")
      let unit = try String(contentsOfFile: "\(sandbox.folder)/units/media-harvest.service", encoding: .utf8)
      let start = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
      #expect(try await sandbox.media("follow", "cats@\(origin.url)", "--every", "1m", "--unchecked").status == 0)
      for run in 0..<5 {
        // As systemd starts it: an environment of two variables, its priority, and its file mode mask.
        let ended = try await sandbox.bash(
          "umask 077; exec env -i HOME=\"$HOME\" PATH=/usr/bin:/bin nice -n 10 \(start.dropFirst("ExecStart=".count))")
        #expect((ended.status, ended.output, ended.errors) == (0, "", ""), "run \(run)")
      }
      #expect(try await sandbox.media("list", "--json").objects().count == 30)
      #expect(try await sandbox.media("check").status == 0)
    }
  }

  @Test func `the gallery tells its manager that it is ready, that it lives, and that it ends`() async throws {
    var sandbox = try Sandbox()
    try await sandbox.media("add", "a bird", "--quiet")
    let manager = try Manager("\(sandbox.folder)/notify")
    sandbox.environment["NOTIFY_SOCKET"] = manager.name
    sandbox.environment["WATCHDOG_USEC"] = "100000"
    let serving = try sandbox.begin("serve", "--port", "0", "--json")
    let line = try await serving.line("{")
    try await manager.hears("READY=1\nSTATUS=The gallery is at http://127.0.0.1:")
    // A status can be read by everybody on the machine, a one-time address is for one person.
    let token = try #require(line.split(separator: "=").last)
    #expect(!manager.heard.contains { $0.contains(token) })
    for _ in 0..<3 { try await manager.hears("WATCHDOG=1") }
    serving.signal(SIGTERM)
    #expect(try await serving.end().status == 143)
    try await manager.hears("STOPPING=1")
  }

  @Test func `a harvest tells it how far it is, in numbers alone`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      var sandbox = try Sandbox()
      for tag in ["cats", "dogs"] {
        #expect(try await sandbox.media("follow", "\(tag)@\(origin.url)", "--unchecked").status == 0)
      }
      let manager = try Manager("\(sandbox.folder)/notify")
      sandbox.environment["NOTIFY_SOCKET"] = manager.name
      #expect(try await sandbox.media("harvest", "--quiet").status == 0)
      for done in 1...2 { try await manager.hears("STATUS=\(done) of 2 feeds pulled") }
    }
  }

  @Test func `workers tell it, too, by a socket without a file`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = try PostgreSQLServer.shared().newURI("blobs=\(sandbox.folder)/pictures")
    try await sandbox.media("add", "a bird", "--quiet")
    let manager = try Manager("@media-\(UUID())")
    sandbox.environment["NOTIFY_SOCKET"] = manager.name
    sandbox.environment["WATCHDOG_USEC"] = "100000"
    let working = try sandbox.begin("harvest", "--workers", "2")
    try await manager.hears("READY=1\nSTATUS=2 workers pull what is due")
    for _ in 0..<3 { try await manager.hears("WATCHDOG=1") }
    working.signal(SIGTERM)
    #expect(try await working.end().status == 0)
    try await manager.hears("STOPPING=1")
  }
}

/// A service manager's socket, as sd_notify(3) describes it.
private final class Manager {
  let name: String
  /// All that was told.
  private(set) var heard: [String] = []
  private var read = 0
  private let socket: Int32

  init(_ name: String) throws {
    self.name = name
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(name.utf8)
    try #require(path.count < 108)
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    try #require(bound == 0)
  }

  deinit { close(socket) }

  /// Waits for one more message that begins so.
  func hears(_ beginning: String) async throws {
    for _ in 0..<3000 {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 { heard.append(String(decoding: bytes[..<count], as: UTF8.self)) }
      while read < heard.count {
        read += 1
        if heard[read - 1].hasPrefix(beginning) { return }
      }
      if count <= 0 { try await Task.sleep(for: .milliseconds(10)) }
    }
    Issue.record("never heard: \(beginning), but \(heard)")
    throw CancellationError()
  }
}
