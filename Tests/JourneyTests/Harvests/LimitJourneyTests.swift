import Foundation
import ScriptedOrigin
import Testing

/// Pulls and follows that do not take all files, as people use them.
@Suite(.timeLimit(.minutes(10))) struct LimitJourneyTests {
  /// Serves sounds of 5 kB, and a feed that names them, newest first.
  private func serve(_ numbers: [Int], _ origin: Origin, length: Int? = nil, tag: String? = nil) {
    let items = numbers.map { number in
      var item = ScriptedItem(number, at: origin.url)
      item.enclosures = [("\(origin.url)/\(number).mp3", "audio/mpeg", length)]
      return item
    }
    origin.change { script in
      for number in numbers {
        let sound = "ID3" + String(repeating: "s", count: 4996) + "\(number)"
        script.documents["/\(number).mp3"] = ScriptedDocument(sound, type: "audio/mpeg")
      }
      script.documents["/feed"] = .rss(items, entityTag: tag)
    }
  }

  private func requests(_ origin: Origin) -> Int { origin.requests.count { $0.path.hasSuffix(".mp3") } }

  /// Each file, newest first: its state and why it was skipped.
  private func files(_ sandbox: Sandbox) async throws -> [String] {
    try await sandbox.media("list", "--json").objects().flatMap { post in
      try #require(post["attachments"] as? [[String: any Sendable]]).map { file in
        let keys = Set(file.keys)
        #expect(keys.contains("skipped_for"))
        return [file["state"] as? String, file["skipped_for"] as? String].compactMap(\.self).joined(separator: ": ")
      }
    }
  }

  @Test func `a file that is too large is skipped with its reason, and had when it is asked for`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([1], origin, tag: "\"1\"")
      let ended = try await sandbox.media("feed", "\(origin.url)/feed", "--max-size", "4KB", "--json")
      #expect(ended.status == 0, "\(ended.errors)")
      #expect((try ended.object()["media", "skipped"], try ended.object()["media", "downloaded"]) == (1, 0))
      #expect(try await files(sandbox) == ["skipped: larger than 4 KB"])
      #expect(try await sandbox.media("show", "1").output.contains("[audio] skipped (larger than 4 KB)"))
      let plain = try await sandbox.media("feed", "\(origin.url)/feed", "--max-size", "4kb")
      #expect(!plain.output.contains("left out"))
      #expect(requests(origin) == 1)
      let narrow = try await sandbox.media("pictures", "1", "--max-size", "4 KiB")
      #expect((narrow.status, narrow.output) == (0, "0 pictures downloaded\n"), "\(narrow.errors)")
      #expect(try await files(sandbox) == ["skipped: larger than 4096 bytes"])
      #expect(try await sandbox.media("pictures", "1").output == "1 picture downloaded\n")
      #expect(try await files(sandbox) == ["stored"])
      #expect(try await sandbox.media("check").status == 0)
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `a pull says how many files its limits left out`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([3, 2, 1], origin)
      let ended = try await sandbox.media("feed", "\(origin.url)/feed", "--only", "image,video", "--no-avatars")
      #expect(ended.output == "\(origin.url)/feed: 1 page, 3 new; 3 left out by limits\n", "\(ended.errors)")
      #expect(requests(origin) == 0)
      let all = try await sandbox.media("feed", "\(origin.url)/feed", "--only", "all", "--newest", "2", "--no-avatars")
      #expect(all.output.contains("2 pictures (10.0 kB)"), "\(all.output)")
      #expect(try await files(sandbox) == ["stored", "stored", "skipped: not of the 2 newest posts"])
    }
  }

  @Test func `a tag keeps to the limits, and so does the filling of its gaps`() async throws {
    try await withOrigin(Script(posts: 60)) { origin in
      let sandbox = try Sandbox()
      let server = ["--server", origin.url, "--no-avatars"]
      let tag = try await sandbox.run(["tag", "cats", "--only", "video,audio"] + server)
      #expect(tag.status == 0, "\(tag.errors)")
      #expect(origin.requests(to: "/media").isEmpty)
      let states = Set(try await files(sandbox))
      #expect(states == ["skipped: not among the wanted kinds"])
      #expect(try await sandbox.run(["tag", "cats", "--pages", "2", "--newest", "1"] + server).status == 0)
      #expect(origin.requests(to: "/media").isEmpty)
      #expect(try await sandbox.run(["tag", "cats", "--only", "image", "--newest", "1"] + server).status == 0)
      #expect(
        Set(try await files(sandbox)).isSubset(of: ["stored", "skipped: not of the newest post", Array(states)[0]]))
      let gaps = try await sandbox.media("gaps", "--fill", "--only", "audio")
      #expect(gaps.status == 0, "\(gaps.errors)")
    }
  }

  @Test func `harvests keep to the limits of a follow, which follows tell, until they change`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([2, 1], origin, tag: "\"1\"")
      let feed = "\(origin.url)/feed"
      let first = try await sandbox.media("follow", feed, "--only", "image", "--max-size", "50MB")
      #expect(
        first.output.contains("(now every 1 h); takes only images up to 50 MB: "),
        "\(first.output)\(first.errors)")
      #expect(try await sandbox.media("harvest").status == 0)
      #expect(try await files(sandbox) == Array(repeating: "skipped: not among the wanted kinds", count: 2))
      let line = try await sandbox.media("follows", "--json").object()
      #expect((line["only"] as? [String], line["max_size"] as? Int) == (["image"], 50_000_000))
      #expect(line["newest"] is NSNull)
      let again = try await sandbox.media("follow", feed, "--every", "2h")
      #expect(again.output.contains("takes only images up to 50 MB"))
      let changed = try await sandbox.media(
        "follow", feed, "--only", "image,audio", "--max-size", "none", "--newest", "1")
      #expect(changed.output.contains("takes only images and recordings, of the newest post"), "\(changed.output)")
      #expect(try await sandbox.media("harvest").status == 0)
      #expect(try await files(sandbox) == ["stored", "skipped: not of the newest post"])
      let table = try await sandbox.bash("COLUMNS=200 $MEDIA follows")
      #expect(table.output.contains("well; takes only images and recordings, of the newest post"), "\(table.output)")
      let off = try await sandbox.media("follow", feed, "--only", "all", "--newest", "none")
      #expect(!off.output.contains("takes "))
      #expect(try await sandbox.media("harvest").status == 0)
      #expect(try await files(sandbox) == ["stored", "stored"])
    }
  }

  @Test func `a copy, a backup and lines of JSON keep what was left out and why`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([2, 1], origin)
      _ = try await sandbox.media("feed", "\(origin.url)/feed", "--max-size", "4KB")
      _ = try await sandbox.media("follow", "\(origin.url)/feed", "--max-size", "4KB")
      let expected = Array(repeating: "skipped: larger than 4 KB", count: 2)
      #expect(try await files(sandbox) == expected)
      let (copy, backup, imported) = (
        "\(sandbox.folder)/copy", "\(sandbox.folder)/backup", "\(sandbox.folder)/imported"
      )
      let lines = "\(sandbox.folder)/all.ndjson"
      #expect(try await sandbox.media("copy", sandbox.address, copy).status == 0)
      #expect(try await sandbox.media("backup", backup).status == 0)
      let export = try await sandbox.media("export", "--format", "ndjson", "--out", lines)
      #expect(export.status == 0, "\(export.errors)")
      let read = try await sandbox.media("import", lines, "--library", imported)
      #expect(read.status == 0, "\(read.errors)")
      for library in [copy, backup, imported] {
        var other = sandbox
        other.environment["MEDIA_HOME"] = library
        #expect(try await files(other) == expected, "\(library)")
        #expect(try await other.media("follows", "--json").object()["max_size"] as? Int == 4000, "\(library)")
        let before = requests(origin)
        _ = try await other.media("feed", "\(origin.url)/feed")
        #expect(requests(origin) == before)
      }
    }
  }

  @Test func `without a terminal the words of a long feed are stored, and a notice names the flag`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([3, 2, 1], origin, length: 800_000_000)
      let ended = try await sandbox.media("feed", "\(origin.url)/feed", "--no-avatars")
      #expect(ended.status == 0)
      let notice =
        "its files are 2.4 GB as it declares, and a pull takes 1 GB: the others wait, unless --max-total says more"
      #expect(ended.errors.contains("\(origin.url)/feed: \(notice)"), "\(ended.errors)")
      // Declared lengths lie: what comes is counted.
      #expect(try await files(sandbox) == ["stored", "stored", "stored"])
      serve([6, 5, 4, 3, 2, 1], origin, length: 1)
      let short = try await sandbox.media("feed", "\(origin.url)/feed", "--max-total", "6KB", "--no-avatars")
      #expect(
        short.errors.contains(
          "2 files of \(origin.url)/feed wait, past the first 6 KB of its pull: --max-total takes more, \"media pictures\""
        ),
        "\(short.errors)")
      #expect(try await sandbox.media("list", "--json").lines.count == 6)
      #expect(try await files(sandbox).count { $0 == "skipped: past the first 6 KB of its pull" } == 2)
      #expect(try await sandbox.media("feed", "\(origin.url)/feed", "--max-total", "none").status == 0)
      #expect(Set(try await files(sandbox)) == ["stored"])
    }
  }

  @Test(.enabled(if: Tmux.isThere), arguments: ["y", "n"])
  func `in a terminal a long feed is asked about before its files begin`(answer: String) async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox()
      serve([2, 1], origin, length: 800_000_000)
      let tmux = try await Tmux(sandbox, columns: 200)
      try await tmux.enter("\(Sandbox.binary) feed \(origin.url)/feed --no-avatars; echo \"ended $?\"")
      try await tmux.shows("Download all of them? [y/N]")
      #expect(requests(origin) == 0)
      try await tmux.enter(answer)
      try await tmux.shows("ended 0")
      #expect(try await files(sandbox) == ["stored", "stored"])
    }
  }

  @Test func `the help, the manual and the completions know the flags`() async throws {
    let sandbox = try Sandbox()
    for command in ["tag", "user", "search", "feed", "follow", "gaps", "pictures"] {
      let help = try await sandbox.media(command, "--help").output
      #expect(help.contains("--only <kinds>") && help.contains("--max-size <size>"), "\(command)")
      #expect(help.contains("--newest <n>") == (command != "pictures"), "\(command)")
    }
    let manual = try await sandbox.media("manual").output
    #expect(manual.contains("max\\-total SIZE") || manual.contains("--max-total SIZE"))
    let fish = try await sandbox.media("completions", "fish").output
    #expect(fish.contains("image") && fish.contains("'max-size'") || fish.contains("-l max-size"))
  }
}
