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

    init(_ house: Household, _ words: String...) async throws {
      serve = try house.begin(["serve", "--port", "0"] + words)
      let line = try await serve.line(words.contains("--json") ? "{\"url\":\"http://" : "http://127.0.0.1:")
      address = String(try #require(line.firstMatch(of: /http:\/\/[^"]+/)).0)
    }
  }

  @Test func `the first line signs in, another line signs another browser in, and a restart signs nobody out`()
    async throws
  {
    let house = try Household()
    #expect(try await house.media("add", "Saw a kingfisher today").status == 0)
    let first = try await Served(house)
    #expect(first.address.contains("/?token="))
    let listed = try await house.bash(
      "curl -s -o /dev/null -D - '\(first.address)' | tr -d '\\r' | sed -n 's/^[Ss]et-[Cc]ookie: \\([^;]*\\).*/\\1/p'")
    let cookie = listed.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(cookie.hasPrefix("media-\(first.port)="))
    let look = "curl -s -w '%{http_code}' -H 'Cookie: \(cookie)' \(first.base)/"
    #expect(try await house.bash(look).output.contains("Saw a kingfisher today"))
    #expect(try await house.bash("curl -s -o /dev/null -w '%{http_code}' '\(first.address)'").output == "401")

    let another = try await house.media("serve", "--new-address", "--port", first.port)
    #expect(another.status == 0)
    let address = try #require(another.lines.first)
    #expect(address.hasPrefix("\(first.base)/?token="))
    #expect(try await house.bash("curl -s -o /dev/null -w '%{http_code}' '\(address)'").output == "303")

    first.serve.signal(SIGTERM)
    let ended = try await first.serve.end()
    #expect(ended.status == 143)
    #expect(ended.errors == "Ctrl-C ends it.\n")
    let again = try house.begin("serve", "--port", first.port)
    _ = try await again.line("\(first.base)/?token=")
    #expect(try await house.bash(look).output.hasSuffix("200"))
    expect(
      try await house.media("serve", "--port", first.port), fails: 69, saying: "port \(first.port) is taken", "ss -ltnp"
    )
    again.signal(SIGINT)
    #expect(try await again.end().status == 130)
    // A closed library needs no check: the next command says nothing.
    #expect(try await house.media("list", "--json").errors.isEmpty)
  }

  @Test func `as JSON and quietly it prints only its address`() async throws {
    let house = try Household()
    let served = try await Served(house, "--json", "--quiet", "--read-only")
    served.serve.signal(SIGTERM)
    let ended = try await served.serve.end()
    #expect((ended.output, ended.errors) == ("{\"url\":\"\(served.address)\"}\n", ""))
  }

  @Test func `a password is read from standard input, and the network needs one`() async throws {
    let house = try Household()
    let proxied = ["serve", "--port", "0", "--behind-proxy", "--host", "gallery.example"]
    expect(
      try await house.run(proxied), fails: 64, saying: "no password is set", "media serve --set-password")
    expect(
      try await house.media("serve", "--set-password", input: "short\n"), fails: 64, saying: "fewer than 8 characters")
    expect(try await house.media("serve", "--set-password", input: ""), fails: 64, saying: "no password came")
    let set = try await house.media("serve", "--set-password", input: "correct horse\n")
    #expect(
      (set.status, set.output, set.errors) == (0, "", "The password is set. Every browser has to sign in again.\n"))
    let serve = try house.begin(proxied)
    _ = try await serve.line("https://gallery.example/?token=")
    serve.signal(SIGTERM)
    #expect(try await serve.end().status == 143)
    let kept = try String(contentsOfFile: "\(house.configuration)/gallery.json", encoding: .utf8)
    #expect(!kept.contains("correct horse"))
  }

  @Test(arguments: [
    (["--listen", "192.0.2.1"], "--listen needs --cert and --key for TLS, or --behind-proxy"),
    (["--listen", "somewhere"], "is no address"), (["--cert", "a.pem"], "--cert and --key go together"),
    (["--behind-proxy"], "--behind-proxy needs --host"), (["--host", "a/b"], "is no name of a host"),
    (["--host", "a:80"], "is no name of a host"), (["--new-address", "--set-password"], "exclude each other"),
    (["--port", "65536"], "out of range"), (["--new-address", "--port", "0"], "needs the --port"),
  ]) func `impossible options are 64`(words: [String], saying: String) async throws {
    expect(try await Household().run(["serve"] + words), fails: 64, saying: saying)
  }

  @Test(.inFolders) func `a library that is missing, no library or damaged is 74`() async throws {
    let house = try Household()
    expect(
      try await house.media("serve", "--library", "/nonexistent"), fails: 74,
      saying: "there is no library at /nonexistent")
    try FileManager.default.createDirectory(atPath: house.library, withIntermediateDirectories: true)
    try Data("this is no database at all, but a text".utf8).write(to: URL(filePath: "\(house.library)/media.sqlite"))
    expect(try await house.media("serve", "--port", "0"), fails: 74, saying: "media.sqlite")
  }

  @Test func `sign-ins that came with a library let nobody in`() async throws {
    var house = try Household()
    house.environment["MEDIA_CONFIG"] = nil
    let served = try await Served(house)
    served.serve.signal(SIGTERM)
    _ = try await served.serve.end()
    #expect(!FileManager.default.fileExists(atPath: "\(house.library)/config/gallery.json"))
    #expect(FileManager.default.fileExists(atPath: "\(house.folder)/home/.config/media/gallery.json"))
  }

  @Test func `the browser is opened by a file that only the person can read`() async throws {
    var house = try Household()
    let programs = "\(house.folder)/programs"
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
    let opener =
      "#!/bin/sh\nstat -c %a \"$1\" >'\(house.folder)/mode'\ncp \"$1\" '\(house.folder)/opened'\necho \"$@\" >'\(house.folder)/words'\n"
    let isMade = FileManager.default.createFile(
      atPath: "\(programs)/xdg-open", contents: Data(opener.utf8), attributes: [.posixPermissions: 0o755])
    try #require(isMade)
    house.environment["PATH"] = "\(programs):\(house.environment["PATH"] ?? "")"
    house.environment["DISPLAY"] = ":0"
    let served = try await Served(house, "--open")
    while !FileManager.default.fileExists(atPath: "\(house.folder)/words") {
      try await Task.sleep(for: .milliseconds(10))
    }
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(house.folder)/\(name)", encoding: .utf8)
    }
    #expect(try text("mode") == "600\n")
    #expect(try text("words") == "\(house.configuration)/gallery-open.html\n")
    let opened = try #require(try text("opened").firstMatch(of: /url=(http[^"]+)"/)).1
    #expect(opened.hasPrefix("\(served.base)/?token="))
    #expect(opened != served.address)
    #expect(try await house.bash("curl -s -o /dev/null -w '%{http_code}' '\(opened)'").output == "303")
    served.serve.signal(SIGTERM)
    _ = try await served.serve.end()
    #expect(!FileManager.default.fileExists(atPath: "\(house.configuration)/gallery-open.html"))
  }
}
