import Folders
import Foundation
import HTTP
import Login
import Posts
import Testing

@testable import media

@Suite struct `how settings are read` {
  private func file(_ text: String) throws -> [SettingKey: String] {
    try SettingsFile.settings(in: Data(text.utf8), path: "config.toml")
  }

  private func mistake(_ text: String) -> String? {
    #expect(throws: ConfigurationFileError.self) { try file(text) }?.description
  }

  @Test func `every default is one of the values its setting takes`() throws {
    for key in SettingKey.allCases { #expect(try key.canonical(key.standard) == key.standard) }
  }

  @Test func `the page of settings has each of them as the program knows it`() throws {
    let page = try String(
      contentsOf: URL(filePath: "\(#filePath)/../../../../docs/guide/settings.md").standardized, encoding: .utf8)
    let rows = SettingKey.allCases.map { key in
      "| `\(key.rawValue)`\(key.isCommand ? " *" : "") | `\(key.standard)` | \(key.help) | \(key.choices) |\n"
    }
    #expect(page.contains(rows.joined()), "\(rows.joined())")
  }

  @Test func `the defaults are those of the contract`() {
    let settings = Settings()
    #expect(settings.avatars && settings.animation && settings.view == .list && settings.pictures == .auto)
    #expect(settings.refresh == .seconds(60))
    #expect(settings.thumbnails == ByteCount(bytes: 2_000_000_000))
    #expect(settings.cache == ByteCount(bytes: 512_000_000) && settings.memory == ByteCount(bytes: 64_000_000))
  }

  @Test func `every choice a setting takes has its reader`() {
    for key in SettingKey.allCases {
      guard case .choice(let names) = key.kind else { continue }
      for name in names {
        let stored = Settings(stored: [key.rawValue: name])
        // A library cannot have programs run.
        if key.isCommand { #expect(stored == Settings()) }
        let settings = key.isCommand ? Settings(stored: [:], commands: [key: name]) : stored
        switch key {
        case .view: #expect(settings.view.rawValue == name)
        case .pictures: #expect(settings.pictures.rawValue == name)
        case .avatars: #expect(settings.avatars == (name == "on"))
        case .extractors: #expect(settings.extractors == (name == "on"))
        case .extractorConfig: #expect(settings.extractorConfig == (name == "on"))
        case .fold: #expect(settings.fold == (name == "on"))
        case .inspection: #expect(settings.inspection == (name == "on"))
        case .jetstream: #expect(settings.jetstream == (name == "on"))
        default: #expect(key == .animation && settings.animation == (name == "on"))
        }
      }
    }
  }

  @Test func `languages of text are names of files and nothing else`() throws {
    #expect(Settings().textLanguages?.text == "eng")
    #expect(Settings(stored: ["text-languages": "off"]).textLanguages == nil)
    for (text, kept) in [
      ("eng+deu", "eng+deu"), ("ENG", "eng"), ("deu+deu", "deu"), ("chi_sim", "chi_sim"), ("no", "off"),
    ] {
      #expect(try SettingKey.textLanguages.canonical(text) == kept)
    }
    for text in ["", "+", "eng+", "eng deu", "../eng", "a/b", "a", String(repeating: "a", count: 31), "é"] {
      #expect(throws: SettingError.self) { try SettingKey.textLanguages.canonical(text) }
    }
  }

  @Test func `a setting made by command overrides the file, and the file the defaults`() throws {
    let written = try file("avatars = false\nview = \"grid\"\nrefresh = \"15m\"\n")
    let settings = Settings(file: written, stored: ["avatars": "on", "cache": "2 GB"])
    #expect(settings.avatars)
    #expect(settings.view == .grid)
    #expect(settings.refresh == .seconds(900))
    #expect(settings.cache == ByteCount(bytes: 2_000_000_000))
    #expect(settings[.memory] == "64MB")
  }

  @Test func `a stored value of a version to come is passed over`() {
    let settings = Settings(stored: ["view": "spiral", "colour": "red", "avatars": "off"])
    #expect(settings.view == .list)
    #expect(!settings.avatars)
  }

  @Test(
    arguments: [
      ("60s", "60s"), ("60", "60s"), ("90 Seconds", "90s"), ("15m", "15m"), ("1h 30m", "90m"), ("2 hours", "2h"),
      ("1.5m", "90s"), ("120", "2m"), ("2.5s", "2.5s"),
    ])
  func `durations are read as people write them`(text: String, kept: String) throws {
    #expect(try SettingKey.refresh.canonical(text) == kept)
  }

  @Test(
    arguments: [
      ("512MB", "512MB"), ("512 mb", "512MB"), ("1.5 GB", "1500MB"), ("2g", "2GB"), ("64 MiB", "67108864B"),
      ("3000000", "3MB"),
    ])
  func `sizes are read as people write them`(text: String, kept: String) throws {
    #expect(try SettingKey.cache.canonical(text) == kept)
    #expect(ByteCount(kept) == ByteCount(text))
  }

  @Test(arguments: ["", "s", "-5s", "60x", "1..5s", "0s", "2d", "999999999999999999999s", "1m fast", "∞", "٦٠s"])
  func `an invalid duration is refused`(text: String) {
    #expect(throws: SettingError.badValue(text, key: .refresh)) { try SettingKey.refresh.canonical(text) }
  }

  @Test(arguments: ["", "MB", "-1MB", "12", "1e9", "999999999999TB", "1MBMB", "1 MB 2 KB"])
  func `an invalid size is refused`(text: String) {
    #expect(throws: SettingError.badValue(text, key: .memory)) { try SettingKey.memory.canonical(text) }
  }

  @Test func `a refused value says what the setting takes`() {
    let text = { (key: SettingKey, text: String) in
      #expect(throws: SettingError.self) { try key.canonical(text) }?.description
    }
    #expect(text(.view, "sideways") == "\"sideways\" is not a value for view: give list or grid")
    #expect(text(.refresh, "0s") == "\"0s\" is not a value for refresh: give a time such as 60s, from 1s to 24h")
    #expect(text(.cache, "lots") == "\"lots\" is not a value for cache: give a size such as 512MB, from 1MB to 100TB")
    #expect(
      text(.pictures, "yes") == "\"yes\" is not a value for pictures: give auto, kitty, sixel, iterm, blocks or off"
    )
    #expect(text(.trash, "4000d") == "\"4000d\" is not a value for trash: give a time such as 30d, from 0s to 3650d")
    #expect(text(.view, "a\u{1B}[31m\nb") == "\"a [31m b\" is not a value for view: give list or grid")
  }

  @Test func `servers are read as people write them, and count only where the person alone can write`() throws {
    let read = { (key: SettingKey, text: String) in try key.canonical(text) }
    #expect(try read(.plcDirectory, "PLC.example") == "plc.example")
    #expect(try read(.handleResolver, " Own ") == "own")
    #expect(try read(.jetstreamServer, "http://127.0.0.1:6008") == "http://127.0.0.1:6008")
    for text in ["", "ftp://a.example", "a b", "ann@a.example"] {
      #expect(throws: SettingError.badValue(text, key: .plcDirectory)) { try read(.plcDirectory, text) }
    }
    let stored = Settings(stored: ["plc-directory": "evil.example", "jetstream-server": "evil.example"])
    #expect(stored.directories == Directories() && stored.jetstreamServer.name == "jetstream2.us-east.bsky.network")
    let own = Settings(stored: [:], commands: [.plcDirectory: "plc.example", .handleResolver: "names.example"])
    #expect(own.directories == Directories(documents: Server("plc.example"), handles: Server("names.example")))
  }

  @Test func `the program of a model is the person's alone, its memory may be a library's`() throws {
    #expect(Settings().look == nil && Settings().lookMemory == ByteCount(bytes: 4_000_000_000))
    let stored = Settings(stored: ["look": "rm -rf /", "look-memory": "300MB"])
    #expect(stored.look == nil && stored.lookMemory == ByteCount(bytes: 300_000_000))
    #expect(Settings(stored: [:], commands: [.look: "clip --cpu"]).look == "clip --cpu")
    #expect(throws: SettingError.badValue("1kB", key: .lookMemory)) { try SettingKey.lookMemory.canonical("1kB") }
  }

  @Test func `an unknown setting names the nearest known one`() {
    let text = { (name: String) in #expect(throws: SettingError.self) { try SettingKey.named(name) }?.description }
    #expect(text("refrsh") == "\"refrsh\" is not a setting: did you mean refresh?")
    #expect(text("Avatar") == "\"Avatar\" is not a setting: did you mean avatars?")
    #expect(
      text("colour")
        == "\"colour\" is not a setting: the settings are avatars, view, fold, refresh, cache, thumbnails, memory, pictures, "
        + "animation, trash, notify, opener, gc-grace, extractors, extractor-config, inspection, text-languages, look, look-memory, "
        + "jetstream, jetstream-server, plc-directory, handle-resolver"
    )
  }

  @Test func `on and off have the names people give them`() throws {
    #expect(try ["ON", "yes", "true", "1"].map(SettingKey.avatars.canonical) == ["on", "on", "on", "on"])
    #expect(try ["Off", "no", "false", "0"].map(SettingKey.animation.canonical) == ["off", "off", "off", "off"])
  }

  @Test func `no file means no settings, a folder in its place is an error`() throws {
    #expect(try SettingsFile.read("/nonexistent/config.toml").isEmpty)
    let folder = NSTemporaryDirectory()
    let error = #expect(throws: ConfigurationFileError.self) { try SettingsFile.read(folder) }
    #expect(error?.description == "\(folder): it is not a regular file")
    #expect(error?.exitCode == .configuration)
  }

  @Test func `a file's mistakes are reported with file, line and reason`() throws {
    #expect(
      mistake("# mine\n\nrefrsh = \"60s\"\n") == "config.toml:3: \"refrsh\" is not a setting: did you mean refresh?"
    )
    #expect(
      mistake("avatars = true\nview = \"sideways\"")
        == "config.toml:2: \"sideways\" is not a value for view: give list or grid"
    )
    #expect(
      mistake("view = \"list\"\nview = 'grid'") == "config.toml:2: view stands here a second time: keep one of them")
    #expect(
      mistake("view = \"list\"\n\n[window]\nview = 1")
        == "config.toml:3: a table begins: settings stand in no table, and libraries in [libraries]")
  }

  @Test(arguments: ["[libraries]", " [ libraries ] # mine", "[\"libraries\"]\r", "[\t'libraries']"])
  func `libraries have names below their table`(table: String) throws {
    let text =
      "view = \"grid\"\n\(table)\n# a disk\nwork = \"postgresql://h/d?blobs=s3://b\"\n'at-home_2' = '~/pictures'\n"
    let content = try SettingsFile.content(of: Data(text.utf8), path: "config.toml", isLibrarys: false)
    #expect(content.settings == [.view: "grid"])
    #expect(content.libraries == ["work": "postgresql://h/d?blobs=s3://b", "at-home_2": "~/pictures"])
  }

  @Test(arguments: [
    "[libraries.work]", "libraries.work = \"/w\"", "libraries = { a = 1 }", "[libraries", "[[libraries]]",
    "[libraries] work = \"/w\"", "[libraries]]",
  ])
  func `a library that is named in another way is told how`(text: String) {
    #expect(
      mistake("view = \"list\"\n\(text)")
        == "config.toml:2: a library is not named in this way: write [libraries], and below it work = \"/FOLDER\"")
  }

  @Test(arguments: ["work", "./work", "", "s3://b/p", "postgres:/me:secretword@h/d", "/a\\u0000", "view", "~ann"])
  func `a library is an address or a whole path, and what it is instead is not repeated`(value: String) {
    #expect(
      mistake("[libraries]\nwork = \"\(value)\"")
        == "config.toml:2: the library work is neither an address nor the whole path of a folder: "
        + "write work = \"postgresql://…\", or a path that begins with / or ~/")
  }

  @Test(arguments: ["\"\"", "\"a b\"", "a.b", "\"a/b\"", "-a", "\"..\"", "\"a\\u001b\""])
  func `the name of a library is one word`(name: String) {
    #expect(mistake("[libraries]\n\(name) = \"/w\"")?.contains("cannot be the name of a library: use letters") == true)
  }

  @Test func `a name and the table stand once`() {
    #expect(
      mistake("[libraries]\na = \"/w\"\na = \"/v\"") == "config.toml:3: a stands here a second time: keep one of them")
    #expect(
      mistake("[libraries]\n[libraries]") == "config.toml:2: [libraries] stands here a second time: keep one of them")
  }

  @Test(arguments: ["[hosts.\"Photo.example\"]", " [ hosts . 'photo.example' ] # mine"])
  func `a host has its settings below its table`(table: String) throws {
    let text = "\(table)\nuser-agent = \"Mozilla/5.0 (X11)\"\ndelay = \"2s\"\n[hosts.localhost]\ncookies = \"c.txt\"\n"
    let content = try SettingsFile.content(of: Data(text.utf8), path: "config.toml", isLibrarys: false)
    #expect(Set(content.hosts.keys) == ["photo.example", "localhost"])
    let options = content.hosts["photo.example"]?.options([])
    #expect(options == HostOptions(agent: "Mozilla/5.0 (X11)", delay: .seconds(2)))
    #expect(content.hosts["localhost"]?.cookies == "c.txt")
    #expect(HostSettings.key(of: "Bücher.example:8080") == "xn--bcher-kva.example:8080")
  }

  @Test(arguments: ["[hosts]", "[hosts.a.example]", "hosts.a = 1", "[hosts.\"\"]", "[hosts.\"a\"] delay = 1"])
  func `a host that is named in another way is told how`(text: String) {
    #expect(
      mistake(text)
        == "config.toml:1: a host is not named in this way: write [hosts.\"example.org\"], and below it delay = \"2s\"")
  }

  @Test(arguments: [
    "token = \"x\"", "authorization = \"Bearer x\"", "user-agent = \"Bearer secretword\"",
    "user-agent = \"x secretword0secretword1secretword\"", "referer = \"https://a.example/?access_token=secretword\"",
  ])
  func `a token of a host is refused, and not repeated`(line: String) throws {
    let mistake = try #require(self.mistake("[hosts.\"a.example\"]\n\(line)"))
    #expect(
      mistake
        == "config.toml:2: what is set for a.example holds a token, and tokens stand in accounts.json alone: "
        + "remove it, and run \"media login a.example\"")
  }

  @Test func `a wrong setting of a host says what it takes`() {
    let text = { (line: String) in mistake("[hosts.\"a.example\"]\n\(line)") }
    #expect(text("cookie = \"a=b\"")?.contains("did you mean cookies?") == true)
    #expect(text("delay = \"2 days\"")?.contains("write delay = \"2s\", an hour at most") == true)
    #expect(text("referer = \"a.example\"")?.contains("write referer = \"https://example.org/\"") == true)
    #expect(text("delay = \"1s\"\ndelay = \"2s\"")?.contains("a second time") == true)
    #expect(mistake("[hosts.\"http://a.example/\"]")?.contains("is not a host") == true)
  }

  @Test func `cookies count if nobody else can read them, and hosts of a library's file do not`() throws {
    let scratch = try Scratch()
    let (own, library) = ("\(scratch.path)/own/media", "\(scratch.path)/library")
    for folder in [own, "\(library)/config"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try "[hosts.\"a.example\"]\ncookies = \"cookies.txt\"\n".write(
        toFile: "\(folder)/config.toml", atomically: true, encoding: .utf8)
    }
    let paths = try LibraryPaths(
      environment: ["HOME": "/h", "MEDIA_HOME": library, "XDG_CONFIG_HOME": "\(scratch.path)/own"],
      currentFolder: "/work")
    let failure = { #expect(throws: ConfigurationFileError.self) { try paths.hosts(now: Date()) }?.description }
    let file = "\(own)/cookies.txt"
    #expect(failure()?.hasPrefix("\(file): there is no such file of cookies") == true)
    try "a.example\tFALSE\t/\tTRUE\t0\tsession\tword\n".write(toFile: file, atomically: true, encoding: .utf8)
    chmod(file, 0o640)
    #expect(failure() == "\(file): others can read these cookies: run \"chmod 600 \(file)\"")
    chmod(file, 0o600)
    #expect(try paths.hosts(now: Date())["a.example"]?.cookies.count == 1)
    let alone = try LibraryPaths(environment: ["MEDIA_HOME": library], currentFolder: "/work")
    #expect(try alone.hosts(now: Date()).isEmpty)
  }

  @Test func `a library's file sets only settings; other lines are ignored and named`() throws {
    let text = "view = \"grid\"\ncolour = {a = [1]}\nproxy = \"http://p\"\n[libraries]\nwork = 'x\nview = nonsense\n"
    let content = try SettingsFile.content(of: Data(text.utf8), path: "config.toml", isLibrarys: true)
    #expect(content.settings == [.view: "grid"])
    #expect(content.ignored == ["colour", "proxy", "[libraries]"])
    #expect(throws: ConfigurationFileError.self) {
      try SettingsFile.content(of: Data("view = \"nonsense\"".utf8), path: "config.toml", isLibrarys: true)
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a file that never ends or is too long is refused`() throws {
    let folder = NSTemporaryDirectory() + "settings-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    mkfifo("\(folder)/fifo", 0o600)
    try Data(count: SettingsFile.longest + 1).write(to: URL(fileURLWithPath: "\(folder)/long"))
    for (name, reason) in [("fifo", "it is not a regular file"), ("long", "it is longer than 262144 bytes")] {
      let path = "\(folder)/\(name)"
      #expect(throws: ConfigurationFileError.self) { try SettingsFile.read(path) }
      let error = #expect(throws: ConfigurationFileError.self) { try SettingsFile.read(ofLibrary: path) }
      #expect(error?.description == "\(path): \(reason)")
    }
  }

  @Test(
    arguments: [
      ("view", "\"view\" has no value"), ("view =", "\"view\" has no value"),
      ("view = # grid", "\"view\" has no value"),
      ("view: grid", "\"view:\" has no value"), ("view = [1]", "\"view\" takes one value, no list of them"),
      ("view = {a = 1}", "\"view\" takes one value, no list of them"),
      ("0=[}o", "\"0\" takes one value, no list of them"), ("view = \"grid", "a value does not end on its line"),
      ("view = 'grid\\'s", "\"s\" stands behind the value"), ("notify = '''a''", "a value does not end on its line"),
      ("\"view = 1", "a name does not end on its line"), ("view = \"list\" grid", "\"grid\" stands behind the value"),
    ])
  func `a line that is not a setting is reported with what it lacks`(line: String, reason: String) {
    #expect(mistake(line) == "config.toml:1: \(reason): a setting is written as refresh = \"60s\"")
  }

  @Test func `a word without quotation marks is shown with them`() {
    #expect(
      mistake("view = \"list\"\nrefresh = 60s # often")
        == "config.toml:2: \"60s\" stands without quotation marks: write refresh = \"60s\"")
    #expect(
      mistake("refresh2=6411-0x-=@ 2 \"")
        == "config.toml:1: \"6411-0x-=@\" stands without quotation marks: write refresh2 = \"6411-0x-=@\"")
  }

  @Test(arguments: ["\\q", "\\u12", "\\uD800", "\\U00110000", "\\u+123", "\\"])
  func `an escape that stands for nothing is a mistake`(escape: String) {
    #expect(mistake("notify = \"mail \(escape)").map { $0.contains("escapes nothing") || $0.contains("end") } == true)
    #expect(mistake("notify = \"mail \(escape) \"") != nil)
  }

  @Test func `a file that is not text is refused with its line`() {
    let bytes = Data("view = \"list\"\ncache = \"".utf8) + [0xFF, 0xFE] + Data("\"".utf8)
    let error = #expect(throws: ConfigurationFileError.self) {
      try SettingsFile.settings(in: bytes, path: "config.toml")
    }
    #expect(error?.description == "config.toml:2: it is not text in UTF-8")
    #expect(mistake("view = \"list\"\u{0}") == "config.toml:1: it is not text in UTF-8")
  }

  @Test(arguments: ["[=", "[\u{5}a]", "[é]", " [ [ #", "[[\t", "[]", "["])
  func `a table is a mistake whatever its name`(opening: String) {
    #expect(
      mistake("view = \"list\"\n\(opening)\nx = 1")
        == "config.toml:2: a table begins: settings stand in no table, and libraries in [libraries]")
  }

  @Test func `TOML's own kinds are taken`() throws {
    #expect(try file("avatars = true\nrefresh = 90\n") == [.avatars: "on", .refresh: "90s"])
    #expect(try file("\"view\" = 'grid' # as I like it").first?.value == "grid")
    #expect(
      try file("\u{FEFF}view='grid'\r\n\r\n# mine\r\n\tcache\t=\t3_000_000\r\n") == [.view: "grid", .cache: "3MB"])
    #expect(try file("notify = \"printf \\\"%s\\\" \\u00e9\\\\\"") == [.notify: "printf \"%s\" é\\"])
    #expect(
      try file("notify = '''say \"it's\" ann'''\nrefresh = 1.5") == [.notify: "say \"it's\" ann", .refresh: "1.5s"])
    #expect(try file("").isEmpty)
  }
}
