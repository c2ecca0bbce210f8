import Folders
import Foundation
import Testing

@Suite(.inFolders, .serialized, .timeLimit(.minutes(10))) struct ScheduleTests {
  /// A sandbox with its own crontab: a script keeps it in a file.
  private func sandbox(crontab: String? = nil, script: String? = nil) throws -> Sandbox {
    var sandbox = try Sandbox()
    let bin = "\(sandbox.folder)/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    let file = "\(sandbox.folder)/crontab"
    if let crontab { try crontab.write(toFile: file, atomically: true, encoding: .utf8) }
    let usual = """
      if [ "$1" = -l ]; then [ -e '\(file)' ] || { echo "no crontab for ada" >&2; exit 1; }; cat '\(file)'; exit; fi
      cat > '\(file)'; echo x >> '\(file).writes'
      """
    try install("crontab", script ?? usual, in: bin)
    sandbox.environment["PATH"] = "\(bin):/usr/bin:/bin"
    return sandbox
  }

  private func install(_ name: String, _ script: String, in folder: String) throws {
    let path = "\(folder)/\(name)"
    try "#!/bin/bash\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private func text(_ sandbox: Sandbox, _ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(sandbox.folder)/\(name)") ?? Data(), as: UTF8.self)
  }

  @Test func `install, install again, another interval, show and remove leave all other lines alone`() async throws {
    let sandbox = try sandbox(crontab: "# mine\n0 5 * * * backup\n")
    let first = try await sandbox.media("schedule", "install")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.contains("every   15m\nby      cron\nnext    20"))
    #expect(first.output.contains("output  \(sandbox.library)/harvest.log"))
    let quiet = try await sandbox.media("schedule", "install", "--quiet")
    #expect((quiet.status, quiet.output, quiet.errors) == (0, "", ""))
    #expect(text(sandbox, "crontab.writes") == "x\n", "what is there already is not written again")
    #expect(try await sandbox.media("schedule", "install", "--every", "2h").status == 0)
    let lines = text(sandbox, "crontab").split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.prefix(2) == ["# mine", "0 5 * * * backup"])
    #expect(lines[2].hasPrefix("0 */2 * * * /bin/sh -c 'umask 077; PATH="))
    #expect(
      lines[2].contains(" harvest --due --quiet --library \(sandbox.library) >> \(sandbox.library)/harvest.log 2>&1"))
    let shown = try await sandbox.media("schedule", "show", "--json").object()
    #expect((shown["by"] as? String, shown["every"] as? String) == ("cron", "2h"))
    #expect((shown["next"] as? String)?.hasSuffix(":00:00.000Z") == true)
    let other = try await sandbox.media("schedule", "--library", "\(sandbox.folder)/other")
    #expect((other.status, other.output) == (0, ""))
    #expect(other.errors.contains("Nothing is scheduled"))
    #expect(try await sandbox.media("schedule", "remove").status == 0)
    #expect(text(sandbox, "crontab") == "# mine\n0 5 * * * backup\n")
    #expect(try await sandbox.media("schedule", "remove").errors.contains("Nothing was scheduled"))
  }

  @Test func `an authority that --ca-file names is believed by the harvests that are scheduled`() async throws {
    var sandbox = try sandbox()
    let folder = "\(sandbox.folder)/ada@work"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "-----BEGIN CERTIFICATE-----\n".write(toFile: "\(folder)/ca.pem", atomically: true, encoding: .utf8)
    let line = " CURL_CA_BUNDLE=\(folder)/ca.pem "
    #expect(try await sandbox.media("schedule", "install", "--ca-file", "\(folder)/ca.pem").output.contains(line))
    #expect(text(sandbox, "crontab").contains(line))
    sandbox.environment["CURL_CA_BUNDLE"] = "/elsewhere.pem"
    #expect(try await sandbox.media("schedule", "install", "--ca-file", "\(folder)/./ca.pem").status == 0)
    #expect(text(sandbox, "crontab").contains(line), "it goes before what the environment says")
  }

  @Test func `no other program of this name is scheduled, wherever this one was found`() async throws {
    let sandbox = try sandbox()
    for folder in ["near", "far"] {
      try FileManager.default.createDirectory(
        atPath: "\(sandbox.folder)/\(folder)", withIntermediateDirectories: false)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(sandbox.folder)/near/media", withDestinationPath: Sandbox.binary)
    try install("media", "exit 1", in: "\(sandbox.folder)/far")
    let ended = try await sandbox.bash(
      "cd '\(sandbox.folder)' && PATH=\"near:$PWD/far:$PATH\" && media schedule install")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(text(sandbox, "crontab").contains(Sandbox.binary))
    #expect(!text(sandbox, "crontab").contains("/far/media"))
    #expect(try await sandbox.bash("PATH=\"\(sandbox.folder)/near:$PATH\" && media schedule install").status == 0)
    #expect(text(sandbox, "crontab").contains("/near/media"), "the path that outlives an update")
  }

  @Test func `nobody else can read a scheduled harvest's output, whatever cron's umask is`() async throws {
    let sandbox = try sandbox()
    _ = try await sandbox.media("schedule", "install")
    let line = try #require(text(sandbox, "crontab").split(separator: "\n").last)
    let command = line.split(separator: " ", maxSplits: 5)[5]
    try StartedProgram("/bin/sh", ["-c", "umask 022; \(command)"]).wait()
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(sandbox.library)/harvest.log")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a log that others could read is closed to them when the harvests are scheduled`() async throws {
    let sandbox = try sandbox()
    let log = "\(sandbox.library)/harvest.log"
    try FileManager.default.createDirectory(atPath: sandbox.library, withIntermediateDirectories: true)
    try "old\n".write(toFile: log, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: log)
    #expect(try await sandbox.media("schedule", "install").status == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a line that a person switched off is shown as that`() async throws {
    let sandbox = try sandbox()
    _ = try await sandbox.media("schedule", "install")
    try "#\(text(sandbox, "crontab"))".write(toFile: "\(sandbox.folder)/crontab", atomically: true, encoding: .utf8)
    #expect(try await sandbox.media("schedule").output.contains("next    never: the line is switched off"))
  }

  @Test func `an impossible schedule is refused in one sentence with its cure`() async throws {
    let sandbox = try sandbox()
    expect(
      try await sandbox.media("schedule", "install", "--every", "7m"), fails: 64,
      saying: "cron cannot run anything every 7m",
      "choose --every 6m or --every 10m, or add --systemd")
    expect(
      try await sandbox.media("schedule", "install", "--every", "soon"), fails: 64, saying: "write one such as 15m")
    expect(try await sandbox.media("schedule", "start"), fails: 64)
    #expect(text(sandbox, "crontab").isEmpty)
    let refusing = try self.sandbox(
      script: "echo 'You (ada) are not allowed to use this program (crontab)' >&2; exit 1")
    expect(
      try await refusing.media("schedule", "install"), fails: 74, saying: "not allowed to use this program",
      "crontab -e")
    var none = try Sandbox()
    none.environment["PATH"] = "\(none.folder)/bin"
    expect(try await none.media("schedule", "install"), fails: 74, saying: "no crontab command", "apt-get install cron")
    expect(
      try await none.media("schedule", "install", "--systemd"), fails: 74, saying: "no systemctl command",
      "leave --systemd out")
  }

  @Test func `a systemd timer takes any interval, in the place of the crontab's line`() async throws {
    let sandbox = try sandbox()
    let calls = "\(sandbox.folder)/calls"
    try install("systemctl", "echo \"$@\" >> '\(calls)'; echo running", in: "\(sandbox.folder)/bin")
    _ = try await sandbox.media("schedule", "install")
    let ended = try await sandbox.media("schedule", "install", "--systemd", "--every", "7m")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output.contains("every   7m\nby      systemd\n"))
    #expect(text(sandbox, "crontab").isEmpty)
    let units = "\(sandbox.folder)/home/.config/systemd/user"
    let names = try FileManager.default.contentsOfDirectory(atPath: units).sorted()
    let kinds = names.map { $0.split(separator: ".").dropFirst().joined(separator: ".") }
    #expect(kinds == ["service", "service.d", "timer", "timer.d"])
    #expect(text(sandbox, "calls").contains("--user enable \(names[2])"))
    _ = try await sandbox.media("schedule", "remove")
    #expect(try FileManager.default.contentsOfDirectory(atPath: units).isEmpty)
  }

  @Test func `no unit stays if systemd does not answer`() async throws {
    let sandbox = try sandbox()
    let words = "Failed to connect to bus: No medium found"
    try install("systemctl", "echo '\(words)' >&2; exit 1", in: "\(sandbox.folder)/bin")
    expect(
      try await sandbox.media("schedule", "install", "--systemd"), fails: 74, saying: words, "leave --systemd out")
    #expect(!FileManager.default.fileExists(atPath: "\(sandbox.folder)/home/.config/systemd/user"))
  }

  @Test(.enabled(if: RealCron.isPossible, "running cron takes root"))
  func `cron runs the line, whatever stands in its paths`() async throws {
    var sandbox = try Sandbox()
    let cron = try await RealCron(sandbox)
    let folder = "\(sandbox.folder)/it's 100% \"odd\"".replacing("//", with: "/")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    sandbox.environment["MEDIA_HOME"] = "\(folder)/library"
    sandbox.environment["MEDIA_CONFIG"] = "\(folder)/my config"
    sandbox.environment["PATH"] = "/usr/bin:/bin"
    // The line runs the program by the path of its invocation, which here records its arguments.
    let witness = "\(folder)/witness"
    try install(
      "media",
      """
      [ "$1" != harvest ] || { printf '%s\\n' "$@" "$MEDIA_CONFIG" "$PATH" > "${0%/*}/witness"; echo said; exit; }
      exec -a "$0" '\(Sandbox.binary)' "$@"
      """, in: folder)
    let running = try sandbox.start("\(folder)/media", ["schedule", "install", "--every", "1m"])
    let ended = try await running.end()
    #expect(ended.status == 0, "\(ended.errors)")
    // It runs within a minute. A test that waits in vain restores the crontab before its time limit ends it.
    let log = "it's 100% \"odd\"/library/harvest.log"
    for _ in 0..<900 where text(sandbox, log).isEmpty { try? await Task.sleep(for: .milliseconds(100)) }
    let removed = try await sandbox.start("\(folder)/media", ["schedule", "remove"]).end()
    try await cron.end()
    #expect(removed.status == 0)
    #expect(text(sandbox, log) == "said\n")
    let seen = try String(contentsOfFile: witness, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(
      seen == [
        "harvest", "--due", "--quiet", "--library", "\(folder)/library", "\(folder)/my config",
        "\(folder):/usr/local/bin:/usr/bin:/bin",
      ])
  }
}

/// The machine's cron, running, and this user's crontab, which is restored at the end.
private final class RealCron {
  static let isPossible = getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/cron")

  private let sandbox: Sandbox
  private let before: Ended
  private let daemon: Running?

  init(_ sandbox: Sandbox) async throws {
    self.sandbox = sandbox
    before = try await sandbox.bash("crontab -l")
    // A cron that already runs also runs this line.
    let isRunning = try await sandbox.bash("pgrep -x cron").status == 0
    daemon = isRunning ? nil : try sandbox.start("/usr/sbin/cron", ["-f"])
  }

  func end() async throws {
    daemon?.signal(SIGKILL)
    _ = try await daemon?.end()
    try before.output.write(toFile: "\(sandbox.folder)/before", atomically: true, encoding: .utf8)
    _ = try await sandbox.bash(before.status == 0 ? "crontab '\(sandbox.folder)/before'" : "crontab -r")
  }
}
