import Foundation
import ScriptedOrigin
import Testing

/// `media import` of what `media export` writes: libraries, diaries and calendars.
@Suite(.timeLimit(.minutes(10))) struct ImportOwnFormsTests {
  private func write(_ text: String, _ name: String, _ sandbox: Sandbox) throws -> String {
    let path = "\(sandbox.folder)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func `a diary comes in once, changes when it is imported again, and leaves as it came`() async throws {
    let sandbox = try Sandbox()
    let entry =
      #"{"id":1,"date_start":"147600000","date_finish":"147610000","name":"My task","description":"Описание"}"#
    let path = try write("[\n\(entry)\n]\n", "diary.json", sandbox)

    let plan = try await sandbox.media("import", path, "--dry-run", "--json").object()
    #expect([plan["new"], plan["updated"]] as? [Int] == [1, 0])
    #expect(try await sandbox.media("list", "--json").output.isEmpty)

    #expect(try await sandbox.media("import", path).output == "Imported: 1 new, 0 updated, 0 unchanged\n")
    #expect(try await sandbox.media("import", path).output == "Imported: 0 new, 0 updated, 1 unchanged\n")
    #expect(try await sandbox.media("export", "--format", "diary").output.contains(entry))

    _ = try write("[\(entry.replacing("My task", with: "Another task"))]", "diary.json", sandbox)
    #expect(try await sandbox.media("import", path).output == "Imported: 0 new, 1 updated, 0 unchanged\n")
    let post = try #require(try await sandbox.media("list", "--json").objects().first)
    #expect(post["title"] as? String == "Another task")
    #expect(post["revisions"] as? Int == 1)
  }

  @Test func `a diary with typographic quotes is refused with their place, and nothing is stored`() async throws {
    let sandbox = try Sandbox()
    let path = try write("[{“id”:1,“date_start”:”147600000”,“name”:”My task”}]", "diary.json", sandbox)
    expect(
      try await sandbox.media("import", path, "--format", "diary"), fails: 65, saying: "typographic quotes at byte 2")
    #expect(try await sandbox.media("list", "--json").output.isEmpty)
  }

  @Test func `a calendar comes in once, and says what it left out`() async throws {
    let sandbox = try Sandbox()
    let calendar = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//made up//EN", "BEGIN:VEVENT", "UID:one@example",
      "DTSTAMP:20261101T000000Z", "DTSTART;TZID=Europe/Berlin:20261103T143000",
      "DTEND;TZID=Europe/Berlin:20261103T161000", "SUMMARY:Dentist", "CATEGORIES:health", "END:VEVENT", "BEGIN:VEVENT",
      "UID:two@example", "DTSTAMP:20261101T000000Z", "DTSTART:20261104T100000Z", "RRULE:FREQ=DAILY", "SUMMARY:Walk",
      "END:VEVENT", "BEGIN:VTODO", "UID:three@example", "SUMMARY:Buy milk", "END:VTODO", "END:VCALENDAR",
    ]
    let path = try write(calendar.joined(separator: "\r\n") + "\r\n", "calendar.ics", sandbox)
    let imported = try await sandbox.media("import", path)
    // The days until two years ahead.
    let new = try #require(imported.output.firstMatch(of: /Imported: (\d+) new, 0 updated, 0 unchanged\n/)?.1)
    #expect(Int(new).map { $0 > 700 && $0 <= 1001 } == true, "\(imported.output)\(imported.errors)")
    #expect(imported.errors.contains("recurring") && imported.errors.contains("1 task"))
    #expect(try await sandbox.media("import", path).output == "Imported: 0 new, 0 updated, \(new) unchanged\n")
    let dentist = try #require(try await sandbox.media("list", "--tag", "health", "--json").objects().first)
    #expect(dentist["created_at"] as? String == "2026-11-03T13:30:00.000Z")
    #expect(dentist["ends_at"] as? String == "2026-11-03T15:10:00.000Z")
  }

  @Test func `a recurring event whose time was moved is updated, with what the person said of it`() async throws {
    let sandbox = try Sandbox()
    func calendar(_ time: String) throws -> String {
      let lines = [
        "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:20250903T\(time)Z", "RRULE:FREQ=WEEKLY;COUNT=9",
        "SUMMARY:Walk", "END:VEVENT", "END:VCALENDAR", "",
      ]
      return try write(lines.joined(separator: "\r\n"), "calendar.ics", sandbox)
    }
    try await sandbox.media("import", try calendar("090000"))
    let second = try #require(try await sandbox.media("list", "--json").objects().last { $0["id"] as? Int == 2 })
    try await sandbox.media("mark", "2", "--rating", "4")
    let moved = try calendar("093000")
    #expect(try await sandbox.media("import", moved).output == "Imported: 0 new, 9 updated, 0 unchanged\n")
    #expect(try await sandbox.media("import", moved).output == "Imported: 0 new, 0 updated, 9 unchanged\n")
    let posts = try await sandbox.media("list", "--json").objects()
    #expect(posts.count == 9 && posts.allSatisfy { ($0["created_at"] as? String)?.contains("T09:30") == true })
    let rated = try #require(posts.first { $0["rating"] as? Int == 4 })
    #expect((rated["created_at"] as? String)?.prefix(10) == (second["created_at"] as? String)?.prefix(10))
  }

  @Test(.inFolders) func `a library without loss makes an empty one equal, and changes an equal one no more`()
    async throws
  {
    try await withOrigin(Script(posts: 30)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media(
        "tag", "cats", "--server", origin.url, "--pages", "2", "--page-size", "10", "--no-avatars")
      try await sandbox.media("add", "a kingfisher", "--tag", "birds")
      try await sandbox.media("delete", "3")
      let out = "\(sandbox.folder)/out"
      try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
      try await sandbox.media("export", "--out", "\(out)/library.ndjson", "--blobs", out, "--raw")

      let other = "\(sandbox.folder)/other"
      let imported = try await sandbox.media("import", "\(out)/library.ndjson", "--library", other, "--json")
      #expect(imported.status == 0, "\(imported.errors)")
      #expect(try imported.object()["unreadable"] as? Int == 0)
      let compared = try await sandbox.media("check", "--library", other, "--against", sandbox.library)
      #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
      #expect(try await sandbox.media("check", "--library", other).status == 0)
      let again = try await sandbox.media("import", "\(out)/library.ndjson", "--library", other, "--json").object()
      #expect([again["new"], again["updated"], again["pictures"]] as? [Int] == [0, 0, 0])
    }
  }

  @Test(.inFolders) func `pictures that are not beside an export are counted, and come with the next pull`()
    async throws
  {
    try await withOrigin(Script.each(3)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--all", "--no-avatars")
      let (file, other) = ("\(sandbox.folder)/library.ndjson", "\(sandbox.folder)/other")
      try await sandbox.media("export", "--out", file)

      let plan = try await sandbox.media("import", file, "--library", other, "--dry-run", "--json").object()
      #expect(plan["missing"] as? Int == 3)
      let imported = try await sandbox.media("import", file, "--library", other)
      #expect(imported.status == 0 && imported.output == "Imported: 3 new, 0 updated, 0 unchanged\n")
      #expect(imported.errors.contains("3 pictures not taken over"), "\(imported.errors)")
      try await sandbox.media("tag", "cats", "--server", origin.url, "--library", other, "--no-avatars")
      let posts = try await sandbox.media("list", "--library", other, "--json").objects()
      let states = posts.flatMap { $0["attachments"] as? [[String: Any]] ?? [] }.map { $0["state"] as? String }
      #expect(states == ["stored", "stored", "stored"])
    }
  }

  @Test(.inFolders) func `one archive holds a library with its pictures, and a damaged picture in it is not stored`()
    async throws
  {
    try await withOrigin(Script.each(9)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--all")
      let (tar, other) = ("\(sandbox.folder)/library.tar", "\(sandbox.folder)/other")
      let exported = try await sandbox.media("export", "--out", tar, "--raw", "--json")
      #expect(exported.status == 0, "\(exported.errors)")
      let list = try await run("tar", ["-tf", tar])
      #expect(list.hasPrefix("library.ndjson\nblobs/"), "\(list.prefix(100))")
      let plan = try await sandbox.media("import", tar, "--library", sandbox.library, "--dry-run")
      #expect(plan.output == "Would import: 0 new, 0 updated, 9 unchanged\n", "\(plan.errors)")
      let tried = try await sandbox.media("import", tar, "--library", other, "--dry-run", "--json")
      let imported = try await sandbox.media("import", tar, "--library", other, "--json")
      #expect(try imported.object()["pictures"] as? Int ?? 0 > 0, "\(imported.errors)")
      for key in ["new", "pictures", "missing"] {
        #expect(try tried.object()[key] as? Int == (try imported.object()[key] as? Int), "\(key): \(tried.output)")
      }
      let compared = try await sandbox.media("check", "--library", other, "--against", sandbox.library)
      #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
      let again = try await sandbox.media("import", tar, "--library", other, "--json").object()
      #expect([again["new"], again["updated"], again["pictures"]] as? [Int] == [0, 0, 0])

      var bytes = try #require(FileManager.default.contents(atPath: tar))
      let picture = try #require(bytes.range(of: Data("blobs/".utf8), options: .backwards)).lowerBound + 512
      bytes[picture] ^= 0xFF
      #expect(FileManager.default.createFile(atPath: tar, contents: bytes))
      let damaged = try await sandbox.media("import", tar, "--library", "\(sandbox.folder)/third", "--json").object()
      #expect(damaged["pictures"] as? Int == (try imported.object()["pictures"] as? Int ?? 0) - 1)
      let check = try await sandbox.media("check", "--deep", "--json", "--library", "\(sandbox.folder)/third")
      #expect((check.status, check.output) == (0, ""), "\(check.output)\(check.errors)")
      expect(
        try await sandbox.media("export", "--out", tar, "--blobs", other, "--force"), fails: 64, saying: "a tar has")
    }
  }

  private func run(_ program: String, _ arguments: [String]) async throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    (process.arguments, process.standardOutput) = ([program] + arguments, pipe)
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a library that was cut off is imported as far as it goes, and says so`() async throws {
    let sandbox = try Sandbox()
    for text in ["a heron", "an egret"] { try await sandbox.media("add", text) }
    let whole = try await sandbox.media("export").output
    let path = try write(whole.split(separator: "\n").dropLast().joined(separator: "\n"), "cut.ndjson", sandbox)
    let imported = try await sandbox.media("import", path, "--library", "\(sandbox.folder)/other")
    #expect(imported.status == 1)
    #expect(imported.errors.contains("has no end"))
  }
}
