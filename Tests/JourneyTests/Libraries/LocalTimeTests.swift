import Foundation
import Machine
import Testing

/// The built program has no tables of zones but the machine's.
@Suite(.timeLimit(.minutes(2))) struct LocalTimeTests {
  /// A day's post of each quarter, and what `date` of the same machine says about the same times.
  @Test(arguments: [
    "UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Sydney", "Asia/Kolkata",
    ":Europe/Berlin",
    "CET-1CEST,M3.5.0,M10.5.0/3", "", nil,
  ])
  func `times are local by the machine's zone, in every season`(zone: String?) async throws {
    var sandbox = try Sandbox()
    sandbox.environment["TZ"] = zone
    for time in ["2026-01-21 00:05", "2026-04-21 12:00", "2026-07-21 23:55", "2026-10-21 12:00"] {
      let added = try await sandbox.media("add", "a post of \(time)", "--at", time, "--json")
      try #require(added.status == 0, "\(added.errors)")
      let known = try await sandbox.bash("date -u -d @$(date -d '\(time)' +%s) +%Y-%m-%dT%H:%M:%S.000Z")
      let said = known.output.trimmingCharacters(in: .newlines)
      #expect(added.output.contains(said), "\(time): \(added.output), not \(said)")
      let day = String(time.prefix(10))
      let listed = try await sandbox.media("list", "--day", day)
      #expect(listed.output.contains("a post of \(time)"), "\(day): \(listed.output)")
      #expect(listed.output.split(separator: "\n").filter { $0.contains("a post of") }.count == 1)
    }
  }

  /// By Foundation's calendar, which the test has whole.
  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29"), ("Europe/Berlin", "2026-10-25"), ("Australia/Sydney", "2026-10-04"),
    ("America/Santiago", "2026-09-06"), ("America/Santiago", "2026-04-04"),
  ])
  func `a day of a clock change holds its own posts and no others`(zone: String, day: String) async throws {
    var sandbox = try Sandbox()
    sandbox.environment["TZ"] = zone
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let noon = try #require(
      calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12)))
    let whole = try #require(calendar.dateInterval(of: .day, for: noon))
    for (word, moment) in [
      ("before", whole.start.addingTimeInterval(-1)), ("first", whole.start),
      ("last", whole.end.addingTimeInterval(-1)), ("after", whole.end),
    ] {
      try #require(try await sandbox.media("add", "the \(word) post", "--at", UTC.text(moment)).status == 0)
    }
    let listed = try await sandbox.media("list", "--day", day).output
    #expect(["before", "first", "last", "after"].filter { listed.contains("the \($0) post") } == ["first", "last"])
  }

  @Test(arguments: [
    ("https://MÜLLER.example", "müller.example"), ("https://xn--mller-kva.example", "müller.example"),
    ("https://straße.example", "straße.example"),
  ])
  func `a server with letters of any script has one name`(address: String, name: String) async throws {
    let sandbox = try Sandbox()
    let pulled = try await sandbox.media("tag", "cats", "--server", address)
    #expect(pulled.status != 0)
    #expect(pulled.errors.contains(name), "\(pulled.errors)")
  }

  /// Foundation links ICU, FoundationEssentials does not. An import alone links it: a program that uses nothing of it passes.
  @Test(arguments: ["media", "media-picture", "media-demo"])
  func `no program uses the part of Foundation that needs ICU`(program: String) async throws {
    let symbols = try await Sandbox().bash("nm -D --undefined-only \(Sandbox.built(program))").output
    #expect(symbols.contains("20FoundationEssentials"))
    let used = symbols.split(separator: "\n").filter { $0.contains("10Foundation") || $0.contains("_FoundationICU") }
    #expect(used.isEmpty, "\(used)")
  }
}
