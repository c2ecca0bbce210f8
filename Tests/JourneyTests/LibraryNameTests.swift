import Foundation
import PostgreSQLServer
import Testing

/// Libraries by the names of config.toml.
@Suite(.timeLimit(.minutes(10))) struct LibraryNameTests {
  /// A user whose library "work" has a post.
  private func house() async throws -> Household {
    let house = try Household()
    let libraries = "[libraries]\nwork = \"\(house.folder)/somewhere\"\nhome = '\(house.library)'\n"
    try house.configure("config.toml", "view = \"grid\"\n\(libraries)")
    #expect(try await house.media("add", "at work", "--library", "work").status == 0)
    return house
  }

  private func captions(_ house: Household, _ flags: String...) async throws -> [String] {
    try await house.run(["list", "--json"] + flags).objects().compactMap { $0["caption"] as? String }
  }

  @Test func `a name stands wherever a folder does`() async throws {
    var house = try await house()
    #expect(FileManager.default.fileExists(atPath: "\(house.folder)/somewhere/media.sqlite"))
    #expect(try await captions(house).isEmpty)
    #expect(try await captions(house, "--library", "work") == ["at work"])
    let copied = try await house.media("copy", "work", "home")
    #expect(copied.status == 0, "\(copied.errors)")
    let compared = try await house.media("check", "--library", "home", "--against", "work")
    #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
    let settings = try await house.media("settings", "--json").object()
    #expect(
      settings["libraries.work"] as? String == "\(house.folder)/somewhere" && settings["view"] as? String == "grid")
    house.environment["MEDIA_HOME"] = nil
    house.environment["MEDIA_LIBRARY"] = "work"
    #expect(try await captions(house) == ["at work"])
    house.environment["MEDIA_LIBRARY"] = nil
    house.environment["MEDIA_HOME"] = "work"
    #expect(try await captions(house) == ["at work"])
  }

  @Test func `where a name and a library in this folder have one name, neither is chosen`() async throws {
    let house = try await house()
    let here = "cd \(house.folder) && \"$MEDIA\""
    // What is no library is no other library.
    let alone = try await house.bash("mkdir \(house.folder)/work && \(here) list --library work --json")
    #expect(try alone.objects().count == 1, "\(alone.errors)")
    #expect(try await house.bash("\(here) add 'in the folder' --library ./work").status == 0)
    expect(
      try await house.bash("\(here) list --library work"), fails: 64,
      saying:
        "\"work\" is a library of config.toml, and also one in this folder: write ./work for the one in this folder")
    let path = try await house.bash("\(here) list --library ./work --json")
    #expect(try path.object()["caption"] as? String == "in the folder")
    #expect(try await captions(house, "--library", "work") == ["at work"])
    let same = try await house.bash(
      "ln -s somewhere \(house.folder)/home/work; cd $HOME && \"$MEDIA\" list --library work --json")
    #expect(try same.object()["caption"] as? String == "at work", "\(same.errors)")
  }

  @Test func `a mistyped name makes no folder`() async throws {
    let house = try await house()
    for command in ["add text --library wrok", "copy work hone"] {
      let ended = try await house.bash("cd $HOME && \"$MEDIA\" \(command)")
      expect(ended, fails: 64, saying: "did you mean \(command.hasSuffix("hone") ? "home" : "work")? write ./")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(house.folder)/home").isEmpty)
  }

  @Test func `names that came with a library count for nothing`() async throws {
    var house = try await house()
    house.environment["MEDIA_HOME"] = "\(house.folder)"
    house.environment["MEDIA_CONFIG"] = nil
    expect(try await house.media("list", "--library", "work"), fails: 74, saying: "there is no library at")
    let settings = try await house.media("settings", "--json")
    #expect(settings.status == 0 && !settings.output.contains("somewhere"))
    #expect(settings.errors.contains("[libraries] in \(house.folder)/config/config.toml"), "\(settings.errors)")
  }

  @Test func `a password in the arguments is refused, and not repeated`() async throws {
    let house = try await house()
    for address in [
      "postgresql://me:secretword@localhost:1/d?blobs=/b", "postgres://localhost:1/d?pass%77ord=secretword&blobs=/b",
    ] {
      for arguments in [
        ["list", "--library", address], ["copy", "work", address], ["copy", address, "work"],
        ["check", "--against", address],
      ] {
        let ended = try await house.run(arguments)
        expect(ended, fails: 64, saying: "others on this machine can see a password in the arguments", "~/.pgpass")
        #expect(!ended.errors.contains("secretword"))
      }
    }
  }

  @Test func `a password stands in config.toml only if nobody else can read it`() async throws {
    let house = try await house()
    let text = "[libraries]\nfar = \"postgresql://me:secretword@localhost:1/d?blobs=/b\"\nnear = \"/nowhere\"\n"
    for (mode, status, words) in [(0o640, Int32(78), "chmod 600"), (0o600, 75, "localhost:1")] {
      try house.configure("config.toml", text, mode: mode)
      let ended = try await house.media("list", "--library", "far")
      expect(ended, fails: status, saying: words)
      let settings = try await house.media("settings", "--json")
      #expect(try settings.object()["libraries.far"] as? String == "postgresql://me@localhost:1/d")
      #expect(!(ended.errors + settings.output + settings.errors).contains("secretword"))
    }
    try house.configure("config.toml", text, mode: 0o644)
    // Only the address with the password is in question.
    expect(try await house.media("list", "--library", "near"), fails: 74, saying: "there is no library at /nowhere")
  }

  @Test(.inFolders) func `the name of a shared library is enough for another machine`() async throws {
    let (one, other) = (try Household(), try Household())
    let address = try PostgreSQLServer.shared().newURI("blobs=\(one.folder)/pictures")
    for house in [one, other] { try house.configure("config.toml", "[libraries]\nlab = \"\(address)\"\n") }
    let added = try await one.media("add", "a heron", "--library", "lab")
    #expect(added.status == 0, "\(added.errors)")
    #expect(try await captions(other, "--library", "lab") == ["a heron"])
    #expect(try await one.media("copy", "lab", one.library).status == 0)
    #expect(try await one.media("check", "--against", "lab").status == 0)
  }
}
