import Foundation
import ScriptedOrigin
import Testing

/// A person's model: it looks at pictures and texts, posts are found by it, and the person has the last word.
@Suite(.timeLimit(.minutes(10))) struct ModelJourneyTests {
  /// A model of three numbers: how red, green and blue a picture is on average, and what the words for it say. It is a real
  /// program that looks at the bytes of files.
  private static let colours = #"""
    import base64, json, struct, sys
    names = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1)}
    gives, version = sys.argv[1].split(","), sys.argv[2]
    def packed(numbers): return base64.b64encode(struct.pack("<3e", *numbers)).decode()
    print(json.dumps({"media": 1, "model": "colours@" + version, "dimensions": 3, "gives": gives}))
    for line in sys.stdin:
        asked = json.loads(line)
        answer = {"id": asked["id"]}
        if "text" in asked:
            words = asked["text"].lower().split()
            answer["embed"] = packed([0.1 + sum(names[word][i] for word in words if word in names) for i in range(3)])
        else:
            data = open(asked["file"], "rb").read()
            if data[:2] != b"BM":
                answer["error"] = "it is no bitmap"
            else:
                pixels = data[struct.unpack("<I", data[10:14])[0]:]
                blue, green, red = (sum(pixels[i::3]) / len(pixels[i::3]) / 255 for i in range(3))
                best = max(names, key=lambda name: sum(a * b for a, b in zip(names[name], (red, green, blue))))
                answer["embed"] = packed((red, green, blue))
                answer["tags"] = [[best if version == "1" else "very " + best, max(red, green, blue)]]
                answer["caption"], answer["sensitive"] = "all " + best, red
        print(json.dumps(answer))
    """#

  /// A square of one colour, as an uncompressed bitmap.
  private func bitmap(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Data {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let pixels = (0..<64).flatMap { _ in [blue, green, red] }
    let head =
      Array("BM".utf8) + number(54 + pixels.count, 4) + number(0, 4) + number(54, 4) + number(40, 4) + number(8, 4)
      + number(8, 4) + number(1, 2) + number(24, 2) + number(0, 24)
    return Data(head + pixels)
  }

  /// A library with a red, a green, a blue and a purple picture, the first one in the first post.
  private func filled() async throws -> Sandbox {
    let sandbox = try Sandbox()
    try Self.colours.write(toFile: "\(sandbox.folder)/colours.py", atomically: true, encoding: .utf8)
    let pictures = [bitmap(250, 5, 5), bitmap(5, 250, 5), bitmap(5, 5, 250), bitmap(180, 5, 160)]
    for (index, picture) in pictures.enumerated() {
      let path = "\(sandbox.folder)/\(index).bmp"
      try picture.write(to: URL(filePath: path))
      let time = "2026-01-0\(index + 1) 12:00"
      let added = try await sandbox.media("add", "post \(index) of blue birds", "--attach", path, "--at", time)
      try #require(added.status == 0, "\(added.errors)")
    }
    return sandbox
  }

  private func choose(_ gives: String, version: String = "1", in sandbox: Sandbox) async throws {
    let set = try await sandbox.media(
      "settings", "look", "python3 '\(sandbox.folder)/colours.py' \(gives) \(version)")
    try #require(set.status == 0, "\(set.errors)")
  }

  @Test func `pictures are found by what they mean, and a verdict on a tag lasts`() async throws {
    let sandbox = try await filled()
    expect(try await sandbox.media("list", "--meaning", "red"), fails: 64, saying: "no model is chosen")
    expect(try await sandbox.media("look", "--only", "model"), fails: 64, saying: "no model is chosen")
    try await choose("embed,text-embed,tags,caption,sensitive", in: sandbox)
    expect(
      try await sandbox.media("list", "--meaning", "red"), fails: 64, saying: "colours@1 has looked at nothing yet",
      "\"media look --only model\"")
    let looked = try await sandbox.media("look")
    #expect(looked.status == 0 && looked.errors.contains("4 files looked at."), "\(looked.errors)")
    #expect(try await sandbox.media("look", "--json").output == "{\"failed\":0,\"files\":0,\"read\":0}\n")

    #expect(try await sandbox.numbers("--meaning", "red") == [1, 4, 2, 3])
    #expect(try await sandbox.numbers("--meaning", "a green thing", "--limit", "1") == [2])
    #expect(try await sandbox.numbers("--meaning", "red", "machine:blue") == [3])
    #expect(try await sandbox.numbers("--meaning-of", "3", "--limit", "2") == [3, 4])
    let table = try await sandbox.media("list", "--meaning", "red").output.split(separator: "\n").map(String.init)
    #expect(table.count == 5 && table[0].hasPrefix("ALIKE") && table[1].contains(" 1  2026-01-01"), "\(table)")
    #expect(try await sandbox.media("list", "--meaning", "red", "--json").output.contains("\"score\":0.9"))

    let shown = try await sandbox.media("show", "1").output
    #expect(shown.contains("~red, “all red” (machine), may be sensitive (machine)"), "\(shown)")
    let json = try await sandbox.media("show", "1", "--json").output
    #expect(json.contains("\"machine\":{\"caption\":\"all red\",\"sensitive\":0.98"), "\(json)")
    #expect(json.contains("\"tags\":[]"))
    #expect(try await sandbox.numbers("machine:red") == [4, 1])
    #expect(try await sandbox.numbers("tag:red") == [])
    // It goes along with files only where marks do.
    for marks in [[], ["--marks"]] {
      let folder = "\(sandbox.folder)/files\(marks.count)"
      _ = try await sandbox.run(["export", "--private", "--files", folder, "--sidecars", "json"] + marks)
      let sidecars = try await sandbox.bash("find '\(folder)' -name '*.json' -exec cat {} +").output
      #expect(sidecars.contains("\"sha256\"") && sidecars.contains("\"machine\":{") == !marks.isEmpty, "\(sidecars)")
    }

    let judged = try await sandbox.media("look", "--wrong", "~red", "4")
    #expect(judged.status == 0 && judged.errors.contains("Noted."), "\(judged.errors)")
    #expect(try await sandbox.media("look", "--wrong", "red", "4.1", "--json").output == "{\"changed\":0}\n")
    #expect(
      try await sandbox.media("look", "--wrong", "zebra", "4").errors.contains("no model gave these files this tag"))
    #expect(try await sandbox.media("look", "--again", "--only", "model").errors.contains("4 files looked at."))
    #expect(try await sandbox.numbers("machine:red") == [1])
    #expect(try await !sandbox.media("show", "4").output.contains("~red"))
    try await sandbox.media("look", "--right", "red", "4")
    #expect(try await sandbox.numbers("machine:red") == [4, 1])

    #expect(try await sandbox.media("stats").output.contains("4 of 4 files; 4 of 4 files by colours@1"))
    #expect(
      try await sandbox.media("stats", "--json").output.contains(
        "\"model\":{\"failed\":0,\"inspected\":4,\"name\":\"colours@1\"}"))
    #expect(try await sandbox.media("doctor").output.contains("4 of 4 files by colours@1 were looked at"))
  }

  @Test func `another model looks at all files anew if a person says so, and at no part of them`() async throws {
    let sandbox = try await filled()
    try await choose("embed,text-embed,tags", in: sandbox)
    try await sandbox.media("look")
    try await choose("embed,text-embed,tags", version: "2", in: sandbox)
    // As that of another machine which shares the library.
    let left = try await sandbox.media("look")
    #expect(
      left.status == 0 && left.errors.contains("another model looked at the files of this library"), "\(left.errors)")
    #expect(try await sandbox.media("stats").output.contains("4 of 4 files by colours@1"))
    let one = try await sandbox.media("look", "post", "1", "--only", "model")
    #expect(one.errors.contains("another model looked at the files of this library"), "\(one.errors)")
    #expect(try await sandbox.numbers("machine:red") == [4, 1])
    #expect(try await sandbox.media("look", "--only", "model").errors.contains("4 files looked at."))
    #expect(try await sandbox.media("stats").output.contains("4 of 4 files by colours@2"))
    #expect(try await sandbox.numbers("machine:red") == [])
  }

  @Test func `a harvest of a library that follows nothing looks at its files, but not by another model`() async throws {
    let sandbox = try await filled()
    try await choose("embed,text-embed,tags", in: sandbox)
    let first = try await sandbox.media("harvest")
    #expect(first.status == 0 && first.errors.contains("Nothing is followed yet"), "\(first.errors)")
    #expect(try await sandbox.media("stats").output.contains("4 of 4 files; 4 of 4 files by colours@1"))
    try await choose("embed,text-embed,tags", version: "2", in: sandbox)
    #expect(try await sandbox.media("harvest").errors.contains("another model") == false)
    let path = "\(sandbox.folder)/colours.py"
    try await sandbox.media("add", "with another file", "--attach", path, "--at", "2026-02-01 12:00")
    let second = try await sandbox.media("harvest")
    #expect(second.errors.contains("the model looks at no new files: another model"), "\(second.errors)")
    #expect(try await sandbox.media("stats").output.contains("5 of 5 files; 4 of 5 files by colours@1"))
    try await choose("embed,text-embed,tags", in: sandbox)
    #expect(try await !sandbox.media("harvest").errors.contains("another model"))
    #expect(try await sandbox.media("stats").output.contains("5 of 5 files by colours@1"))
    // Who reads no text waits for none.
    try await sandbox.media("settings", "text-languages", "off")
    #expect(try await !sandbox.media("stats").output.contains("text read"))
  }

  @Test func `a look that is interrupted keeps what was found, and its status says so`() async throws {
    let (sandbox, program) = (try await filled(), Self.colours)
    let path = "\(sandbox.folder)/colours.py"
    let slow = "open('\(sandbox.folder)/began', 'a').write('.'); import time; time.sleep(0.5); data = open("
    try program.replacing("data = open(", with: slow).write(toFile: path, atomically: true, encoding: .utf8)
    try await choose("embed,text-embed,tags", in: sandbox)
    let running = try sandbox.begin("look", "--only", "model")
    // The first file is done when the second begins.
    let began = URL(fileURLWithPath: "\(sandbox.folder)/began")
    while (try? Data(contentsOf: began).count) ?? 0 < 2 {
      try #require(running.isRunning, "\(running.output)\(running.errors)")
      try await Task.sleep(for: .milliseconds(20))
    }
    running.signal(SIGINT)
    let ended = try await running.end()
    expect(ended, fails: 130, saying: "interrupted: what was found is stored", "\"media look\" goes on from there")
    let stats = try await sandbox.media("stats", "--json").object()
    #expect(try (1..<4).contains(#require(stats["model", "inspected"])), "\(stats)")
    try program.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try await sandbox.media("look", "--only", "model").status == 0)
    #expect(try await sandbox.numbers("--meaning", "red") == [1, 4, 2, 3])
  }

  @Test func `a model that knows texts alone finds posts by their texts`() async throws {
    let sandbox = try await filled()
    try await sandbox.media("add", "a green meadow")
    try await sandbox.media("add", "grass, red and green")
    try await choose("text-embed", in: sandbox)
    let looked = try await sandbox.media("look", "--only", "model")
    #expect(looked.status == 0, "\(looked.errors)")
    #expect(try await sandbox.numbers("--meaning", "green", "--limit", "2") == [5, 6])
    #expect(try await sandbox.numbers("--meaning", "blue", "tag:none") == [])
    #expect(try await Set(sandbox.numbers("--meaning", "blue", "--limit", "4")) == [1, 2, 3, 4])
    expect(try await sandbox.media("list", "--meaning-of", "1"), fails: 64, saying: "no model knows")
    try await sandbox.media("edit", "5", "--text", "a blue sea")
    try await sandbox.media("look", "--only", "model")
    #expect(try await sandbox.numbers("--meaning", "green", "--limit", "1") == [6])
    try await withOrigin(Script(posts: 2)) { origin in
      try await sandbox.media("follow", "cats@\(origin.url)")
      try await sandbox.media("harvest")
      try await sandbox.media("add", "a green meadow")
      let stored = try await sandbox.numbers("meadow")
      // No new file waits.
      let harvested = try await sandbox.media("harvest")
      #expect(harvested.status == 0, "\(harvested.errors)")
      #expect(try await sandbox.numbers("--meaning", "green", "--limit", "2") == stored + [6])
    }
  }

  @Test func `a broken model is told with a cure, and keeps nothing else from being looked at`() async throws {
    let sandbox = try await filled()
    try await sandbox.media("settings", "look", "echo out of memory >&2; exit 3")
    let broken = try await sandbox.media("look")
    expect(
      broken, fails: 64,
      saying: "the model cannot look: the program of \"look\": it ended with status 3 (out of memory)",
      "\"media settings look\" shows its command")
    #expect(try await sandbox.media("stats").output.contains("4 of 4 files"))
    #expect(try await sandbox.numbers("--meaning-of", "1").isEmpty)
    try await choose("tags", in: sandbox)
    expect(try await sandbox.media("list", "--meaning", "red"), fails: 64, saying: "does not know what words mean")
    expect(try await sandbox.media("look", "--wrong", "red"), fails: 64, saying: "a verdict is about posts")
    expect(
      try await sandbox.media("look", "--wrong", "a", "--right", "b", "1"), fails: 64, saying: "exclude each other")
    expect(try await sandbox.media("look", "--wrong", "a", "x"), fails: 64, saying: "\"x\" is no number of a post")
    expect(
      try await sandbox.media("list", "--meaning", "red", "--limit", "101"), fails: 64, saying: "at most 100 posts")
    expect(try await sandbox.media("list", "--meaning", " "), fails: 64, saying: "--meaning is empty")
  }

  @Test func `harvests let a model look at new pictures, and start it for no others`() async throws {
    try await withOrigin(Script(posts: 12)) { origin in
      let sandbox = try Sandbox()
      try Self.colours.write(toFile: "\(sandbox.folder)/colours.py", atomically: true, encoding: .utf8)
      let starts = "\(sandbox.folder)/starts"
      try await sandbox.media(
        "settings", "look", "echo >>'\(starts)'; python3 '\(sandbox.folder)/colours.py' embed,tags 1")
      try await sandbox.media("follow", "cats@\(origin.url)")
      for _ in 0..<2 {
        let harvested = try await sandbox.media("harvest")
        #expect(harvested.status == 0 && !harvested.errors.contains("model"), "\(harvested.errors)")
        #expect(try String(contentsOfFile: starts, encoding: .utf8) == "\n")
      }
      let stats = try await sandbox.media("stats", "--json").object()
      let files = try #require(stats["inspected"] as? Int)
      // They are no bitmaps.
      #expect(files > 0 && stats["model", "inspected"] == files && stats["model", "failed"] == files, "\(stats)")
      // What is broken costs the harvest nothing.
      try await sandbox.media("settings", "look", "exit 5")
      origin.change { $0.posts = Script(posts: 20).posts }
      let harvested = try await sandbox.media("harvest")
      #expect(harvested.status == 0, "\(harvested.errors)")
      #expect(harvested.errors.contains("the model looks at no new files"), "\(harvested.errors)")
    }
  }

  @Test func `a library names no program of a model`() async throws {
    let sandbox = try await filled()
    let mark = "\(sandbox.folder)/ran"
    let folder = "\(sandbox.library)/config"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "touch '\(mark)'".write(toFile: "\(folder)/look", atomically: true, encoding: .utf8)
    try await sandbox.sql("INSERT INTO setting VALUES ('look', 'touch ''\(mark)''')")
    #expect(try await sandbox.media("look").status == 0)
    try await choose("tags", in: sandbox)
    #expect(try await sandbox.media("settings").output.contains("colours.py"))
    #expect(try await sandbox.media("look").status == 0)
    #expect(!FileManager.default.fileExists(atPath: mark))
  }
}

extension Sandbox {
  /// The ids that `media list` prints for its arguments, in their order.
  fileprivate func numbers(_ arguments: String...) async throws -> [Int64] {
    let output = try await bash("\"$MEDIA\" list --json \(arguments.map { "'\($0)'" }.joined(separator: " "))").output
    return output.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (object?["id"] as? NSNumber)?.int64Value
    }
  }
}
