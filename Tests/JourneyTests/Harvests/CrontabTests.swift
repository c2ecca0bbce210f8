import Foundation
import Machine
import Testing

@testable import media

struct CrontabTests {
  @Test(
    arguments: [
      (1, "* * * * *"), (15, "*/15 * * * *"), (60, "0 * * * *"), (120, "0 */2 * * *"), (1440, "0 0 * * *"),
    ])
  func `intervals that divide an hour or a day are written and read`(minutes: Int, fields: String) throws {
    #expect(try CronInterval(.seconds(minutes * 60)).fields == fields)
    #expect(CronInterval(fields)?.minutes == minutes)
  }

  @Test(
    arguments: [
      ("7m", "choose --every 6m or --every 10m, or add --systemd"),
      ("90m", "choose --every 60m or --every 2h, or add --systemd"),
      ("90s", "choose --every 60s or --every 2m, or add --systemd"),
      ("2d", "choose --every 24h, or add --systemd"),
    ])
  func `other intervals are refused, and the nearest possible one is named`(every: String, cure: String) throws {
    let interval = try #require(Measures.duration(every))
    let error = #expect(throws: ScheduleError.self) { try CronInterval(interval) }
    #expect(error?.cure == cure)
  }

  @Test func `the next run is right, also where clocks change`() throws {
    let calendar = ZoneCalendar(try #require(TimeZone(identifier: "Europe/Berlin")))
    func next(_ minutes: Int, after text: String) throws -> Date? {
      let time = try Date(text, strategy: .iso8601)
      return try CronInterval(.seconds(minutes * 60)).next(after: time, in: calendar)
    }
    #expect(try next(15, after: "2026-11-21T10:00:00Z") == Date("2026-11-21T10:15:00Z", strategy: .iso8601))
    #expect(try next(1, after: "2026-11-21T10:00:59Z") == Date("2026-11-21T10:01:00Z", strategy: .iso8601))
    #expect(try next(1440, after: "2026-11-21T10:00:00Z") == Date("2026-11-21T23:00:00Z", strategy: .iso8601))
    // 02:00 to 03:00 of 29 March is missing.
    #expect(try next(120, after: "2026-03-29T00:30:00Z") == Date("2026-03-29T02:00:00Z", strategy: .iso8601))
  }

  @Test(arguments: [" ", "\t ", "\r"]) func `blanks that an editor left behind a line do not make another of it`(
    blanks: String
  ) {
    let mark = Crontab.mark("abcd1234")
    var crontab = Crontab(Array("0 * * * * old \(mark)\(blanks)\n".utf8))
    crontab.set("* * * * * new \(mark)", for: "abcd1234")
    #expect(crontab.bytes == Array("* * * * * new \(mark)\n".utf8))
  }

  @Test func `other lines stay as they are, byte for byte`() {
    let others: [UInt8] = Array("MAILTO=ada\n# mine\n".utf8) + [0xFF, 0xFE, 10] + Array("\n* * * * * true".utf8)
    var crontab = Crontab(others)
    crontab.set("* * * * * media # media schedule aa", for: "aa")
    crontab.set("* * * * * media # media schedule bb", for: "bb")
    crontab.set("*/5 * * * * media # media schedule aa", for: "aa")
    let own = "\n*/5 * * * * media # media schedule aa\n* * * * * media # media schedule bb\n"
    #expect(crontab.bytes == others + Array(own.utf8))
    #expect(crontab.line("aa") == "*/5 * * * * media # media schedule aa")
    let before = crontab
    crontab.set("*/5 * * * * media # media schedule aa", for: "aa")
    #expect(crontab == before)
    crontab.set(nil, for: "aa")
    crontab.set(nil, for: "bb")
    #expect(crontab.bytes == others + [10])
    #expect(crontab.line("aa") == nil)
  }

  /// Splits a line as Vixie cron does: a backslash protects the next character, and is removed before `%`.
  private func readByCron(_ text: String) -> String {
    var (read, isEscaped) = ("", false)
    for character in text.unicodeScalars {
      if isEscaped, character == "%" { read.unicodeScalars.removeLast() }
      if !isEscaped, character == "%" { return read }
      read.unicodeScalars.append(character)
      isEscaped = !isEscaped && character == "\\"
    }
    return read
  }

  @Test(
    arguments: [
      "/home/ada/media", "/a b/c", "/it's/\"so\"", "/100%/x", #"/back\slash"#, #"/both\%here"#, #"/more\\%%\%"#,
      "/$HOME/`id`",
      "/ünï/日本", "/tail\\", "/-n", "/#x", "/wow!/a!b", #"/it\!'s!"#, "/a'\u{301}b\"\u{301}%\u{301}!\u{301}\\\u{301}",
    ])
  func `cron and the shell give back what was meant`(path: String) throws {
    let command = ScheduledHarvest.anyShellWord("printf %s " + ScheduledHarvest.shellWord(path))
    let line = ScheduledHarvest.cronText("/bin/sh -c \(command) \(Crontab.mark("abcd1234"))")
    // For each shell that a user may have set above the line, if installed.
    for shell in ["sh", "bash", "csh", "tcsh"].compactMap({ Program($0, ["PATH": "/bin:/usr/bin"]) }) {
      let result = try shell.run(["-c", readByCron(line)])
      #expect(String(decoding: result.output, as: UTF8.self) == path, "\(shell)")
    }
  }

  private func harvest(_ library: String, _ environment: [String: String] = [:]) throws -> ScheduledHarvest {
    let paths = try LibraryPaths(environment: ["MEDIA_HOME": library, "HOME": "/home/ada"], currentFolder: "/")
    return ScheduledHarvest(program: "/opt/media/bin/media", paths: paths, environment: environment)
  }

  @Test func `the line names all it needs, since cron gives it next to nothing`() throws {
    let made = try harvest("/data/my media", ["http_proxy": "http://127.0.0.1:3128", "https_proxy": "http://a:b@c/"])
    #expect(
      try made.cronLine(CronInterval(.seconds(900)))
        == "*/15 * * * * /bin/sh -c 'umask 077; PATH=/opt/media/bin:/usr/local/bin:/usr/bin:/bin "
        + #"MEDIA_HOME='\''/data/my media'\'' XDG_CONFIG_HOME=/home/ada/.config http_proxy=http://127.0.0.1:3128 /opt/media/bin/media harvest "#
        + #"--due --quiet --library '\''/data/my media'\'' >> '\''/data/my media/harvest.log'\'' 2>&1' "#
        + "# media schedule \(made.name)")
    let interval = try CronInterval(.seconds(900))
    #expect(throws: ScheduleError.unfitPath("/a\nb")) { try harvest("/a\nb").cronLine(interval) }
    let long = "/" + String(repeating: "x", count: 400)
    #expect(throws: ScheduleError.tooLong) { try harvest(long).cronLine(interval) }
    #expect(try harvest("/a").name != harvest("/b").name)
  }

