import Foundation
import ScriptedOrigin
import Testing

/// Planner entries: posts made by hand with a start, a finish and files.
@Suite(.timeLimit(.minutes(5))) struct PlannerTests {
  private func file(_ sandbox: Sandbox, _ name: String, _ bytes: String = "bytes") throws -> String {
    let path = "\(sandbox.folder)/\(name)"
    try Data(bytes.utf8).write(to: URL(filePath: path))
    return path
  }

  private func names(_ post: [String: any Sendable]) -> [String?] {
    (post["attachments"] as? [[String: any Sendable]] ?? []).map { $0["name"] as? String }
  }

  @Test func `a file keeps its own name, and one from another command has none`() async throws {
    let sandbox = try Sandbox()
    let hostile = try file(sandbox, "\u{202E}gpj.exe \u{1B}[31m.txt")
    let added = try await sandbox.media(
      "add", "with files", "--attach", try file(sandbox, "map of the walk.txt"), "--attach", hostile, "--attach",
      "/dev/stdin", "--json", input: "from a pipe")
    #expect(added.status == 0, "\(added.errors)")
    #expect(names(try added.object()) == ["map of the walk.txt", "\u{202E}gpj.exe [31m.txt", nil])
    let pipe = (try added.object()["attachments"] as? [[String: any Sendable]])?.last
    #expect(pipe?.keys.contains("name") == false)
    let shown = try await sandbox.media("show", "1").output
    #expect(shown.contains("[file] map of the walk.txt stored"), "\(shown)")
    #expect(!shown.contains("\u{202E}") && !shown.contains("\u{1B}"))
  }

  @Test func `an entry's finish is in its JSON and on its page; without one it is null`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "the dentist", "--at", "2026-11-21 14:30", "--until", "2026-11-21 16:10")
    try await sandbox.media("add", "no end", "--at", "2026-11-20 10:00")
    let objects = try await sandbox.media("list", "--json").objects()
    #expect(objects.map { $0["ends_at"] as? String } == ["2026-11-21T16:10:00.000Z", nil])
    #expect(objects[1].keys.contains("ends_at"))
    #expect(try await sandbox.media("show", "1").output.contains("2026-11-21 14:30 to 2026-11-21 16:10"))
  }

  @Test func `an entry is planned with a name, a start, and nothing else that is wanted`() async throws {
    let sandbox = try Sandbox()
    let planned = try await sandbox.media("plan", " Dentist ", "--start", "2999-12-03 14:30", "--json").object()
    #expect(planned["title"] as? String == "Dentist")
    #expect(planned["caption"] as? String == "")
    #expect(planned["created_at"] as? String == "2999-12-03T14:30:00.000Z")
    #expect(planned["origin"] as? String == "manual")
    let said = try await sandbox.media(
      "plan", "Crown", "--start", "2999-12-04 14:30", "--finish", "2999-12-04 16:10", "--text", "bring papers", "--tag",
      "#Health", "--attach", try file(sandbox, "form.pdf", "%PDF-1.4"))
    #expect(said.errors == "Planned post 2 for 2999-12-04 14:30 to 16:10.\n")
    let post = try await sandbox.media("show", "2", "--json").object()
    #expect(post["tags"] as? [String] == ["health"])
    #expect(names(post) == ["form.pdf"])
  }

  @Test(arguments: [
    (["plan", "Dentist"], "--start"), (["plan", " ", "--start", "2026-12-03"], "the name is empty"),
    (
      ["plan", "x", "--start", "2026-12-03 10:00", "--finish", "2026-12-03 10:00"], "the finish is not after the start"
    ),
    (
      ["plan", "x", "--start", "2026-12-03 10:00", "--finish", "2026-12-03 09:59"], "the finish is not after the start"
    ),
    (["plan", "x", "--start", "noon"], "the start noon is not a time"),
    (["plan", "x", "--start", "2026-12-03", "--text", "ab"], "the text has 2 characters"),
    (["plan", "x", "--start", "2026-12-03", "--attach", "/dev/null"], "/dev/null is not a file"),
    (["edit", "1"], "nothing is to be changed"), (["edit", "4711", "--title", "x"], "no post has the id 4711"),
    (["edit", "1", "--finish", "2026-01-01"], "the finish is not after the start"),
    (["edit", "1", "--no-title", "--no-text"], "post 1 would have neither a title, a text nor a file"),
    (["edit", "1", "--title", "x", "--no-title"], "not both"), (["edit", "1", "--detach", "1"], "no such attachment"),
    (["edit", "1", "--tag", "two words"], "a tag is one word"), (["edit", "1", "--text", "ab"], "2 characters"),
    (["open", "1"], "post 1 has no attachment"), (["open", "4711"], "no post has the id 4711"),
  ])
  func `a mistyped entry or edit ends with 64, says why, and changes nothing`(arguments: [String], word: String)
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.media("plan", "Lunch", "--start", "2026-11-21 12:00")
    let before = try await sandbox.media("list", "--json").output
    let ended = try await sandbox.run(arguments)
    #expect(ended.status == 64 && ended.errors.contains(word), "\(ended)")
    #expect(try await sandbox.media("list", "--json").output == before)
  }

  @Test func `an edit changes what it names, keeps the old wording, and a moved entry keeps its length`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media(
      "plan", "Dentist", "--start", "2026-11-21 14:30", "--finish", "2026-11-21 16:10", "--text", "bring papers",
      "--tag", "health", "--attach", try file(sandbox, "a.txt", "one"), "--attach", try file(sandbox, "b.txt", "two"))
    let edited = try await sandbox.media(
      "edit", "1", "--title", "The dentist", "--start", "2026-11-22 09:00", "--tag", "teeth", "--untag", "#Health",
      "--attach", try file(sandbox, "c.txt", "three"), "--detach", "1", "--json"
    ).object()
    #expect(edited["title"] as? String == "The dentist")
    #expect(edited["caption"] as? String == "bring papers")
    #expect(edited["created_at"] as? String == "2026-11-22T09:00:00.000Z")
    #expect(edited["ends_at"] as? String == "2026-11-22T10:40:00.000Z")
    #expect(edited["tags"] as? [String] == ["teeth"])
    #expect(names(edited) == ["b.txt", "c.txt"])
    #expect(edited["revisions"] as? Int == 1)
    #expect(edited["edited_at"] as? String != nil)
    #expect(try await sandbox.media("show", "1").output.contains("Dentist"))
    #expect(try await sandbox.media("list", "--search", "the dentist", "--json").objects().count == 1)
    let same = try await sandbox.media("edit", "1", "--title", "The dentist")
    #expect((same.status, same.errors) == (0, "Post 1 was so before: nothing changed.\n"))
    let stats = try await sandbox.media("edit", "1", "--no-finish", "--no-text", "--json").object()
    #expect(stats["ends_at"] as? String == nil && stats["caption"] as? String == "")
    #expect(try await sandbox.media("check", "--deep").status == 0)
  }

  @Test func `what is planned heads no list, is found by a search, and is listed soonest first with what is under way`()
    async throws
  {
    var sandbox = try Sandbox()
    sandbox.environment["TZ"] = "UTC"
    func day(_ days: Double) -> String { Date(timeIntervalSinceNow: days * 86_400).formatted(.iso8601) }
    try await sandbox.media("add", "a walk", "--start", "2020-01-01")
    try await sandbox.media("plan", "Next year", "--start", day(365), "--tag", "far")
    try await sandbox.media("plan", "Tomorrow", "--start", day(1.1), "--finish", day(1.2))
    try await sandbox.media("plan", "Under way", "--start", day(-0.1), "--finish", day(0.5))
    func titles(_ arguments: String...) async throws -> [String?] {
      try await sandbox.run(["list", "--json"] + arguments).objects().map { $0["title"] as? String }
    }
    #expect(try await titles() == ["Under way", nil])
    #expect(try await titles("--tag", "far") == [])
    #expect(
      try await sandbox.media("list", "--tag", "far").errors.contains("Nothing has begun yet: \"media list --planned\"")
    )
    // A search finds it, and what is written for others leaves it out, but where it is asked for.
    #expect(try await titles("next") == ["Next year"])
    for (filter, isWide) in [
      ("next", false), ("before:2999-01-01 -walk", true), ("tag:far", false), ("not:is:planned OR next", true),
    ] {
      let feed = try await sandbox.media("export", "--format", "json-feed", filter)
      #expect(feed.output.contains("Under way") == isWide && !feed.output.contains("Next year"))
    }
    #expect(try await sandbox.media("export", "--format", "json-feed", "is:planned").output.contains("Next year"))
    // Who names a saved search does not see that it asks for plans.
    try await sandbox.media("searches", "save", "all", "tag:far OR is:planned")
    #expect(try await titles("saved:all") == ["Next year", "Tomorrow"])
    let named = try await sandbox.media("export", "--format", "json-feed", "saved:all")
    #expect(named.status == 0 && !named.output.contains("Next year"))
    #expect(try await titles("--search", "tomorrow") == ["Tomorrow"])
    #expect(try await titles("--planned") == ["Under way", "Tomorrow", "Next year"])
    #expect(try await titles("--planned", "--tag", "far") == ["Next year"])
    let dayOfNext = String(day(365).prefix(10))
    try await sandbox.media("searches", "save", "then", "on:\(dayOfNext)")
    #expect(try await titles("saved:then") == ["Next year"])
    #expect(try await sandbox.media("delete", "--filter", "saved:then", "--dry-run").errors.contains("1 post"))
    #expect(try await titles("--planned", "--day", dayOfNext) == ["Next year"])
    #expect(try await titles("--day", dayOfNext) == ["Next year"])
    #expect(try await titles("on:\(dayOfNext)") == ["Next year"])
    #expect(try await titles("--since", dayOfNext) == [])
    expect(
      try await sandbox.media("export", "--format", "csv", "--day", dayOfNext), fails: 64, saying: "list --planned")
    let diary = try await sandbox.media("export", "--format", "diary", "--day", dayOfNext).output
    #expect(diary.contains("Next year") && !diary.contains("Tomorrow"), "\(diary)")
    let table = try await sandbox.media("list", "--planned").output.split(separator: "\n")
    #expect(table.count == 4 && table[1].contains(" now ") && !table[2].contains(" now "), "\(table)")
    #expect(try await sandbox.media("list", "--planned", "--before", "1").status == 64)
    try await sandbox.media("delete", "2", "3", "4")
    #expect(try await sandbox.media("list", "--planned").errors.contains("Nothing is planned."))
  }

  @Test func `what is planned stands in no export that lists posts, and in those that keep everything`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a walk", "--start", "2020-01-01")
    try await sandbox.media("plan", "A flight", "--start", Date(timeIntervalSinceNow: 86_400).formatted(.iso8601))
    for format in ["csv", "json-feed", "atom", "activitystreams"] {
      let text = try await sandbox.media("export", "--format", format).output
      #expect(text.contains("a walk") && !text.contains("A flight"), "\(format)")
    }
    for format in ["ndjson", "diary", "ics"] {
      #expect(try await sandbox.media("export", "--format", format).output.contains("A flight"), "\(format)")
    }
    try await sandbox.media(
      "plan", "A form", "--start", Date(timeIntervalSinceNow: 86_400).formatted(.iso8601), "--attach",
      try file(sandbox, "form.pdf", "%PDF-1.4"))
    let files = try await sandbox.media("export", "--files", "\(sandbox.folder)/files", "--limit", "3", "--json")
      .object()
    #expect(files["written"] as? Int == 0)
    let site = "\(sandbox.folder)/site"
    try await sandbox.media("export", "--format", "html", "--out", site)
    let pages = try await sandbox.bash("cat $(find '\(site)' -type f)").output
    #expect(pages.contains("a walk") && !pages.contains("A flight"))
  }

  @Test func `many edits at once by several processes lose nothing`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("plan", "Dentist", "--start", "2026-11-21 14:30")
    let ended = try await sandbox.bash(
      """
      for n in 1 2 3 4 5 6; do $MEDIA edit 1 --title "title $n" --tag tag$n >/dev/null & pids="$pids $!"; done
      for p in $pids; do wait $p || exit 1; done
      """)
    #expect(ended.status == 0, "\(ended.errors)")
    let post = try await sandbox.media("show", "1", "--json").object()
    #expect(Set(post["tags"] as? [String] ?? []) == Set((1...6).map { "tag\($0)" }))
    #expect(post["revisions"] as? Int == 6)
    let shown = try await sandbox.media("show", "1").output
    for number in 1...6 { #expect(shown.contains("title \(number)")) }
  }

  @Test func `a pulled post is not edited, and the reason is said in one line`() async throws {
    try await withOrigin(Script(posts: 2)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--no-pictures", "--no-avatars", "--server", origin.url)
      let edited = try await sandbox.media("edit", "1", "--title", "mine")
      #expect(edited.status == 64)
      #expect(edited.errors.contains("post 1 was pulled, and only posts made by hand can be edited"))
      let opened = try await sandbox.media("open", "1")
      #expect(opened.status != 0)
      #expect(opened.errors.contains("is not stored (skipped)") || opened.errors.contains("has no attachment"))
    }
  }
}

