import Foundation
import PostgreSQLServer
import Testing

/// Libraries by the names of config.toml.
@Suite(.timeLimit(.minutes(10))) struct LibraryNameTests {
  /// A user whose library "work" has a post.
  private func sandbox() async throws -> Sandbox {
    let sandbox = try Sandbox()
    let libraries = "[libraries]\nwork = \"\(sandbox.folder)/somewhere\"\nhome = '\(sandbox.library)'\n"
    try sandbox.configure("config.toml", "view = \"grid\"\n\(libraries)")
    #expect(try await sandbox.media("add", "at work", "--library", "work").status == 0)
    return sandbox
  }

  private func captions(_ sandbox: Sandbox, _ flags: String...) async throws -> [String] {
    try await sandbox.run(["list", "--json"] + flags).objects().compactMap { $0["caption"] as? String }
  }

  @Test func `a name stands wherever a folder does`() async throws {
    var sandbox = try await sandbox()
    #expect(FileManager.default.fileExists(atPath: "\(sandbox.folder)/somewhere/media.sqlite"))
    #expect(try await captions(sandbox).isEmpty)
    #expect(try await captions(sandbox, "--library", "work") == ["at work"])
    let copied = try await sandbox.media("copy", "work", "home")
    #expect(copied.status == 0, "\(copied.errors)")
    let compared = try await sandbox.media("check", "--library", "home", "--against", "work")
    #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
    let settings = try await sandbox.media("settings", "--json").object()
    #expect(
      settings["libraries.work"] as? String == "\(sandbox.folder)/somewhere" && settings["view"] as? String == "grid")
    sandbox.environment["MEDIA_HOME"] = nil
    sandbox.environment["MEDIA_LIBRARY"] = "work"
    #expect(try await captions(sandbox) == ["at work"])
    sandbox.environment["MEDIA_LIBRARY"] = nil
    sandbox.environment["MEDIA_HOME"] = "work"
    #expect(try await captions(sandbox) == ["at work"])
  }

  @Test func `where a name and a library in this folder have one name, neither is chosen`() async throws {
    let sandbox = try await sandbox()
    let here = "cd \(sandbox.folder) && \"$MEDIA\""
    // What is no library is no other library.
    let alone = try await sandbox.bash("mkdir \(sandbox.folder)/work && \(here) list --library work --json")
    #expect(try alone.objects().count == 1, "\(alone.errors)")
    #expect(try await sandbox.bash("\(here) add 'in the folder' --library ./work").status == 0)
    expect(
      try await sandbox.bash("\(here) list --library work"), fails: 64,
      saying:
        "\"work\" is a library of config.toml, and also one in this folder: write ./work for the one in this folder")
    let path = try await sandbox.bash("\(here) list --library ./work --json")
    #expect(try path.object()["caption"] as? String == "in the folder")
    #expect(try await captions(sandbox, "--library", "work") == ["at work"])
    let same = try await sandbox.bash(
      "ln -s somewhere \(sandbox.folder)/home/work; cd $HOME && \"$MEDIA\" list --library work --json")
    #expect(try same.object()["caption"] as? String == "at work", "\(same.errors)")
  }

  @Test func `a mistyped name makes no folder`() async throws {
    let sandbox = try await sandbox()
    for command in ["add text --library wrok", "copy work hone"] {
      let ended = try await sandbox.bash("cd $HOME && \"$MEDIA\" \(command)")
      expect(ended, fails: 64, saying: "did you mean \(command.hasSuffix("hone") ? "home" : "work")? write ./")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.folder)/home").isEmpty)
  }

  @Test func `names that came with a library count for nothing`() async throws {
    var sandbox = try await sandbox()
    sandbox.environment["MEDIA_HOME"] = "\(sandbox.folder)"
    sandbox.environment["MEDIA_CONFIG"] = nil
    expect(try await sandbox.media("list", "--library", "work"), fails: 74, saying: "there is no library at")
    let settings = try await sandbox.media("settings", "--json")
    #expect(settings.status == 0 && !settings.output.contains("somewhere"))
    #expect(settings.errors.contains("[libraries] in \(sandbox.folder)/config/config.toml"), "\(settings.errors)")
  }

  @Test func `a password in the arguments is refused, and not repeated`() async throws {
    let sandbox = try await sandbox()
    for address in [
      "postgresql://me:secretword@localhost:1/d?blobs=/b", "postgres://localhost:1/d?pass%77ord=secretword&blobs=/b",
    ] {
      for arguments in [
        ["list", "--library", address], ["copy", "work", address], ["copy", address, "work"],
        ["check", "--against", address],
      ] {
        let ended = try await sandbox.run(arguments)
        expect(ended, fails: 64, saying: "others on this machine can see a password in the arguments", "~/.pgpass")
        #expect(!ended.errors.contains("secretword"))
      }
    }
  }

  @Test func `a password stands in config.toml only if nobody else can read it`() async throws {
    let sandbox = try await sandbox()
    let text = "[libraries]\nfar = \"postgresql://me:secretword@localhost:1/d?blobs=/b\"\nnear = \"/nowhere\"\n"
    for (mode, status, words) in [(0o640, Int32(78), "chmod 600"), (0o600, 75, "localhost:1")] {
      try sandbox.configure("config.toml", text, mode: mode)
      let ended = try await sandbox.media("list", "--library", "far")
      expect(ended, fails: status, saying: words)
      let settings = try await sandbox.media("settings", "--json")
      #expect(try settings.object()["libraries.far"] as? String == "postgresql://me@localhost:1/d")
      #expect(!(ended.errors + settings.output + settings.errors).contains("secretword"))
    }
    try sandbox.configure("config.toml", text, mode: 0o644)
    // Only the address with the password is in question.
    expect(try await sandbox.media("list", "--library", "near"), fails: 74, saying: "there is no library at /nowhere")
  }

  @Test(.inFolders) func `the name of a shared library is enough for another machine`() async throws {
    let (one, other) = (try Sandbox(), try Sandbox())
    let address = try PostgreSQLServer.shared().newURI("blobs=\(one.folder)/pictures")
    for sandbox in [one, other] { try sandbox.configure("config.toml", "[libraries]\nlab = \"\(address)\"\n") }
    let added = try await one.media("add", "a heron", "--library", "lab")
    #expect(added.status == 0, "\(added.errors)")
    #expect(try await captions(other, "--library", "lab") == ["a heron"])
    #expect(try await one.media("copy", "lab", one.library).status == 0)
    #expect(try await one.media("check", "--against", "lab").status == 0)
  }
}
