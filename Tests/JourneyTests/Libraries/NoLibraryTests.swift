import Foundation
import Testing

/// Commands without a library.
@Suite(.timeLimit(.minutes(10))) struct NoLibraryTests {
  @Test(arguments: [
    ["list"], ["list", "--json"], ["list", "--follow"], ["stats"], ["show", "1"], ["check"], ["check", "--repair"],
    ["gc"], ["gaps"], ["gaps", "--fill"], ["runs"], ["runs", "--last"], ["follows"],
    ["unfollow", "tag:cats@a.example"],
    ["recheck"], ["harvest"], ["harvest", "--due", "--quiet"], ["settings"], ["settings", "view"], ["delete", "1"],
    ["restore", "1"], ["restore", "--tag", "cats"],
  ])
  func `a library that was mistyped is not made, and every command says so in the same words`(
    command: [String]
  ) async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/mistyped"
    let ended = try await sandbox.run(command + ["--library", folder])
    expect(ended, fails: 74)
    let cure = "check how it is spelt, or name the folder to which it has moved with --library"
    #expect(
      ended.errors == "media: there is no library at \(folder): \(cure); a pull or \"media add\" makes one\n")
    #expect(!FileManager.default.fileExists(atPath: folder) && !FileManager.default.fileExists(atPath: sandbox.library))
  }

  @Test(
    .inFolders,
    arguments: [["stats"], ["list"], ["list", "--follow"], ["gaps"], ["export"], ["follows"], ["show", "1"]])
  func `a library that the user may not read is said to be so`(command: [String]) async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a walk in the rain")
    // Root reads everything, so that it has to become somebody else.
    let user = getuid() == 0 ? "setpriv --reuid 65534 --clear-groups env HOME=/nonexistent" : ""
    let ended = try await sandbox.bash(
      "chmod 000 '\(sandbox.library)'; \(user) $MEDIA \(command.joined(separator: " ")) --library '\(sandbox.library)'")
    _ = try await sandbox.bash("chmod 700 '\(sandbox.library)'")
    expect(ended, fails: 74)
    #expect(
      ended.errors
        == "media: \(sandbox.library)/media.sqlite may not be read: check who owns it, or choose another folder "
        + "with --library\n")
  }

  @Test(.inFolders) func `a file that stands for a library is told from a folder that is missing`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a walk in the rain")
    let store = "\(sandbox.library)/media.sqlite"
    for command in [["list"], ["stats"], ["export"], ["check"]] {
      let ended = try await sandbox.run(command + ["--library", store])
      expect(ended, fails: 74, saying: "\(store) is a file", "name its folder, \(sandbox.library)")
    }
    expect(try await sandbox.bash("MEDIA_HOME='\(store)' $MEDIA list"), fails: 74, saying: "is a file")
  }

  @Test(.inFolders) func `without a library, commands say how to begin one, and make none`() async throws {
    let sandbox = try Sandbox()
    for command in [
      ["list"], ["gaps"], ["runs"], ["follows"], ["recheck"], ["gc"], ["check"], ["settings"], ["harvest"],
    ] {
      #expect(try await sandbox.run(command).status == 0, "\(command)")
    }
    expect(try await sandbox.media("delete", "1"), fails: 64, saying: "1")
    expect(try await sandbox.media("restore", "1"), fails: 64, saying: "1")
    #expect(try await sandbox.media("restore", "--tag", "cats").status == 0)
    expect(try await sandbox.media("list", "--follow", "--json"), fails: 74, saying: "there is no library at")
    #expect(!FileManager.default.fileExists(atPath: sandbox.library))
  }
}