/// Attachments in other programs.
@Suite(.timeLimit(.minutes(5))) struct OpenCommandTests {
  private func attached(_ name: String, _ bytes: [UInt8]) async throws -> Sandbox {
    let sandbox = try Sandbox()
    let path = "\(sandbox.folder)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    let added = try await sandbox.media("add", "a file", "--attach", path)
    #expect(added.status == 0, "\(added.errors)")
    return sandbox
  }

  @Test(arguments: [
    ("form.pdf", "%PDF-1.4 ...", "form.pdf"), ("notes", "just words\n", "notes.txt"), ("a.csv", "a;b\n", "a.csv"),
    ("-rf notes.txt", "words", "rf notes.txt"), ("letter.docx", "PK\u{3}\u{4}....", "letter.docx"),
    ("photo.jpg", "%PDF-1.4", "photo.jpg.pdf"),
  ])
  func `a copy has the file's own name and the extension of its content, and only its owner can read it`(
    name: String, bytes: String, copy: String
  ) async throws {
    let sandbox = try await attached(name, Array(bytes.utf8))
    let seen = "\(sandbox.folder)/seen"
    let line =
      "sh -c 'echo \"$0\" > \(seen); stat -c %a \"$0\" \"$(dirname \"$0\")\" >> \(seen); cat \"$0\" >> \(seen)'"
    #expect(try await sandbox.media("settings", "opener", line).status == 0)
    let opened = try await sandbox.media("open", "1")
    #expect(opened.status == 0, "\(opened.errors)")
    let lines = try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n", maxSplits: 3)
    #expect(lines[0].hasSuffix("/\(copy)"), "\(lines)")
    #expect(lines[1] == "600" && lines[2] == "700")
    #expect(lines[3].hasPrefix(bytes.trimmingCharacters(in: .newlines)))
  }

  @Test(arguments: [
    ("run.sh", "echo words"), ("words.txt", "#!/bin/sh\necho"), ("a.desktop", "words"), ("a.desktop.", "words"),
    ("a.txt", "\n[Desktop Entry]\nExec=sh"), ("a.jpg", "\u{7F}ELF\0\0"), ("page.html", "<html><script>1</script>"),
    ("photo.jpg", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"), ("a.docm", "PK\u{3}\u{4}...."),
    ("a.exe", "MZ\0\0"), ("tool.PY", "print(1)"), ("a.des\u{200D}ktop", "words"),
  ])
  func `nothing that a program runs is opened, by its bytes or by its name`(name: String, bytes: String) async throws {
    let sandbox = try await attached(name, Array(bytes.utf8))
    try await sandbox.media("settings", "opener", "touch \(sandbox.folder)/ran; true")
    let opened = try await sandbox.media("open", "1")
    #expect(opened.status == 65, "\(opened)")
    #expect(opened.errors.contains("which is not opened"), "\(opened.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(sandbox.folder)/ran"))
  }

  @Test func `without a desktop, or a program for the type, it is said which type nothing opens`() async throws {
    var sandbox = try await attached("form.pdf", Array("%PDF-1.4".utf8))
    let none = try await sandbox.media("open", "1")
    #expect(none.status == 69)
    #expect(none.errors.contains("no program here opens application/pdf: media settings opener"), "\(none.errors)")
    let bin = "\(sandbox.folder)/bin"
    let made = try await sandbox.bash(
      "mkdir \(bin) && printf '#!/bin/sh\nexit 3\n' > \(bin)/xdg-open && chmod +x \(bin)/xdg-open")
    #expect(made.status == 0)
    sandbox.environment["PATH"] = "\(bin):\(sandbox.environment["PATH"] ?? "")"
    sandbox.environment["DISPLAY"] = ":99"
    #expect(try await sandbox.media("open", "1").errors.contains("no program here opens application/pdf"))
    let failing = try await sandbox.bash("printf '#!/bin/sh\nexit 7\n' > \(bin)/xdg-open; $MEDIA open 1")
    #expect(failing.errors.contains("xdg-open failed with status 7"))
  }

  @Test func `copies of a day before are removed, and nothing that others put there`() async throws {
    var sandbox = try await attached("notes.txt", Array("words".utf8))
    let folder = "\(sandbox.folder)/tmp"
    sandbox.environment["TMPDIR"] = folder
    let made = try await sandbox.bash(
      """
      mkdir -p \(folder) && cd \(folder) && mkdir -m 700 media-view.oldold media-view.newnew other.oldold victim
      mkdir -m 755 media-view.public; ln -s \(folder)/victim media-view.linkln; touch victim/file media-view.oldold/file
      touch -d '3 days ago' media-view.oldold other.oldold media-view.public victim; touch -h -d '3 days ago' media-view.linkln
      $MEDIA settings opener true
      """)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try await sandbox.media("open", "1").status == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!left.contains("media-view.oldold"))
    for name in ["media-view.newnew", "media-view.public", "media-view.linkln", "other.oldold", "victim"] {
      #expect(left.contains(name), "\(left)")
    }
    #expect(FileManager.default.fileExists(atPath: "\(folder)/victim/file"))
  }
}

