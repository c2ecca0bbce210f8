import Foundation
import Testing

/// `media serve` as a person starts it.
@Suite(.timeLimit(.minutes(10))) struct ServeJourneyTests {
  /// A served gallery and its first line.
  private struct Served {
    let serve: Running
    let address: String
    var base: String { String(address.prefix { $0 != "?" }.dropLast()) }
    var port: String { String(base.split(separator: ":").last ?? "") }

    init(_ sandbox: Sandbox, _ words: String...) async throws {
      serve = try sandbox.begin(["serve", "--port", "0"] + words)
      let line = try await serve.line(words.contains("--json") ? "{\"url\":\"http://" : "http://127.0.0.1:")
      address = String(try #require(line.firstMatch(of: /http:\/\/[^"]+/)).0)
    }
  }

  @Test func `the first line signs in, another line signs another browser in, and a restart signs nobody out`()
    async throws
  {
    let sandbox = try Sandbox()
    #expect(try await sandbox.media("add", "Saw a kingfisher today").status == 0)
    let first = try await Served(sandbox)
    #expect(first.address.contains("/?token="))
    let listed = try await sandbox.bash(
      "curl -s -o /dev/null -D - '\(first.address)' | tr -d '\\r' | sed -n 's/^[Ss]et-[Cc]ookie: \\([^;]*\\).*/\\1/p'")
    let cookie = listed.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(cookie.hasPrefix("media-\(first.port)="))
    let look = "curl -s -w '%{http_code}' -H 'Cookie: \(cookie)' \(first.base)/"
    #expect(try await sandbox.bash(look).output.contains("Saw a kingfisher today"))
    #expect(try await sandbox.bash("curl -s -o /dev/null -w '%{http_code}' '\(first.address)'").output == "401")

    let another = try await sandbox.media("serve", "--new-address", "--port", first.port)
    #expect(another.status == 0)
    let address = try #require(another.lines.first)
    #expect(address.hasPrefix("\(first.base)/?token="))
    #expect(try await sandbox.bash("curl -s -o /dev/null -w '%{http_code}' '\(address)'").output == "303")

    first.serve.signal(SIGTERM)
    let ended = try await first.serve.end()
    #expect(ended.status == 143)
    #expect(ended.errors == "Ctrl-C ends it.\n")
    let again = try sandbox.begin("serve", "--port", first.port)
    _ = try await again.line("\(first.base)/?token=")
    #expect(try await sandbox.bash(look).output.hasSuffix("200"))
    expect(
      try await sandbox.media("serve", "--port", first.port), fails: 69, saying: "port \(first.port) is taken",
      "ss -ltnp"
    )
    again.signal(SIGINT)
    #expect(try await again.end().status == 130)
    // A closed library needs no check: the next command says nothing.
    #expect(try await sandbox.media("list", "--json").errors.isEmpty)
  }

  @Test func `another address is that of the gallery that is served, whatever its port`() async throws {
    let sandbox = try Sandbox()
    #expect(try await sandbox.media("add", "Saw a kingfisher today").status == 0)
    let served = try await Served(sandbox)
    let another = try await sandbox.media("serve", "--new-address")
    let address = try #require(another.lines.first)
    #expect(address.hasPrefix("\(served.base)/?token=") && another.errors.isEmpty)
    #expect(try await sandbox.bash("curl -s -o /dev/null -w '%{http_code}' '\(address)'").output == "303")
    // What is typed counts, as for a gallery that is served later.
    let later = try await sandbox.media("serve", "--new-address", "--port", "9000")
    #expect(later.output.hasPrefix("http://127.0.0.1:9000/?token=") && later.errors.isEmpty)
    // A library is the same by a link; without words, there is no address of another one.
    if !sandbox.address.hasPrefix("postgresql:") {
      let (link, other) = ("\(sandbox.folder)/link", "\(sandbox.folder)/other")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: sandbox.library)
      let linked = try await sandbox.media("serve", "--new-address", "--library", link)
      #expect(linked.output.hasPrefix("\(served.base)/?token=") && linked.errors.isEmpty, "\(linked.errors)")
      #expect(try await sandbox.media("add", "a heron", "--library", other).status == 0)
      let quiet = try await sandbox.media("serve", "--new-address", "--quiet", "--library", other)
      #expect(quiet.output.hasPrefix("http://127.0.0.1:8787/?token=") && quiet.errors.isEmpty)
      // The usual port may be that of the other one. Here it is only said to be, for any program may have it.
      _ = try await sandbox.bash(
        "sed -i 's/:\(served.port)/:8787/' \"$(find '\(sandbox.folder)' -name gallery-running.json)\"")
      expect(
        try await sandbox.media("serve", "--new-address", "--quiet", "--library", other), fails: 69,
        saying: "http://127.0.0.1:8787 serves another library, \(sandbox.library)", "--port")
    }
    // One that was killed is no more.
    served.serve.signal(SIGKILL)
    _ = try await served.serve.end()
    let none = try await sandbox.media("serve", "--new-address")
    #expect(none.output.hasPrefix("http://127.0.0.1:8787/?token="))
    #expect(none.errors.contains("no gallery of this library is served now"))
    #expect(try await sandbox.media("serve", "--new-address", "--quiet").errors.isEmpty)
  }

  @Test func `the program of the server gets what was typed but the library, which may hold a password`() async throws {
    var sandbox = try Sandbox()
    try await sandbox.media("add", "a bird", "--quiet")
    let shared = sandbox.address.hasPrefix("postgresql:")
    let typed = shared ? [] : ["--library", sandbox.library, "--library=\(sandbox.library)"]
    sandbox.environment["PGPASSWORD"] = "in-no-argument"
    let serve = try sandbox.begin(["serve", "--port", "0", "--read-only"] + typed + ["--host", "gallery.example"])
    _ = try await serve.line("http://")
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { $0.allSatisfy(\.isNumber) }
    let commands = processes.compactMap { id -> [String]? in
      let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
      let words = String(decoding: line, as: UTF8.self).split(separator: "\0").map(String.init)
      return words.contains(sandbox.library) && words.first?.hasSuffix("media-serve") == true ? words : nil
    }
    let command = try #require(commands.first)
    #expect(!command.contains { $0.contains("--library") || $0.contains("in-no-argument") }, "\(command)")
    #expect(Array(command.suffix(5)) == ["--port", "0", "--read-only", "--host", "gallery.example"], "\(command)")
    serve.signal(SIGTERM)
    _ = try await serve.end()
  }

  @Test func `as JSON and quietly it prints only its address`() async throws {
    let sandbox = try Sandbox()
    let served = try await Served(sandbox, "--json", "--quiet", "--read-only")
    served.serve.signal(SIGTERM)
    let ended = try await served.serve.end()
    #expect((ended.output, ended.errors) == ("{\"url\":\"\(served.address)\"}\n", ""))
  }

  @Test func `a password is read from standard input, and the network needs one`() async throws {
    let sandbox = try Sandbox()
    let proxied = ["serve", "--port", "0", "--behind-proxy", "--host", "gallery.example"]
    expect(
      try await sandbox.run(proxied), fails: 64, saying: "no password is set", "media serve --set-password")
    expect(
      try await sandbox.media("serve", "--set-password", input: "short\n"), fails: 64, saying: "fewer than 8 characters"
    )
    expect(try await sandbox.media("serve", "--set-password", input: ""), fails: 64, saying: "no password came")
    let set = try await sandbox.media("serve", "--set-password", input: "correct horse\n")
    #expect(
      (set.status, set.output, set.errors) == (0, "", "The password is set. Every browser has to sign in again.\n"))
    let serve = try sandbox.begin(proxied)
    _ = try await serve.line("https://gallery.example/?token=")
    serve.signal(SIGTERM)
    #expect(try await serve.end().status == 143)
    let kept = try String(contentsOfFile: "\(sandbox.configuration)/gallery.json", encoding: .utf8)
    #expect(!kept.contains("correct horse"))
  }

  @Test(arguments: [
    (["--listen", "192.0.2.1"], "--listen needs --cert and --key for TLS, or --behind-proxy"),
    (["--listen", "somewhere"], "is no address"), (["--cert", "a.pem"], "--cert and --key go together"),
    (["--behind-proxy"], "--behind-proxy needs --host"), (["--host", "a/b"], "is no name of a host"),
    (["--host", "a:80"], "is no name of a host"), (["--new-address", "--set-password"], "exclude each other"),
    (["--port", "65536"], "out of range"), (["--new-address", "--port", "0"], "needs the --port"),
  ]) func `impossible options are 64`(words: [String], saying: String) async throws {
    expect(try await Sandbox().run(["serve"] + words), fails: 64, saying: saying)
  }

  @Test(.inFolders) func `a library that is missing, no library or damaged is 74`() async throws {
    let sandbox = try Sandbox()
    expect(
      try await sandbox.media("serve", "--library", "/nonexistent"), fails: 74,
      saying: "there is no library at /nonexistent")
    try FileManager.default.createDirectory(atPath: sandbox.library, withIntermediateDirectories: true)
    try Data("this is no database at all, but a text".utf8).write(to: URL(filePath: "\(sandbox.library)/media.sqlite"))
    expect(try await sandbox.media("serve", "--port", "0"), fails: 74, saying: "media.sqlite")
  }

  @Test func `sign-ins that came with a library let nobody in`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_CONFIG"] = nil
    let served = try await Served(sandbox)
    served.serve.signal(SIGTERM)
    _ = try await served.serve.end()
    #expect(!FileManager.default.fileExists(atPath: "\(sandbox.library)/config/gallery.json"))
    #expect(FileManager.default.fileExists(atPath: "\(sandbox.folder)/home/.config/media/gallery.json"))
  }

  @Test func `the browser is opened by a file that only the person can read`() async throws {
    var sandbox = try Sandbox()
    let programs = "\(sandbox.folder)/programs"
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
    let opener =
      "#!/bin/sh\nstat -c %a \"$1\" >'\(sandbox.folder)/mode'\ncp \"$1\" '\(sandbox.folder)/opened'\necho \"$@\" >'\(sandbox.folder)/words'\n"
    let isMade = FileManager.default.createFile(
      atPath: "\(programs)/xdg-open", contents: Data(opener.utf8), attributes: [.posixPermissions: 0o755])
    try #require(isMade)
    sandbox.environment["PATH"] = "\(programs):\(sandbox.environment["PATH"] ?? "")"
    sandbox.environment["DISPLAY"] = ":0"
    let served = try await Served(sandbox, "--open")
    while !FileManager.default.fileExists(atPath: "\(sandbox.folder)/words") {
      try await Task.sleep(for: .milliseconds(10))
    }
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(sandbox.folder)/\(name)", encoding: .utf8)
    }
    #expect(try text("mode") == "600\n")
    #expect(try text("words") == "\(sandbox.configuration)/gallery-open.html\n")
    let opened = try #require(try text("opened").firstMatch(of: /url=(http[^"]+)"/)).1
    #expect(opened.hasPrefix("\(served.base)/?token="))
    #expect(opened != served.address)
    #expect(try await sandbox.bash("curl -s -o /dev/null -w '%{http_code}' '\(opened)'").output == "303")
    served.serve.signal(SIGTERM)
    _ = try await served.serve.end()
    #expect(!FileManager.default.fileExists(atPath: "\(sandbox.configuration)/gallery-open.html"))
  }
}
