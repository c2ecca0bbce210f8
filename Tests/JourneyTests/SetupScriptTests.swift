import Foundation
import Testing

/// `Scripts/setup` on a machine with a fake package manager.
@Suite(.timeLimit(.minutes(10))) struct SetupScriptTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Scripts/setup").standardized.path

  @Test func `the lock of another package manager is waited for, in any language of its message`() async throws {
    let sandbox = try Sandbox()
    let programs = [
      "dpkg-query": "exit 1", "sudo": "exec \"$@\"", "sleep": "echo \"$1\" >> \"$HOME/slept\"",
      "swift": "echo 'Swift version 6.2 (made up)'",
      "apt-get": """
      [ "$LC_ALL" = C ] && words='E: Could not get lock' || words='E: Sperre konnte nicht bekommen werden'
      case " $* " in
        *' update '*) echo x >> "$HOME/updates"; [ "$(wc -l < "$HOME/updates")" -ge 3 ] || { echo "$words" >&2; exit 100; } ;;
        *) [ -e "$HOME/updates" ] && echo "$*" >> "$HOME/installed" || exit 100 ;;
      esac
      """,
    ]
    let folder = "\(sandbox.folder)/bin"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in programs {
      let isMade = FileManager.default.createFile(
        atPath: "\(folder)/\(name)", contents: Data("#!/bin/bash\n\(text)\n".utf8),
        attributes: [.posixPermissions: 0o755])
      try #require(isMade)
    }
    let ended = try await sandbox.bash("LC_ALL=de_DE.UTF-8 PATH=\(folder):$PATH '\(Self.script)'")
    #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
    let line = try await sandbox.bash("wc -l < $HOME/slept; wc -l < $HOME/updates; grep -c libxml2 $HOME/installed")
    #expect(line.lines == ["2", "3", "1"])
  }
}