  @Test func `files that decide whom to trust are named in the line, whatever they are called`() throws {
    let made = try harvest(
      "/data/media", ["CURL_CA_BUNDLE": "/home/ada@work/ca.pem", "NETRC": "/n@1", "all_proxy": "http://a:b@c/"])
    let line = try made.cronLine(CronInterval(.seconds(900)))
    #expect(line.contains(" CURL_CA_BUNDLE=/home/ada@work/ca.pem NETRC=/n@1 /opt/media/bin/media harvest "))
    #expect(!line.contains("all_proxy"))
    #expect(made.serviceDropIn.contains(#"Environment="CURL_CA_BUNDLE=/home/ada@work/ca.pem""#))
  }

  @Test func `a unit's words are as systemd reads them`() throws {
    let made = try harvest(#"/a "b"\%$c"#)
    #expect(made.serviceDropIn.contains(#"--library" "/a \"b\"\\%%$$c""#))
    #expect(made.serviceDropIn.contains(#"Environment="MEDIA_HOME=/a \"b\"\\%%$c""#))
    #expect(ScheduledHarvest.unitWord("\"\u{301}%\u{301}") == "\"\\\"\u{301}%%\u{301}\"")
    #expect(made.timerDropIn(every: .seconds(420)).contains("\nOnUnitActiveSec=420\n"))
  }
}