/// The form of an entry in a real terminal.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Tmux.isThere, "tmux is not installed"))
struct EntryFormJourneyTests {
  @Test func `an entry is written, changed and undone in the list, in the machine's zone`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["TZ"] = "Europe/Berlin"
    let path = "\(sandbox.folder)/map.txt"
    try Data("words".utf8).write(to: URL(filePath: path))
    let (shown, folder) = (sandbox, path)
    try await withTmux(sandbox, columns: 100) { tmux in
      try await tmux.enter("$MEDIA list --no-animation; echo status $?")
      try await tmux.shows("Nothing here yet")
      try await tmux.type("aThe walk")
      try await tmux.press("Tab")
      try await tmux.shows("A new entry")
      try await tmux.press("Down")
      try await tmux.type("2020-12-03 14:30")
      try await tmux.press("Down")
      try await tmux.type("16:10")
      for _ in 0..<3 { try await tmux.press("Down") }
      try await tmux.type("/nonexistent.pdf")
      try await tmux.press("Enter")
      let refused = try await tmux.shows("there is no /nonexistent.pdf")
      #expect(!refused.contains("--attach"), "\(refused)")
      try await tmux.press("C-u")
      try await tmux.type(folder)
      try await tmux.press("Enter")
      try await tmux.shows("+ ")
      try await tmux.press("Enter")
      try await tmux.shows("Added.")
      let made = try await shown.media("show", "1", "--json").object()
      #expect(made["title"] as? String == "The walk")
      #expect(made["created_at"] as? String == "2020-12-03T13:30:00.000Z")
      #expect(made["ends_at"] as? String == "2020-12-03T15:10:00.000Z")
      #expect((made["attachments"] as? [[String: any Sendable]])?.first?["name"] as? String == "map.txt")
      try await tmux.type("e!")
      try await tmux.press("Enter")
      try await tmux.shows("Changed.")
      #expect(try await shown.media("show", "1", "--json").object()["title"] as? String == "The walk!")
      try await tmux.press("Enter")
      try await tmux.shows("14:30 – 16:10")
      try await tmux.press("Escape")
      try await tmux.type("u")
      try await tmux.shows("The walk!", gone: true)
      #expect(try await shown.media("show", "1", "--json").object()["title"] as? String == "The walk")
      try await tmux.type("q")
      try await tmux.shows("status 0")
    }
  }
}
